/** The last turns: who has had theirs, who plays, who comes. Only counted, from what the view says. */

import type { ViewData } from "./protocol";

export interface LastTurn {
  readonly seat: number;
  readonly state: "was" | "cur" | "fut";
}

/** In the order of play: the one who ended it (or whose turn it was), the one who plays, those to come. */
export function lastTurns(view: ViewData): LastTurn[] {
  const { end, to_move: now, turns_left: left, players } = view;
  if (!end || now === null || left === null || left === undefined) return [];
  const later = Array.from({ length: Math.min(left, 2 * players) }, (_, i) => (now + 1 + i) % players);
  const trigger = view.trigger ?? null;
  const before: LastTurn[] = [];
  if (trigger !== null)
    for (let seat = trigger; seat !== now; seat = (seat + 1) % players) before.push({ seat, state: "was" });
  return [...before, { seat: now, state: "cur" }, ...later.map((seat) => ({ seat, state: "fut" as const }))];
}
