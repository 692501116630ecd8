/** A recorded game as a line of steps: which were taken back, where turns end, where to go next. */

import type { ReplayMove, ReplayOverview } from "./protocol";

export interface Bar {
  /** the step that the decision leads to; 0 is the setup */
  readonly step: number;
  readonly move: ReplayMove;
  /** taken back later, or the taking back itself */
  readonly undone: boolean;
}

/** One bar a decision. An `undo` takes back the last decision that still stands. */
export function bars(moves: readonly ReplayMove[]): Bar[] {
  const undone = new Set<number>();
  const standing: number[] = [];
  moves.forEach((move, at) => {
    if (move.kind !== "undo") standing.push(at);
    else undone.add(at).add(standing.pop() ?? at);
  });
  return moves.map((move, at) => ({ step: at + 1, move, undone: undone.has(at) }));
}

/** The decisions that stand in the end. */
export const standing = (moves: readonly ReplayMove[]): ReplayMove[] =>
  bars(moves).filter((bar) => !bar.undone).map((bar) => bar.move);

export const clampStep = (step: number, moves: readonly unknown[]): number =>
  Math.max(0, Math.min(moves.length, Math.round(step)));

/** Where the next or the last turn ends, from a step: the setup counts as one turn. */
export function turnStep(moves: readonly ReplayMove[], step: number, way: 1 | -1): number {
  const isEnd = (at: number) => at === 0 || moves[at - 1]?.turn !== moves[at]?.turn;
  let at = clampStep(step + way, moves);
  while (at > 0 && at < moves.length && !isEnd(at)) at += way;
  return at;
}

export type Go = "back" | "on" | "turn_back" | "turn_on" | "first" | "last";

export function goTo(moves: readonly ReplayMove[], step: number, go: Go): number {
  switch (go) {
    case "back": return clampStep(step - 1, moves);
    case "on": return clampStep(step + 1, moves);
    case "turn_back": return turnStep(moves, step, -1);
    case "turn_on": return turnStep(moves, step, 1);
    case "first": return 0;
    case "last": return moves.length;
  }
}

const KEYS: Readonly<Record<string, Go>> = {
  ArrowLeft: "back", ArrowRight: "on", ArrowUp: "turn_back", ArrowDown: "turn_on",
  PageUp: "turn_back", PageDown: "turn_on", Home: "first", End: "last",
};

export const keyGo = (key: string): Go | undefined => KEYS[key];

/** The step under a pointer: `part` of the width, 0 at the left. */
export const stepAt = (part: number, moves: readonly unknown[]): number =>
  clampStep(Math.ceil(part * moves.length), moves);

/** Where a step is drawn, as a part of the width: in the middle of its bar. */
export const partOf = (step: number, moves: readonly unknown[]): number =>
  step === 0 || !moves.length ? 0 : (step - 0.5) / moves.length;

/** Numbers of turns to be written below: each tenth, where it begins. */
export function turnMarks(moves: readonly ReplayMove[], every = 10): { turn: number; part: number }[] {
  const found: { turn: number; part: number }[] = [];
  moves.forEach((move, at) => {
    const due = (found.at(-1)?.turn ?? 0) + every;
    if (move.turn >= due) found.push({ turn: move.turn - (move.turn % every), part: partOf(at + 1, moves) });
  });
  return found;
}

/** The points of one column over time, as a stair in a box of `moves.length` by `most`. */
export function stair(points: readonly number[], most: number): string {
  let path = `M0 ${most}`;
  points.forEach((value, at) => {
    if (value !== (points[at - 1] ?? 0)) path += `H${at + 0.5}V${most - value}`;
  });
  return `${path}H${points.length}`;
}

export const columnOf = (moves: readonly ReplayMove[], column: number): number[] =>
  moves.map((move) => move.points[column] ?? 0);

/** The upper end of the scale: the next full ten. */
export const scaleOf = (moves: readonly ReplayMove[]): number =>
  Math.max(10, Math.ceil(Math.max(0, ...moves.flatMap((move) => [...move.points])) / 10) * 10);

/** Columns of points: one a seat, and in solo A.D.A.M. */
export const columns = (overview: ReplayOverview): number[] =>
  Array.from({ length: Math.max(2, overview.players) }, (_, at) => at);
