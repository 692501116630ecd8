/** The end of a turn in which nothing is left to choose: the page sends its `done` by itself. */

import { cards } from "./cards.svelte";
import type { TableState } from "./protocol";
import { botFor } from "./standin";

/**
 * After a player's last Cóatl is complete, only `done` is left of the turn, as everybody can see. While it
 * is being completed `done` is a decision like others: not even a pause may tell what is in a hand (H1).
 */
export function isTurnOver(state: TableState): boolean {
  const { view, seat } = state;
  if (!view || seat === null || view.to_move !== seat || view.phase !== "assemble" || botFor(state) !== null) return false;
  const complete = view.seats[seat]?.coatls.filter((coatl) => coatl.complete).length;
  return complete === cards.numbers.coatls && view.moves.length === 1 && view.moves[0]?.kind === "done";
}
