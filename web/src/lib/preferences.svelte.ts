/** What a person likes: theme, whether a take is confirmed, whether the log shows the notation. */

import { lasting } from "./storage";

export type Theme = "light" | "dark";

const KEY = "coatl.preferences";

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

class Preferences {
  theme = $state<Theme>(systemTheme());
  confirmTakes = $state(true);
  notation = $state(false);
  name = $state("");

  constructor() {
    const saved = (lasting.getJson(KEY) ?? {}) as Partial<Preferences>;
    if (saved.theme === "light" || saved.theme === "dark") this.theme = saved.theme;
    if (typeof saved.confirmTakes === "boolean") this.confirmTakes = saved.confirmTakes;
    if (typeof saved.notation === "boolean") this.notation = saved.notation;
    if (typeof saved.name === "string") this.name = saved.name;
  }

  save(): void {
    const { theme, confirmTakes, notation, name } = this;
    lasting.set(KEY, JSON.stringify({ theme, confirmTakes, notation, name }));
    document.documentElement.dataset["theme"] = theme;
  }
}

export const preferences = new Preferences();
