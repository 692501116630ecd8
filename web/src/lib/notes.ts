/** The log with what happened at the table outside the game: bots took over, people came back, gave up or had a hint. */

import { placeName } from "./names";
import type { GameEvent, NoteInfo, TableState } from "./protocol";
import { beginOfSearch, tell, type Line } from "./telling";
import { plain, rich } from "./words";
import { m } from "../paraglide/messages";

/** Each note stands between the events before and after which it was made. */
export function tellWithNotes(state: TableState, log: readonly GameEvent[]): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const note of state.notes ?? []) {
    const at = note.events ?? 0;
    if (at > log.length) break; // not told yet
    lines.push(...tell(state, log.slice(from, at), turnAt(log, from)), noteLine(state, note, turnAt(log, at)));
    from = at;
  }
  return [...lines, ...tell(state, log.slice(from), turnAt(log, from))];
}

/** How much of a log was told already. */
export interface ToldSoFar {
  readonly events: number;
  readonly notes: number;
}

/** What is new in a log, in the same words. A search of A.D.A.M.'s that goes on is told when it has ended. */
export function tellNews(state: TableState, log: readonly GameEvent[], before: ToldSoFar): { lines: Line[]; told: ToldSoFar } {
  const fresh = log.slice(before.events);
  const to = before.events + beginOfSearch(fresh);
  const notes = (state.notes ?? []).filter(({ events = 0 }) => events <= to);
  const news = { ...state, notes: notes.slice(before.notes).map((note) => ({ ...note, events: Math.max(0, (note.events ?? 0) - before.events) })) };
  const lines = tellWithNotes(news, log.slice(before.events, to));
  return { lines, told: { events: Math.max(before.events, to), notes: Math.max(before.notes, notes.length) } };
}

const turnAt = (log: readonly GameEvent[], at: number): number | null =>
  log.slice(0, at).findLast((event) => event.kind === "turn")?.turn ?? null;

function noteLine(state: TableState, note: NoteInfo, turn: number | null): Line {
  const who = note.place === state.place ? "you" : "they";
  const name = who === "you" ? m.you() : placeName(state, note.place);
  const parts = rich((slot) => {
    const named = { who, name: slot({ name }) };
    if (note.kind === "give_up") return m.note_give_up(named);
    if (note.kind === "back") return m.note_back(named);
    if (note.kind === "hint") return m.note_hint(named);
    if (note.kind === "bot_failed") return m.note_bot_failed({ name: slot({ name: placeName(state, note.place) }) });
    return note.text === "owner" ? m.note_hand_owner({ name: slot({ name: placeName(state, note.place) }) }) : m.note_hand(named);
  });
  return { turn, seat: state.seating.indexOf(note.place), kind: "note", parts, text: plain(parts), notation: "" };
}
