import "@fontsource/alegreya-sans/latin-400.css";
import "@fontsource/alegreya-sans/latin-500.css";
import "@fontsource/alegreya-sans/latin-700.css";
import "@fontsource/alegreya-sans/latin-800.css";
import "@fontsource/alegreya-sans/latin-900.css";
import "$drawings/tokens.css";
import "./assets/look.css";
import "./assets/motifs.css";
import "./assets/parts.css";
import "./assets/screens.css";
import "./assets/turn.css";
import "./assets/story.css";
import "./assets/replay.css";
import "./lib/language"; // before anything says a word
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });
