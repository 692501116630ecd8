/** The last turns: who has had theirs, who plays, who comes; as the server says. */

import { isYou, seatName } from "./names";
import type { TableState, ViewData } from "./protocol";
import { m } from "../paraglide/messages";

export interface LastTurn {
  readonly seat: number;
  readonly state: "was" | "cur" | "fut";
}

/** In the order of play: those since the one who ended it, the one who plays, those to come. */
export function lastTurns({ turns, view }: Pick<TableState, "turns" | "view">): LastTurn[] {
  if (!turns || !view?.end || view.to_move === null) return [];
  const as = (seats: readonly number[], state: LastTurn["state"]) => seats.map((seat) => ({ seat, state }));
  return [...as(turns.had ?? [], "was"), ...as([view.to_move], "cur"), ...as(turns.to_come, "fut")];
}

/** Are these the last turns? A solo game ends at once. */
export const isFinal = (state: TableState, view: ViewData): boolean =>
  Boolean(view.end) && state.status === "playing" && view.players > 1;

/** Will whoever is to move have no other turn? */
export const isLastTurn = (state: TableState, view: ViewData): boolean =>
  isFinal(state, view) && view.to_move !== null && !(state.turns?.to_come ?? []).includes(view.to_move);

/** Why the last turns have come. */
export function finalCause(state: TableState, view: ViewData): string {
  if (view.end !== "third" || view.trigger === null || view.trigger === undefined) return m.final_no_bodies();
  return m.final_by({ name: seatName(state, view.trigger), who: isYou(state, view.trigger) ? "you" : "they" });
}
