/**
 * What a person holds and where they put it: plain data, shared by clicks, drags and keys.
 *
 * Elements carry them as texts: `data-drag="piece 2"` is something that can be picked up,
 * `data-drop="end 0 left"` a place to put it. A pair of both is looked up among the legal moves the
 * server sent; if it is not there, it can be written in the notation to ask the server why.
 */

import type { Choices } from "./choices";
import type { Places } from "./keptplaces";
import type { Move, SeatView, Side, ViewData } from "./protocol";

export type Held =
  | { readonly kind: "piece"; readonly at: number; readonly piece: string }
  | { readonly kind: "card"; readonly card: string }
  | { readonly kind: "temple"; readonly card: string; readonly pile: number } // 0: the hand
  | { readonly kind: "space"; readonly space: string }
  | { readonly kind: "row"; readonly at: number; readonly card: string }
  | { readonly kind: "deck" };

export type DropPlace =
  | { readonly kind: "end"; readonly coatl: number; readonly side: Side }
  | { readonly kind: "lane"; readonly coatl: number }
  | { readonly kind: "begin" }
  | { readonly kind: "board" }
  | { readonly kind: "hand" };

export function heldText(held: Held): string {
  switch (held.kind) {
    case "piece":
      return `piece ${held.at} ${held.piece}`;
    case "card":
      return `card ${held.card}`;
    case "temple":
      return `temple ${held.pile} ${held.card}`;
    case "space":
      return `space ${held.space}`;
    case "row":
      return `row ${held.at} ${held.card}`;
    case "deck":
      return "deck";
  }
}

export function readHeld(text: string): Held | null {
  const [kind, a = "", b = ""] = text.split(" ");
  if (kind === "piece") return { kind, at: Number(a), piece: b };
  if (kind === "card") return { kind, card: a };
  if (kind === "temple") return { kind, pile: Number(a), card: b };
  if (kind === "space") return { kind, space: a };
  if (kind === "row") return { kind, at: Number(a), card: b };
  return kind === "deck" ? { kind } : null;
}

export function dropText(place: DropPlace): string {
  if (place.kind === "end") return `end ${place.coatl} ${place.side}`;
  return place.kind === "lane" ? `lane ${place.coatl}` : place.kind;
}

export function readDrop(text: string): DropPlace | null {
  const [kind, coatl = "", side = ""] = text.split(" ");
  if (kind === "end" && (side === "left" || side === "right")) return { kind, coatl: Number(coatl), side };
  if (kind === "lane") return { kind, coatl: Number(coatl) };
  return kind === "begin" || kind === "board" || kind === "hand" ? { kind } : null;
}

/** Is this where it was picked up, also in a newer state? What can refill unseen is not asked. */
export function isStillThere(held: Held, view: ViewData, own: SeatView | undefined, board: Places): boolean {
  switch (held.kind) {
    case "piece":
      return board[held.at] === held.piece;
    case "card":
      return own?.hand.includes(held.card) ?? false;
    case "temple":
      return held.pile ? view.piles[held.pile - 1]?.top === held.card : (own?.temples.includes(held.card) ?? false);
    case "row":
      return view.row[held.at] === held.card;
    case "space":
    case "deck":
      return false;
  }
}

/** The legal move that puts this there, if the server sent one. */
export function legalMove(held: Held, place: DropPlace, choices: Choices): Move | undefined {
  switch (held.kind) {
    case "piece":
      if (place.kind === "begin") return choices.begins.get(held.piece);
      if (place.kind !== "end") return undefined;
      return choices.adds.get(held.piece)?.find(({ coatl, side }) => coatl === place.coatl && side === place.side);
    case "card":
      if (place.kind !== "lane") return undefined;
      return choices.lays.get(held.card)?.find(({ coatl }) => coatl === place.coatl);
    case "temple":
      if (place.kind === "lane")
        return choices.temples.find(({ card, pile, coatl }) =>
          card === held.card && (pile ?? -1) + 1 === held.pile && coatl === place.coatl);
      return place.kind === "hand" && held.pile > 0 ? choices.priest.get(held.pile - 1) : undefined;
    case "space":
      return place.kind === "board" ? choices.takes.get(held.space) : undefined;
    case "row":
      return place.kind === "hand" ? choices.picks.get(held.at) : undefined;
    case "deck":
      return place.kind === "hand" ? (choices.draw ?? undefined) : undefined;
  }
}

/** The same in the notation, to ask why it is not allowed; undefined where it makes no sense. */
export function askedMove(held: Held, place: DropPlace): string | undefined {
  switch (held.kind) {
    case "piece":
      if (place.kind === "begin") return `new ${held.piece}`;
      if (place.kind !== "end") return undefined;
      return place.side === "left" ? `${held.piece}+${place.coatl + 1}` : `${place.coatl + 1}+${held.piece}`;
    case "card":
      return place.kind === "lane" ? `${place.coatl + 1}:${held.card}` : undefined;
    case "temple":
      if (place.kind === "lane") return `${place.coatl + 1}:${held.card}${held.pile ? `@${held.pile}` : ""}`;
      return place.kind === "hand" && held.pile > 0 ? `token priest ${held.pile}` : undefined;
    case "space":
      return place.kind === "board" ? `take ${held.space}` : undefined;
    case "row":
      return place.kind === "hand" ? `pick ${held.card}@${held.at + 1}` : undefined;
    case "deck":
      return place.kind === "hand" ? "draw" : undefined;
  }
}

/** Where this may go, as texts of places. */
export function targets(held: Held | null, choices: Choices): ReadonlySet<string> {
  const found = new Set<string>();
  if (!held) return found;
  const tryPlace = (place: DropPlace) => legalMove(held, place, choices) && found.add(dropText(place));
  for (const kind of ["begin", "board", "hand"] as const) tryPlace({ kind });
  for (const coatl of coatlsOf(choices)) {
    tryPlace({ kind: "lane", coatl });
    for (const side of ["left", "right"] as const) tryPlace({ kind: "end", coatl, side });
  }
  return found;
}

function coatlsOf(choices: Choices): Set<number> {
  const laid = [...choices.lays.values(), ...choices.adds.values(), choices.temples].flat();
  return new Set(laid.flatMap(({ coatl }) => coatl ?? []));
}

/** How near to an end that takes nothing one has to be for it to be meant. */
const NEAR = 44;

/**
 * Which end of a serpent is meant at `x`: the nearer one; but if the other is the only one that
 * takes the piece, the nearer one has to be touched.
 */
export function sideAt(x: number, serpent: { left: number; right: number }, legal: readonly Side[]): Side {
  const nearer: Side = x < (serpent.left + serpent.right) / 2 ? "left" : "right";
  if (legal.length !== 1 || legal[0] === nearer) return nearer;
  const edge = nearer === "left" ? serpent.left : serpent.right;
  return Math.abs(x - edge) <= NEAR ? nearer : (legal[0] ?? nearer);
}

/** Does this move show something or use something up, so that it is asked about first? */
export function asksFirst(move: Move, final: readonly string[]): boolean {
  return final.includes(move.text) && !["done", "pass", "take"].includes(move.kind);
}
