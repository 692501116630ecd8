/** What a screen is called: in the title of the window, and as its heading for those who listen. */

import { device } from "./device.svelte";
import { headline } from "./ending";
import { placeName } from "./names";
import type { ReplayOverview, TableState } from "./protocol";
import { columnName, tableOf } from "./replaying";
import { headed } from "./spoken/joined";
import { botFor } from "./standin";
import { m } from "../paraglide/messages";

const GAME = "Cóatl";

/** "Your turn · Cóatl"; without a name of the screen, the game's. */
export const windowTitle = (screen = ""): string => (screen ? `${screen} · ${GAME}` : GAME);

/** Is a person at this device to decide? */
export function isYourTurn(state: TableState): boolean {
  const toMove = state.view?.to_move ?? null;
  return state.status === "playing" && toMove !== null && toMove === state.seat && botFor(state) === null;
}

/** A table: that it waits, whose turn it is, or how it ended. */
export function tableTitle(state: TableState): string {
  if (state.status === "waiting") return m.waiting_heading();
  if (state.status === "over") return m.title_end({ text: headline(state) });
  if (isYourTurn(state) && !device.shared) return state.view?.phase === "setup" ? m.table_your_setup() : m.title_your_turn();
  const seat = state.view?.to_move ?? null;
  return m.title_turn_of({ name: seat === null ? m.adam() : placeName(state, state.seating[seat] ?? seat) });
}

/** A replay: who played. */
export function replayTitle(overview: ReplayOverview | null): string {
  if (!overview) return m.replay();
  const table = tableOf(overview);
  return headed(m.replay(), table.places.map((_, at) => columnName(table, at)).join(", "));
}
