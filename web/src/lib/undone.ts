/** Which events of a log were taken back: the decisions, what followed from them, and the taking back. */

import type { GameEvent } from "./protocol";

export interface Stretch {
  readonly undone: boolean;
  readonly events: readonly GameEvent[];
}

interface Range {
  readonly from: number;
  readonly to: number; // the last one
}

/**
 * A log in stretches that stand and stretches that were taken back, one after another. An `undo` takes
 * back the last decision that still stands; where that is not in the log it is told by itself.
 */
export function stretches(log: readonly GameEvent[]): Stretch[] {
  const found: Stretch[] = [];
  let next = 0;
  const add = (undone: boolean, from: number, to: number): void => {
    if (from < to) found.push({ undone, events: log.slice(from, to) });
  };
  for (const { from, to } of ranges(log)) {
    add(false, next, from);
    add(true, from, to + 1);
    next = to + 1;
  }
  add(false, next, log.length);
  return found;
}

function ranges(log: readonly GameEvent[]): Range[] {
  const standing: number[] = [];
  const found: Range[] = [];
  log.forEach((event, at) => {
    if (event.kind === "move") standing.push(at);
    const from = event.kind === "undo" ? standing.pop() : undefined;
    if (from === undefined) return;
    while (found.length && found.at(-1)!.from > from) found.pop(); // they are part of this one
    const last = found.at(-1);
    if (last && last.to === from - 1 && log[last.to]?.seat === event.seat) found.splice(-1, 1, { from: last.from, to: at });
    else found.push({ from, to: at });
  });
  return found;
}
