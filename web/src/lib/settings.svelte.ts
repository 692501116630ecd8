/** What a person has set in this browser, in one place. The language alone is kept apart (`language.ts`). */

import { lasting, type KeptTexts } from "./storage";

export const THEMES = ["system", "light", "dark"] as const;
export const SPEEDS = ["slow", "normal", "fast", "off"] as const;
export const MOTIONS = ["system", "on", "off"] as const;
export const CARD_SIZES = ["normal", "large"] as const;

export interface Kept {
  readonly name: string;
  readonly theme: (typeof THEMES)[number];
  /** of pieces and cards that travel, and whatever else moves */
  readonly motion: (typeof MOTIONS)[number];
  readonly cards: (typeof CARD_SIZES)[number];
  readonly sounds: boolean;
  /** with a notification that it is your turn */
  readonly notify: boolean;
  /** they were offered, and that was answered */
  readonly notifyAsked: boolean;
  /** of the others' turns; off: they are not played out */
  readonly speed: (typeof SPEEDS)[number];
  readonly confirmTakes: boolean;
  /** before other moves that cannot be undone */
  readonly confirmFinal: boolean;
  /** before the end of a turn in which something is left to do */
  readonly confirmEnd: boolean;
  readonly notation: boolean;
  /** in the first games */
  readonly tips: boolean;
}

export const FIRST: Kept = {
  name: "", theme: "system", motion: "system", cards: "normal", sounds: false, notify: false, notifyAsked: false, speed: "normal",
  confirmTakes: true, confirmFinal: true, confirmEnd: false, notation: false, tips: true,
};

const KEY = "coatl.settings";
const CHOICES: Partial<Record<keyof Kept, readonly unknown[]>> = { theme: THEMES, motion: MOTIONS, cards: CARD_SIZES, speed: SPEEDS };
/** Under these names earlier versions of the page kept the same. */
const OLD = { preferences: "coatl.preferences", pace: "coatl.pace" } as const;
const CARD_GROWTH = 1.25;

/** What can be used of something that was kept: the rest is as it is at first. */
function usable(found: Readonly<Record<string, unknown>>): Kept {
  const fits = ([key, value]: [string, unknown]): boolean => {
    const name = key as keyof Kept;
    return CHOICES[name]?.includes(value) ?? (name in FIRST && typeof value === typeof FIRST[name]);
  };
  return { ...FIRST, ...Object.fromEntries(Object.entries(found).filter(fits)) };
}

const record = (found: unknown): Readonly<Record<string, unknown>> =>
  typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};

/** An earlier version kept the theme even if nobody had chosen it: one that is the system's is taken as such. */
function fromEarlier(store: KeptTexts, systemTheme: string): Kept {
  const { motion, speed } = record(store.getJson(OLD.pace));
  const { theme, ...preferences } = record(store.getJson(OLD.preferences));
  return usable({
    ...preferences, speed,
    theme: theme === systemTheme ? "system" : theme,
    motion: motion === false ? "off" : "system",
  });
}

export function readSettings(store: KeptTexts, systemTheme: string): Kept {
  const found = store.getJson(KEY);
  return found === null ? fromEarlier(store, systemTheme) : usable(record(found));
}

/** Does the system say so, now and later? */
class SystemWish {
  now = $state(false);

  constructor(query: string) {
    if (typeof matchMedia === "undefined") return;
    const found = matchMedia(query);
    this.now = found.matches;
    found.addEventListener?.("change", () => (this.now = found.matches));
  }
}

class Settings {
  private readonly dark = new SystemWish("(prefers-color-scheme: dark)");
  private readonly still = new SystemWish("(prefers-reduced-motion: reduce)");
  private kept = $state.raw(this.read());

  constructor() {
    // set in another window
    globalThis.addEventListener?.("storage", ({ key }) => key === KEY && (this.kept = this.read()));
  }

  private read(): Kept {
    return readSettings(lasting, this.dark.now ? "dark" : "light");
  }

  get now(): Kept {
    return this.kept;
  }

  set(change: Partial<Kept>): void {
    this.kept = { ...this.kept, ...change };
    lasting.set(KEY, JSON.stringify(this.kept));
  }

  /** All but the name. */
  setBack(): void {
    this.set({ ...FIRST, name: this.kept.name });
  }

  get theme(): "light" | "dark" {
    const { theme } = this.kept;
    return theme === "system" ? (this.dark.now ? "dark" : "light") : theme;
  }

  /** From light to dark, or back. */
  turnTheme(): void {
    this.set({ theme: this.theme === "dark" ? "light" : "dark" });
  }

  /** Things may appear and fade, but not move. */
  get isStill(): boolean {
    const { motion } = this.kept;
    return motion === "off" || (motion === "system" && this.still.now);
  }

  /** How wide a card may be that is so wide (in units) at the normal size. */
  cardWidth(normal: number): number {
    return this.kept.cards === "large" ? Math.round(normal * CARD_GROWTH) : normal;
  }

  /** What the style sheets ask for. */
  show(page: HTMLElement): void {
    page.dataset["theme"] = this.theme;
    page.dataset["motion"] = this.isStill ? "still" : "moving";
  }
}

export const settings = new Settings();
