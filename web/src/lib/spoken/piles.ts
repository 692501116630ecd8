/** Deck, Temple piles and bags read aloud. */

import type { Choices } from "../choices";
import type { Pile, SeatView, ViewData } from "../protocol";
import { m } from "../../paraglide/messages";
import { spokenCardFor } from "./cards";
import { headed, listed, sentences } from "./joined";

/** The deck that can be pressed: how many cards, and what a press does. */
export function spokenDeck({ deck }: ViewData, mine: boolean, { draw }: Choices): string {
  if (draw) return m.deck_of({ n: deck });
  return mine ? sentences(m.deck_cards({ n: deck }), m.why_not({ what: m.draw_button() })) : m.deck_cards({ n: deck });
}

/** "Temple 1: no black pieces … 5 cards in this pile." */
export function spokenPile(pile: Pile, at: number, own: SeatView | undefined): string {
  const name = m.temple_pile({ number: at + 1 });
  return headed(name, pile.top ? spokenCardFor(own, pile.top, m.cards_in_pile({ n: pile.size })) : m.space_empty());
}

/** Pieces in the bags by kind: segments, heads, tails. */
export function bagCounts(bag: ViewData["bag"]): readonly (readonly [number, string])[] {
  const count = (is: (piece: string) => boolean) => Object.entries(bag).reduce((sum, [piece, n]) => sum + (is(piece) ? n : 0), 0);
  const isHead = (piece: string) => piece.startsWith("<");
  const isTail = (piece: string) => piece.endsWith(">");
  const [bodies, heads, tails] = [count((piece) => !isHead(piece) && !isTail(piece)), count(isHead), count(isTail)];
  return [[bodies, m.segments({ n: bodies })], [heads, m.heads({ n: heads })], [tails, m.tails({ n: tails })]];
}

/** "Bags: 20 segments, 5 heads, 4 tails" */
export const spokenBags = (bag: ViewData["bag"]): string =>
  headed(m.bags(), listed(...bagCounts(bag).map(([n, name]) => `${n} ${name}`)));
