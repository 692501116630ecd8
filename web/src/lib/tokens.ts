/** The Sacrifice tokens: their words, and which of them the legal moves offer. */

import type { Choices } from "./choices";
import type { Move, Token, ViewData } from "./protocol";
import { m } from "../paraglide/messages";

export const TOKENS = ["pick", "future", "priest"] as const;

export const TOKEN_NAMES: Readonly<Record<Token, () => string>> = {
  pick: m.token_pick, future: m.token_future, priest: m.token_priest,
};

export const TOKEN_TEXTS: Readonly<Record<Token, () => string>> = {
  pick: m.token_pick_text, future: m.token_future_text, priest: m.token_priest_text,
};

export function tokenUsable(token: Token, choices: Choices): boolean {
  if (token === "pick") return choices.perfect.length > 0;
  return token === "future" ? choices.future !== null : choices.priest.size > 0;
}

/** A move with the token, to ask why there is none. */
export function tokenMove(token: Token, view: Pick<ViewData, "bag" | "piles">): string {
  if (token === "future") return "token future";
  if (token === "priest") return `token priest ${view.piles.findIndex((pile) => pile.top) === 1 ? 2 : 1}`;
  const colour = Object.keys(view.bag).find((piece) => !/[<>]/.test(piece)) ?? "K";
  return perfectText("b", colour);
}

export type PerfectKind = "b" | "h" | "t";

/** A piece in the notation. */
export const perfectPiece = (kind: PerfectKind, colour: string): string => ({ b: colour, h: `<${colour}`, t: `${colour}>` })[kind];

/** Taking pieces of one colour with Perfect Pick, in the notation. */
export const perfectText = (kind: PerfectKind, colour: string): string =>
  `token pick ${perfectPiece(kind, colour).repeat(kind === "b" ? 2 : 1)}`;

const kindOf = (piece: string): PerfectKind => (piece.startsWith("<") ? "h" : piece.endsWith(">") ? "t" : "b");

/** What of one kind Perfect Pick offers. */
export const perfectMoves = (choices: Choices, kind: PerfectKind): Move[] =>
  choices.perfect.filter(({ pieces }) => pieces?.every((piece) => kindOf(piece) === kind));

const colours = ({ pieces }: Move): string[] => (pieces ?? []).map((piece) => piece.replace(/[<>]/g, ""));

/** Can this colour be added to those chosen? */
export function perfectCan(moves: readonly Move[], chosen: readonly string[], colour: string): boolean {
  const wanted = [...chosen, colour];
  return moves.some((move) => {
    const rest = colours(move);
    return wanted.every((one) => {
      const at = rest.indexOf(one);
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
  });
}

/** The move that takes exactly the colours chosen. */
export function perfectMove(moves: readonly Move[], chosen: readonly string[]): Move | undefined {
  const wanted = [...chosen].sort().join();
  return moves.find((move) => colours(move).sort().join() === wanted);
}
