/** Playing on from a step of a replay: a practice table with bots in the other seats. */

import { ApiError, openTable, replayPosition } from "./api";
import { bots } from "./bots.svelte";
import { randomHex } from "./connection";
import { keepOpened } from "./opened";
import { problemText } from "./problems";
import type { NewTable, ReplayOverview } from "./protocol";
import { BOT } from "./replaying";
import { tableAddress } from "./route";
import { holdSeat } from "./seats";

/** The table to be opened: somebody plays one seat; whoever sat elsewhere is a bot now. */
export function practiceTable(position: string, overview: ReplayOverview, seat: number, suggested: string): NewTable {
  const places = Array.from({ length: overview.players }, (_, at) => {
    const name = overview.seats[at] ?? "";
    if (at === seat) return { kind: "person" as const, name: name.startsWith(BOT) ? "" : name };
    return { kind: "bot" as const, name: "", bot: name.startsWith(BOT) ? name.slice(BOT.length) : suggested };
  });
  return { places, practice: { position } };
}

/** Opens the table and goes there; why it could not be opened, in words, or nothing. */
export async function playOn(record: string, step: number, overview: ReplayOverview, seat: number): Promise<string> {
  try {
    const { position } = await replayPosition(record, step);
    const opened = await openTable(practiceTable(position, overview, seat, bots.suggested || "planner"));
    const { table, owner, watch, invite } = opened;
    const name = overview.seats[seat] ?? "";
    holdSeat({ table, token: opened.seats[seat] ?? "", role: "seat", nonce: randomHex(32), promise: opened.promise, owner, name: name.startsWith(BOT) ? "" : name, at: Date.now() });
    keepOpened({ table, owner, watch, invite, links: [] });
    location.hash = tableAddress(table);
    return "";
  } catch (error) {
    return problemText(error instanceof ApiError ? error.code : "internal");
  }
}
