/** The letters of a table's actions and parts, in each language the ones its words suggest. */

import type { Locale } from "../paraglide/runtime";

export const TARGETS = ["end", "undo", "supply", "prophecies", "temples", "board", "hand", "tokens", "players", "log", "coach", "hint"] as const;
export type Target = (typeof TARGETS)[number];

/** In the order of TARGETS. */
const LETTERS: Readonly<Record<Locale, string>> = { en: "eusptbhkolci", fr: "farptlmsojci", de: "ervptbhomlci" };

export const letterOf = (target: Target, locale: Locale): string => LETTERS[locale][TARGETS.indexOf(target)] ?? "";

/** What a key means; a number is one of your Cóatl, from 1. */
export function targetOf(key: string, locale: Locale): Target | number | null {
  if (/^[1-9]$/.test(key)) return Number(key);
  return TARGETS.find((target) => letterOf(target, locale) === key.toLowerCase()) ?? null;
}

/** Is this key meant for the page, and not for a text, the browser or a dialog that asks something? */
export function isForPage(event: Pick<KeyboardEvent, "altKey" | "ctrlKey" | "metaKey" | "defaultPrevented" | "target">): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return false;
  return !(event.target as Partial<Element> | null)?.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable]");
}
