/** What is to be said of an opponent besides the name: turn, bot (or who stands in for it), away, gave up. */

import { bots } from "./bots.svelte";
import { lastTurns } from "./finalturns";
import { botName } from "./names";
import type { TableState, ViewData } from "./protocol";
import { m } from "../paraglide/messages";

/** Whose turn comes after this one; null: nobody's, the game ends with it. */
function nextSeat(view: ViewData): number | null {
  if (view.to_move === null) return null;
  const last = lastTurns(view);
  if (last.length) return last.find(({ state }) => state === "fut")?.seat ?? null;
  return (view.to_move + 1) % view.players;
}

export function presenceOf(state: TableState, view: ViewData, seat: number, connected: readonly boolean[]): string[] {
  const place = state.seating[seat] ?? seat;
  const info = state.places[place];
  const words: string[] = [];
  if (view.to_move === seat) words.push(m.plays_now());
  else if (view.players > 2 && nextSeat(view) === seat) words.push(m.plays_next());
  if (!info) return words;
  if (info.gave_up) words.push(m.gave_up());
  if (info.kind === "bot" && info.name) words.push(m.is_bot({ bot: botName(info.bot ?? "") }));
  else if (info.bot && info.kind !== "bot") words.push(m.bot_plays_for());
  else if (info.kind !== "bot" && !connected[place]) words.push(m.is_reconnecting());
  else if (info.kind !== "bot") words.push(m.is_there());
  if (info.bot && bots.find(info.bot)?.stand_in) words.push(m.bot_stand_in_short());
  return words;
}
