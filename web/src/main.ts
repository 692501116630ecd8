import "./assets/font.css";
import "$drawings/tokens.css";
import "./assets/base.css";
import "./assets/controls.css";
import "./assets/cards.css";
import "./assets/lanes.css";
import "./assets/lintel.css";
import "./assets/seats.css";
import "./assets/charts.css";
import "./assets/forced.css";
import "./lib/language"; // before anything says a word
import { keepOffline } from "./lib/offline";
import * as texts from "./paraglide/messages";

/** In the built page the texts come in a file of their own (vite.config.ts). */
const { loaded } = texts as { loaded?: Promise<void> };
const target = document.getElementById("app");
void Promise.all([import("./page"), loaded]).then(([{ showIn }]) => {
  if (target) showIn(target);
});
void keepOffline();
