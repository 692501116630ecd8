import "./assets/font.css";
import "$drawings/tokens.css";
import "./assets/look.css";
import "./assets/motifs.css";
import "./assets/parts.css";
import "./assets/screens.css";
import "./assets/turn.css";
import "./assets/story.css";
import "./assets/replay.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });
