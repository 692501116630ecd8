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

/** Columns of points: one a seat, and in solo A.D.A.M. */
export const columns = (overview: ReplayOverview): number[] =>
  Array.from({ length: Math.max(2, overview.players) }, (_, at) => at);
