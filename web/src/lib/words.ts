/** A sentence with more than letters in it: names, pieces and cards are parts of their own. */

import { pieceName } from "./names";
import { cardRequirement } from "./sentences";
import type { Colour } from "../parts/pieces";
import { m } from "../paraglide/messages";

export type Part =
  | { readonly text: string }
  | { readonly name: string }
  | { readonly piece: string }
  | { readonly colour: Colour } // a piece of any kind
  | { readonly card: string };

export type Slot = (parts: Part | readonly Part[]) => string;

/** Fill a translated sentence: what `slot` is given stands in it as parts, whatever its language. */
export function rich(sentence: (slot: Slot) => string): Part[] {
  const slots: (readonly Part[])[] = [];
  const text = sentence((parts) => {
    slots.push(Array.isArray(parts) ? (parts as readonly Part[]) : [parts as Part]);
    return `\u0001${slots.length - 1}\u0002`;
  });
  // eslint-disable-next-line no-control-regex -- the marks are chosen so that no text can have them
  return text.split(/\u0001(\d+)\u0002/).flatMap((piece, at): readonly Part[] => {
    if (at % 2) return slots[Number(piece)] ?? [];
    return piece ? [{ text: piece }] : [];
  });
}

export const piecesAs = (pieces: readonly string[]): Part[] => pieces.map((piece) => ({ piece }));

const isPiece = (part: Part): boolean => "piece" in part || "colour" in part;

/** The same as letters only, for screen readers and notices. */
export function plain(parts: readonly Part[]): string {
  const words: string[] = [];
  parts.forEach((part, at) => {
    const before = parts[at - 1];
    if (before && isPiece(part) && isPiece(before)) words.push(", ");
    if ("piece" in part) words.push(pieceName(part.piece));
    else if ("colour" in part) words.push(m.pieces_of_colour({ n: 1, colour: part.colour }));
    else if ("card" in part) words.push(m.card_quoted({ text: cardRequirement(part.card) }));
    else words.push("name" in part ? part.name : part.text);
  });
  return words.join("");
}
