/** The spaces of the supply, and what lies in them, piece by piece in the notation. */

import type { ViewData } from "./protocol";

/** In the order of A.D.A.M.'s numbers (R10): segments, heads, tails. */
export const SPACES = ["b1", "b2", "b3", "b4", "b5", "b6", "h1", "h2", "t1", "t2"] as const;
export type Space = (typeof SPACES)[number];

/** A.D.A.M.'s number of a space; 0 for no space. */
export const numberOf = (space: string): number => SPACES.indexOf(space as Space) + 1;

/** A piece of a colour as it lies in a space: `h1` holds heads, `t1` tails. */
export function pieceIn(space: string, colour: string): string {
  if (space.startsWith("h")) return `<${colour}`;
  return space.startsWith("t") ? `${colour}>` : colour;
}

export const spacePieces = (view: Pick<ViewData, "supply">, space: string): string[] =>
  [...(view.supply[space] ?? "")].map((colour) => pieceIn(space, colour));
