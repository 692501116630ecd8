/** Bots that play for people: at which places, and whether the person may take over again. */

import type { TableState } from "./protocol";

/** The bot that plays for the person of a place, yours if none is named; null: nobody does. */
export function botFor(state: TableState, place: number | null = state.place): string | null {
  const info = place === null ? undefined : state.places[place];
  return info?.kind === "person" ? (info.bot ?? null) : null;
}

/** Does a bot play for somebody who has not given up? */
export const hasStandIn = (state: TableState, place: number | null = state.place): boolean =>
  state.status === "playing" && botFor(state, place) !== null && !state.places[place ?? 0]?.gave_up;

/** May the person take over again? Not who gave up, and not who has asked for it already. */
export const mayTakeOver = (state: TableState, place: number | null = state.place): boolean =>
  hasStandIn(state, place) && !state.places[place ?? 0]?.returns;
