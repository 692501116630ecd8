/** A record in words: who played, what a step was, what is wrong with a file. */

import { placeName } from "./names";
import { problemText } from "./problems";
import type { GameEvent, ReplayMove, ReplayOverview, TableState } from "./protocol";
import type { Trouble } from "./replay.svelte";
import { tell } from "./telling";
import type { Part } from "./words";
import { m } from "../paraglide/messages";

/** What a record puts before the name of a bot. */
export const BOT = "bot:";

/** The record's seats as a table, for whatever tells names. */
export function tableOf(overview: ReplayOverview): TableState {
  const places = Array.from({ length: overview.players }, (_, at) => {
    const name = overview.seats[at] ?? "";
    const bot = name.startsWith(BOT) ? name.slice(BOT.length) : null;
    return { kind: "person" as const, name: bot ? "" : name, bot, ready: true, connected: true };
  });
  return {
    type: "state", table: "", version: 0, status: "over", place: null, seat: null, places,
    seating: places.map((_, at) => at), promise: "", can_undo: false, events: [], first_event: 0, view: null,
  };
}

/** The name of a column of points: a seat, or A.D.A.M. */
export const columnName = (table: TableState, column: number): string => placeName(table, column);

export function resultText(overview: ReplayOverview, table: TableState): string {
  if (!overview.over) return m.replay_unfinished();
  const names = overview.winners?.map((seat) => columnName(table, seat)) ?? [];
  const score = [...(overview.moves.at(-1)?.points ?? [])].sort((a, b) => b - a).join(" : ");
  return names.length > 1 ? m.replay_shared({ names: names.join(", "), score }) : m.replay_won({ name: names[0] ?? "", score });
}

/** What a decision did, in sentences. */
export function moveLines(table: TableState, move: ReplayMove | undefined, events: readonly GameEvent[]): (readonly Part[])[] {
  if (!move) return [[{ text: m.replay_begin() }]];
  const lines = tell(table, events).map((line) => line.parts);
  return lines.length ? lines : [[{ text: m.replay_done({ name: columnName(table, move.seat) }) }]];
}

const KINDS: Record<ReplayMove["kind"], () => string> = {
  setup: m.kind_setup, take: m.kind_take, choose: m.kind_choose, assemble: m.kind_assemble,
  complete: m.kind_complete, token: m.kind_token, pass: m.kind_pass, undo: m.kind_undo,
};
export const kindName = (kind: ReplayMove["kind"]): string => KINDS[kind]();

export function troubleText({ code, line }: Trouble): string {
  if (code === "bad_record") return line !== null && line > 1 ? m.replay_broken({ line }) : m.replay_not_record();
  if (code === "too_large") return m.replay_too_large();
  return problemText(code);
}
