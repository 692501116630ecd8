/** The course of a recorded game: where its steps lie on an axis of turns, and the points along it. */

import { bars, clampStep } from "./timeline";
import type { ReplayMove } from "./protocol";

export interface Axis {
  /** the turn it begins with; the setup is turn 0 */
  readonly first: number;
  /** in turns */
  readonly length: number;
  /** by step, the first at 0: where it begins, from the axis' beginning, and how long it is */
  readonly steps: readonly { readonly from: number; readonly length: number }[];
}

/**
 * All turns are equally long, and the steps of one share its length. A turn without steps (A.D.A.M.'s)
 * belongs to the one before.
 */
export function turnAxis(moves: readonly ReplayMove[]): Axis {
  const turns = [...new Set(moves.map((move) => move.turn))].sort((a, b) => a - b);
  const first = turns[0] ?? 0;
  const end = (turns.at(-1) ?? 0) + 1;
  const count = new Map<number, number>();
  const places = moves.map(({ turn }) => {
    count.set(turn, (count.get(turn) ?? 0) + 1);
    return { turn, at: count.get(turn)! - 1 };
  });
  const steps = places.map(({ turn, at }) => {
    const length = ((turns[turns.indexOf(turn) + 1] ?? end) - turn) / (count.get(turn) ?? 1);
    return { from: turn - first + at * length, length };
  });
  return { first, length: end - first, steps };
}

/** The step under a pointer: `part` of the width, 0 at the left. */
export function stepAt(part: number, axis: Axis): number {
  const at = part * axis.length;
  if (at <= 0) return 0;
  const found = axis.steps.findIndex(({ from, length }) => from < at && at <= from + length);
  return clampStep(found < 0 ? axis.steps.length : found + 1, axis.steps);
}

/** Where a step is drawn: in the middle of its bar. */
function middle(step: number, { steps }: Axis): number {
  const bar = steps[step - 1];
  return bar ? bar.from + bar.length / 2 : 0;
}

/** The same as a part of the width. */
export const partOf = (step: number, axis: Axis): number => middle(step, axis) / axis.length;

/** Numbers of turns to be written below: each tenth, where it begins. */
export function turnMarks({ first, length }: Axis, every = 10): { turn: number; part: number }[] {
  const found: { turn: number; part: number }[] = [];
  for (let turn = every * (Math.floor(first / every) + 1); turn < first + length; turn += every) {
    found.push({ turn, part: (turn - first) / length });
  }
  return found;
}

/** The points of one column as a stair in a box of the axis' length by `most`. What was taken back leaves no trace. */
export function stair(moves: readonly ReplayMove[], axis: Axis, column: number, most: number): string {
  let path = `M0 ${most}`;
  let last = 0;
  for (const { step, move, undone } of bars(moves)) {
    const value = move.points[column] ?? 0;
    if (undone || value === last) continue;
    path += `H${Number(middle(step, axis).toFixed(3))}V${most - value}`;
    last = value;
  }
  return `${path}H${axis.length}`;
}

/** The upper end of the scale: the next full ten. */
export function scaleOf(moves: readonly ReplayMove[]): number {
  const points = bars(moves).flatMap(({ move, undone }) => (undone ? [] : [...move.points]));
  return Math.max(10, Math.ceil(Math.max(0, ...points) / 10) * 10);
}
