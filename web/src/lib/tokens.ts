/** The Sacrifice tokens: their words, and which of them the legal moves offer. */

import type { Choices } from "./choices";
import type { ViewData } from "./protocol";
import type { TokenName } from "./selection.svelte";
import { m } from "../paraglide/messages";

export const TOKENS = ["pick", "future", "priest"] as const;

export const TOKEN_NAMES: Readonly<Record<TokenName, () => string>> = {
  pick: m.token_pick, future: m.token_future, priest: m.token_priest,
};

export const TOKEN_TEXTS: Readonly<Record<TokenName, () => string>> = {
  pick: m.token_pick_text, future: m.token_future_text, priest: m.token_priest_text,
};

export function tokenUsable(token: TokenName, choices: Choices): boolean {
  if (token === "pick") return choices.perfect.size > 0;
  return token === "future" ? choices.future !== null : choices.priest.size > 0;
}

/** A move with the token, to ask why there is none. */
export function tokenMove(token: TokenName, view: Pick<ViewData, "bag" | "piles">): string {
  if (token === "future") return "token future";
  if (token === "priest") return `token priest ${view.piles.findIndex((pile) => pile.top) === 1 ? 2 : 1}`;
  const colour = Object.keys(view.bag).find((piece) => !/[<>]/.test(piece)) ?? "K";
  return `token pick ${colour}${colour}`;
}

export type PerfectKind = "b" | "h" | "t";

/** What of one kind Perfect Pick offers: the texts of the notation, `BG`, `<K` or `K>`. */
export function perfectTexts(choices: Choices, kind: PerfectKind): string[] {
  const fits = { b: /^[KRBYG]{2}$/, h: /^</, t: />$/ }[kind];
  return [...choices.perfect.keys()].filter((text) => fits.test(text));
}

const letters = (text: string): string => [...text.replace(/[<>]/g, "")].sort().join("");

/** Can this colour be added to those chosen? */
export function perfectCan(texts: readonly string[], chosen: readonly string[], colour: string): boolean {
  const wanted = [...chosen, colour];
  return texts.some((text) => {
    const rest = [...letters(text)];
    return wanted.every((one) => {
      const at = rest.indexOf(one);
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
  });
}

/** The move that takes exactly the colours chosen. */
export function perfectMove(choices: Choices, texts: readonly string[], chosen: readonly string[]): string | undefined {
  const text = texts.find((one) => letters(one) === [...chosen].sort().join(""));
  return text === undefined ? undefined : choices.perfect.get(text);
}
