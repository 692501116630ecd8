/** What a person likes: theme, and whether a take is confirmed. Language is paraglide's. */

export type Theme = "light" | "dark";

const KEY = "coatl.preferences";

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

class Preferences {
  theme = $state<Theme>(systemTheme());
  confirmTakes = $state(true);
  name = $state("");

  constructor() {
    try {
      const saved = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
      if (saved.theme === "light" || saved.theme === "dark") this.theme = saved.theme;
      if (typeof saved.confirmTakes === "boolean") this.confirmTakes = saved.confirmTakes;
      if (typeof saved.name === "string") this.name = saved.name;
    } catch {
      // a broken entry is as good as none
    }
  }

  save(): void {
    const { theme, confirmTakes, name } = this;
    localStorage.setItem(KEY, JSON.stringify({ theme, confirmTakes, name }));
    document.documentElement.dataset["theme"] = theme;
  }
}

export const preferences = new Preferences();
