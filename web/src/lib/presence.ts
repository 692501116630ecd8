/** Who is there, and what is to be said of an opponent besides the name: turn, bot (or who stands in for it), away, gave up. */

import { bots } from "./bots.svelte";
import { LESSON_TABLE } from "./lesson/path";
import { botName } from "./names";
import type { TableState, ViewData } from "./protocol";
import { m } from "../paraglide/messages";

/** Before the game: has somebody taken the place? Then: is somebody connected there? */
export const isHere = (state: TableState, place: number, connected: readonly boolean[]): boolean =>
  (state.status === "waiting" ? state.places[place]?.ready : connected[place]) ?? false;

export function presenceOf(state: TableState, view: ViewData, seat: number, connected: readonly boolean[]): string[] {
  const place = state.seating[seat] ?? seat;
  const info = state.places[place];
  const words: string[] = [];
  if (view.to_move === seat) words.push(m.plays_now());
  else if (view.players > 2 && state.turns?.to_come[0] === seat) words.push(m.plays_next());
  if (!info) return words;
  if (info.gave_up) words.push(m.gave_up());
  if (state.table === LESSON_TABLE) return words; // the coach is no bot to a learner
  if (info.kind === "bot") words.push(info.name ? m.is_bot({ bot: botName(info.bot ?? "") }) : m.a_bot());
  else if (info.bot) words.push(m.bot_plays_for());
  else if (!connected[place]) words.push(m.is_reconnecting());
  else words.push(m.is_there());
  if (info.bot && bots.find(info.bot)?.stand_in) words.push(m.bot_stand_in_short());
  return words;
}
