/** In which groups of the table there is something to do now, as the legal moves say. */

import type { Choices } from "./choices";
import type { Group } from "./roving";

/** What it has to know of the table. */
export interface Situation {
  readonly choices: Choices;
  /** are the cards for the start being chosen? */
  readonly keeping: boolean;
  /** is a step of the turn made in a sheet? */
  readonly inSheet: boolean;
}

/** The best first; none while others play. */
export function nextChoices({ choices, keeping, inSheet }: Situation): Group[] {
  if (keeping) return ["hand"];
  const { takes, picks, draw, begins, adds, lays, temples, drops, done, pass } = choices;
  const all: [Group, unknown][] = [
    ["supply", takes.size],
    ["market", picks.size || draw],
    ["board", begins.size || adds.size],
    [inSheet ? "sheet-hand" : "hand", lays.size || drops.size],
    ["sheet-temples", temples.length],
    ["end", done ?? pass ?? inSheet],
  ];
  return all.flatMap(([group, isThere]) => (isThere ? [group] : []));
}
