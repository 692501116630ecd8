/** Who is who at a table, in words. */

import { bots } from "./bots.svelte";
import type { TableState } from "./protocol";
import { parsePiece } from "../parts/pieces";
import { m } from "../paraglide/messages";

/** What a bot is called; one of somebody else's keeps its name. */
export const botName = (bot: string): string => bots.title(bot);

export function placeName(state: TableState, place: number): string {
  const info = state.places[place];
  if (!info) return m.adam();
  if (info.name) return info.name;
  if (!info.bot) return m.seat_number({ number: place + 1 });
  const name = m.bot_named({ name: botName(info.bot) });
  return state.places.filter((other) => !other.name && other.bot === info.bot).length > 1 ? `${name} ${place + 1}` : name;
}

/** What stands in for a place where there is no room for its name. */
export function placeLetter(state: TableState, place: number): string {
  const info = state.places[place];
  if (!info) return ""; // A.D.A.M. has a sign: an A might be taken for Ana
  return info.name ? placeName(state, place).slice(0, 1) : String(place + 1);
}

/** The same, by the seat in the game; -1 is A.D.A.M. */
export const seatLetter = (state: TableState, seat: number): string =>
  placeLetter(state, seat < 0 ? state.places.length : (state.seating[seat] ?? seat));

export function seatName(state: TableState, seat: number | null | undefined): string {
  if (seat === null || seat === undefined) return m.adam();
  if (seat === state.seat) return m.you();
  return placeName(state, state.seating[seat] ?? seat);
}

/** ``<K`` is "black head": whole phrases, so that the colour agrees with its piece in every language. */
export function pieceName(piece: string): string {
  const { kind, colour } = parsePiece(piece);
  return ({ h: m.piece_head, b: m.piece_body, t: m.piece_tail })[kind]({ colour });
}
