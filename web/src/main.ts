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
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });
