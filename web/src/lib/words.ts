/** A sentence with more than letters in it: names, pieces and cards are parts of their own. */

import { cards } from "./cards.svelte";
import { pieceName } from "./names";
import { prophecySentence, templeSentence } from "./sentences";

export type Part =
  | { readonly text: string }
  | { readonly name: string }
  | { readonly piece: string }
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

/** The same as letters only, for screen readers and notices. */
export function plain(parts: readonly Part[]): string {
  const words: string[] = [];
  parts.forEach((part, at) => {
    const before = parts[at - 1];
    if ("piece" in part && before && "piece" in before) words.push(", ");
    if ("piece" in part) words.push(pieceName(part.piece));
    else if ("card" in part) words.push(cardWords(part.card));
    else words.push("name" in part ? part.name : part.text);
  });
  return words.join("");
}

/** What a card asks for, without its points. */
export function cardWords(name: string): string {
  const prophecy = cards.prophecies.get(name);
  const temple = cards.temples.get(name);
  if (prophecy) return prophecySentence(prophecy).split(":").slice(0, -1).join(":") || name;
  return temple ? (templeSentence(temple).split(":")[0] ?? name) : name;
}
