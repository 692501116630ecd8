/** Who is who at a table, in words. */

import { bots } from "./bots.svelte";
import { device } from "./device.svelte";
import type { TableState, TableSummary } from "./protocol";
import { parsePiece } from "../parts/pieces";
import { m } from "../paraglide/messages";

/** What a bot is called; one of somebody else's keeps its name. */
export const botName = (bot: string): string => bots.title(bot);

export function placeName(state: TableState, place: number): string {
  const info = state.places[place];
  if (!info) return m.adam();
  if (info.name) return info.name;
  if (!info.bot) return m.seat_number({ number: place + 1 });
  const name = botName(info.bot);
  return state.places.filter((other) => !other.name && other.bot === info.bot).length > 1 ? `${name} ${place + 1}` : name;
}

/** In a list of tables, by place: a name; what a bot without one is called; or nobody's. */
export const listedNames = ({ names, bots: playing = [] }: Pick<TableSummary, "names" | "bots">): string[] =>
  names.map((name, place) => {
    if (!name) return m.seat_number({ number: place + 1 });
    return playing[place] === name ? botName(name) : name;
  });

const firstLetter = (name: string): string => ([...name.trim()][0] ?? "").toLocaleUpperCase();

/**
 * What stands for a place where there is no room for its name: the first letter of the name, or the
 * number of the place where it has none or shares its letter.
 */
export function placeLetter(state: TableState, place: number): string {
  if (!state.places[place]) return ""; // A.D.A.M. has a sign: an A might be taken for Ana
  const letters = state.places.map(({ name, bot }) => firstLetter(name || botName(bot ?? "")));
  const letter = letters[place];
  return letter && letters.filter((other) => other === letter).length === 1 ? letter : String(place + 1);
}

/** The same, by the seat in the game; -1 is A.D.A.M. */
export const seatLetter = (state: TableState, seat: number): string =>
  placeLetter(state, seat < 0 ? state.places.length : (state.seating[seat] ?? seat));

/** Is it the reader, and nobody else, who sits there? */
export const isYou = (state: TableState, seat: number | null | undefined): boolean =>
  seat !== null && seat !== undefined && seat === state.seat && !device.shared;

/** The same by the place at the table. */
export const isYourPlace = (state: TableState, place: number): boolean => place === state.place && !device.shared;

export function seatName(state: TableState, seat: number | null | undefined): string {
  if (seat === null || seat === undefined) return m.adam();
  if (isYou(state, seat)) return m.you();
  return placeName(state, state.seating[seat] ?? seat);
}

/** ``<K`` is "black head": whole phrases, so that the colour agrees with its piece in every language. */
export function pieceName(piece: string): string {
  const { kind, colour } = parsePiece(piece);
  return ({ h: m.piece_head, b: m.piece_body, t: m.piece_tail })[kind]({ colour });
}
