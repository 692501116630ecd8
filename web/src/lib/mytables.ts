/** The tables this browser has seats at: what they are now, and which are gone. */

import { ApiError, myTables, readTable } from "./api";
import type { TableState, TableSummary } from "./protocol";
import { forgetSeats, type HeldSeat } from "./seats";

export interface MyTable {
  readonly summary: TableSummary;
  /** how the table looks from your seat; null if it was not asked for */
  readonly state: TableState | null;
  /** how many seats there are this browser's */
  readonly seats: number;
}

const AT_ONCE = 50;
const LOOKED_AT = 8;
const ORDER = { playing: 1, waiting: 2, over: 3 } as const;

/** Your turn first, then what goes on, what waits, what is over; the newest first in each. */
export function sortTables(tables: readonly TableSummary[]): TableSummary[] {
  const rank = (one: TableSummary) => (one.your_turn ? 0 : ORDER[one.status]);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.created - a.created);
}

/** One line a table; where several tokens of this browser open it, the one whose turn it is. */
export function oncePerTable(tables: readonly TableSummary[]): TableSummary[] {
  const found = new Map<string, TableSummary>();
  for (const one of tables) {
    const known = found.get(one.table);
    if (!known || (one.your_turn && !known.your_turn)) found.set(one.table, one);
  }
  return [...found.values()];
}

const GONE = ["unknown_table", "bad_token"];

/** Tables that the server does not know any more are forgotten here too; those that are as they were (`before`) are not looked at again. */
export async function findTables(seats: readonly HeldSeat[], before: readonly MyTable[] = []): Promise<{ tables: MyTable[]; gone: number }> {
  const tokens = [...new Set(seats.map((seat) => seat.token))];
  const found: TableSummary[] = [];
  for (let at = 0; at < tokens.length; at += AT_ONCE) {
    found.push(...(await myTables(tokens.slice(at, at + AT_ONCE))).tables);
  }
  const held = new Map([...seats].reverse().map((seat) => [seat.table, seat.token] as const));
  const tables = sortTables(oncePerTable(found).filter((one) => held.has(one.table)));
  const known = new Set(tables.map((one) => one.table));
  let gone = 0;
  for (const [table, token] of held) {
    if (known.has(table) || !(await isGone(table, token))) continue;
    forgetSeats([table]);
    gone += 1;
  }
  const states = await Promise.all(
    tables.map((one, at) => {
      if (at >= LOOKED_AT || one.status === "over") return null;
      return stateOf(one, before) ?? lookAt(one.table, held.get(one.table) ?? "");
    }),
  );
  const mine = (table: string) => seats.filter((seat) => seat.table === table).length;
  return { tables: tables.map((summary, at) => ({ summary, state: states[at] ?? null, seats: mine(summary.table) })), gone };
}

/** How a table looked that is as it was. */
function stateOf(summary: TableSummary, before: readonly MyTable[]): TableState | null {
  const known = before.find((one) => one.summary.table === summary.table);
  return known && JSON.stringify(known.summary) === JSON.stringify(summary) ? known.state : null;
}

async function isGone(table: string, token: string): Promise<boolean> {
  try {
    await readTable(table, token);
    return false;
  } catch (error) {
    return error instanceof ApiError && GONE.includes(error.code);
  }
}

async function lookAt(table: string, token: string): Promise<TableState | null> {
  try {
    return await readTable(table, token);
  } catch {
    return null;
  }
}
