/** Where on the table a hint points: from what is taken to where it goes, and the card that it serves. */

import type { Advice, LessonTarget, Move } from "./protocol";

export interface HintPlaces {
  readonly from: LessonTarget | null;
  readonly to: LessonTarget | null;
  /** looked at besides: cards that a fact names, in the hand or in the row */
  readonly cards: readonly LessonTarget[];
}

const PILES = ["left", "right"] as const;

function sourceOf(move: Move): LessonTarget | null {
  const { kind, card, pieces = [] } = move;
  switch (kind) {
    case "take": return { kind: "space", name: move.space ?? "" };
    case "pick": return { kind: "row", name: card ?? "" };
    case "draw": return { kind: "deck", name: "" };
    case "begin":
    case "add": return { kind: "piece", name: pieces[0] ?? "" };
    case "fulfil":
    case "drop": return { kind: "hand", name: card ?? "" };
    case "temple": return typeof move.pile === "number" ? { kind: "pile", name: PILES[move.pile] ?? "" } : { kind: "temple", name: card ?? "" };
    case "token": return { kind: "token", name: move.token ?? "" };
    default: return null;
  }
}

/** Where it goes: a Cóatl; what is taken goes to the board, for the Cóatl that a fact speaks of. */
function targetOf(move: Move, advice: Advice, begun: number): LessonTarget | null {
  const lane = (coatl: number): LessonTarget => ({ kind: "lane", name: String(coatl + 1) });
  if (typeof move.coatl === "number") return lane(move.coatl);
  if (move.kind === "begin") return lane(begun);
  if (move.kind !== "take" && move.kind !== "pick") return null;
  const served = advice.facts?.find(({ coatl }) => typeof coatl === "number")?.coatl;
  if (typeof served === "number") return lane(served);
  return move.kind === "take" ? { kind: "board", name: "" } : null;
}

/** `begun`: how many Cóatl there are. */
export function hintPlaces(advice: Advice, begun: number): HintPlaces {
  const [first] = advice.moves;
  if (!first) return { from: null, to: null, cards: [] };
  const named = new Set((advice.facts ?? []).flatMap(({ card }) => (card && card !== first.card ? [card] : [])));
  return {
    from: sourceOf(first),
    to: targetOf(first, advice, begun),
    cards: [...named].map((name) => ({ kind: "hand", name })),
  };
}
