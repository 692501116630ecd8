/** Opens a table as a form says, takes the seats of this browser there, and goes to it. */

import { ApiError, openTable } from "./api";
import { bots } from "./bots.svelte";
import { randomHex } from "./connection";
import { requestOf, shareTokens, type GameForm, type Games } from "./newgame";
import { keepOpened } from "./opened";
import { problemText } from "./problems";
import { tableAddress } from "./route";
import { holdSeat } from "./seats";

/** Why it could not be opened, in words; empty: it was. */
export async function openAndSit(form: GameForm, games: Games): Promise<string> {
  try {
    const opened = await openTable(requestOf(form, games, bots.suggested || undefined));
    const { mine, links } = shareTokens(form, opened);
    for (const { token, name } of mine.reverse()) {
      const seat = { table: opened.table, token, role: "seat" as const, nonce: randomHex(32) };
      holdSeat({ ...seat, promise: opened.promise, owner: opened.owner, name, at: Date.now() });
    }
    const { table, owner, watch, invite } = opened;
    keepOpened({ table, owner, watch, invite, links });
    location.hash = tableAddress(table);
    return "";
  } catch (error) {
    return problemText(error instanceof ApiError ? error.code : "internal");
  }
}
