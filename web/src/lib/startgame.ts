/** A game of one's own in one press: the base game against one bot. */

import { ApiError, openTable } from "./api";
import { randomHex } from "./connection";
import { keepOpened } from "./opened";
import { tableAddress } from "./route";
import { holdSeat } from "./seats";
import { settings } from "./settings.svelte";

/** The bot for a first game. */
export const EASIEST = "novice";

/** Opens the table and goes there; returns the code of what went wrong, or nothing. */
export async function playAgainst(bot: string): Promise<string> {
  const { name } = settings.now;
  try {
    const { table, seats, promise, owner, watch, invite } = await openTable({ places: [{ kind: "person", name }, { kind: "bot", name: "", bot }] });
    holdSeat({ table, token: seats[0] ?? "", role: "seat", nonce: randomHex(32), promise, owner, name, at: Date.now() });
    keepOpened({ table, owner, watch, invite, links: [] });
    location.hash = tableAddress(table);
    return "";
  } catch (error) {
    return error instanceof ApiError ? error.code : "internal";
  }
}
