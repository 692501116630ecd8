/** Who is who at a table, in words. */

import { bots } from "./bots.svelte";
import type { TableState } from "./protocol";
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

/** Is it the reader who sits there? */
export const isYou = (state: TableState, seat: number | null | undefined): boolean =>
  seat !== null && seat !== undefined && seat === state.seat;

export function seatName(state: TableState, seat: number | null | undefined): string {
  if (seat === null || seat === undefined) return m.adam();
  if (isYou(state, seat)) return m.you();
  return placeName(state, state.seating[seat] ?? seat);
}

const PIECES: Record<string, () => string> = {
  K: m.colour_k, R: m.colour_r, B: m.colour_b, Y: m.colour_y, G: m.colour_g,
};

export const colourName = (letter: string): string => (PIECES[letter] ?? m.colour_any)();

/** ``<K`` is "black head". */
export function pieceName(piece: string): string {
  const colour = colourName(piece.replace(/[<>]/g, ""));
  if (piece.startsWith("<")) return m.piece_head({ colour });
  return piece.endsWith(">") ? m.piece_tail({ colour }) : m.piece_body({ colour });
}
