/** The page itself, apart from `main.ts` so that it and the texts of its language are fetched together. */

import { mount } from "svelte";
import App from "./App.svelte";
import { markSpacing } from "./lib/spacing";

export function showIn(target: HTMLElement): void {
  markSpacing(document.documentElement);
  mount(App, { target });
}
