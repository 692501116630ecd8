/** Where on the table a hint points: what is taken, step by step, where it goes, and the cards that it serves. */

import { progressOn } from "./progress";
import type { Advice, Fact, LessonTarget, Move, SeatView } from "./protocol";

export interface HintStep {
  /** what is taken, pressed or laid; of several pieces that are alike, `nth` tells them apart */
  readonly from: LessonTarget | null;
  readonly nth: number;
  readonly to: LessonTarget | null;
}

/** Pieces that come to an end of a Cóatl, in the order in which they come. */
export interface HintGhosts {
  readonly coatl: number;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

export interface HintPlaces {
  readonly steps: readonly HintStep[];
  readonly ghosts: readonly HintGhosts[];
  /** cards that a fact names, and that no step takes */
  readonly cards: readonly string[];
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

const lane = (coatl: number): LessonTarget => ({ kind: "lane", name: String(coatl + 1) });
/** The Cóatl that a fact speaks of; of a card, the fact about that card. */
const servedBy = (facts: readonly Fact[] = [], name?: string | null): number | null | undefined =>
  facts.find(({ coatl, card }) => typeof coatl === "number" && (!name || card === name))?.coatl;

/** Where it goes: a Cóatl; what is taken goes to the board, for the Cóatl that it serves. */
function targetOf(move: Move, advice: Advice, begun: number): LessonTarget | null {
  if (move.kind === "begin") return lane(begun);
  if (typeof move.coatl === "number") return lane(move.coatl);
  if (move.kind !== "take" && move.kind !== "pick") return null;
  const served = servedBy(advice.facts, move.card);
  if (typeof served === "number") return lane(served);
  return move.kind === "take" ? { kind: "board", name: "" } : null;
}

const isSame = (one: LessonTarget | null, other: LessonTarget | null): boolean => one?.kind === other?.kind && one?.name === other?.name;

/** `taken`: the pieces that the first move takes from the supply. */
export function hintPlaces(advice: Advice, own: SeatView | undefined, taken: readonly string[] = []): HintPlaces {
  const steps: HintStep[] = [];
  let begun = own?.coatls.length ?? 0;
  for (const move of advice.moves) {
    const from = sourceOf(move);
    if (from) steps.push({ from, nth: steps.filter((step) => isSame(step.from, from)).length, to: targetOf(move, advice, begun) });
    if (move.kind === "begin") begun += 1;
  }
  const used = new Set(advice.moves.map(({ card }) => card));
  const named = (advice.facts ?? []).flatMap(({ card }) => (card && !used.has(card) ? [card] : []));
  const ghosts = taken.length ? takenGhosts(advice, own, taken) : addedGhosts(advice.moves, own);
  return { steps, ghosts, cards: [...new Set(named)] };
}

/** What is added, Cóatl by Cóatl. */
function addedGhosts(moves: readonly Move[], own: SeatView | undefined): HintGhosts[] {
  const found = new Map<number, { coatl: number; left: string[]; right: string[] }>();
  let begun = own?.coatls.length ?? 0;
  for (const { kind, coatl, side, pieces = [] } of moves) {
    if (kind !== "add" && kind !== "begin") continue;
    const at = kind === "begin" ? begun++ : (coatl ?? 0);
    const ends = found.get(at) ?? { coatl: at, left: [], right: [] };
    found.set(at, ends);
    (side === "left" ? ends.left : ends.right).push(...pieces);
  }
  return [...found.values()];
}

/** Of what is taken, the piece that goes next to the Cóatl for the card that a fact names, or the end that it lacks. */
function takenGhosts({ facts = [] }: Advice, own: SeatView | undefined, taken: readonly string[]): HintGhosts[] {
  for (const { kind, coatl, card, pieces = [] } of facts) {
    const served = typeof coatl === "number" ? own?.coatls[coatl] : undefined;
    if (!served || typeof coatl !== "number") continue;
    if (kind === "end") return [endOn(coatl, pieces[0] ?? "")];
    const [left = "", right = ""] = kind === "nearer" && card ? (progressOn(served, card)?.lacks ?? []) : [];
    if (right && taken.includes(right.charAt(0))) return [{ coatl, left: [], right: [right.charAt(0)] }];
    if (left && taken.includes(left.slice(-1))) return [{ coatl, left: [left.slice(-1)], right: [] }];
  }
  return [];
}

const endOn = (coatl: number, piece: string): HintGhosts =>
  piece.startsWith("<") ? { coatl, left: [piece], right: [] } : { coatl, left: [], right: [piece] };
