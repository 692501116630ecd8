/** Finished games that the server still has and this browser has not kept: those of earlier versions, or ended elsewhere. */

import { myTables, readTable } from "./api";
import { oncePerTable } from "./mytables";
import { ownPlace, summaryOf, type FinishedGame } from "./mygames";
import { isNew } from "./mygameskept";
import type { TableSummary } from "./protocol";
import type { HeldSeat } from "./seats";

const TOKENS_AT_ONCE = 50;
const TABLES_A_SECOND = 20; // what a server answers in the long run

/** Says nothing where the server cannot be reached: they are found another time. */
export async function findGames(seats: readonly HeldSeat[], name: string): Promise<FinishedGame[]> {
  const found: FinishedGame[] = [];
  let asked = 0;
  try {
    for (const { summary, token, places } of await finishedTables(seats)) {
      const place = ownPlace(places, summary.names, name);
      if (place === null || !isNew({ table: summary.table, place })) continue;
      if (asked && asked % TABLES_A_SECOND === 0) await pause(1000);
      asked += 1;
      const game = summaryOf(await readTable(summary.table, token), place, summary.created * 1000);
      if (game) found.push(game);
    }
  } catch {
    // what was found so far is kept
  }
  return found;
}

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

interface FinishedTable {
  readonly summary: TableSummary;
  readonly token: string;
  /** of the seats that this browser holds there */
  readonly places: readonly (number | null)[];
}

async function finishedTables(seats: readonly HeldSeat[]): Promise<FinishedTable[]> {
  const held = seats.filter((seat) => seat.role === "seat");
  const tokens = [...new Set(held.map((seat) => seat.token))];
  const listed: TableSummary[] = [];
  for (let at = 0; at < tokens.length; at += TOKENS_AT_ONCE) {
    listed.push(...(await myTables(tokens.slice(at, at + TOKENS_AT_ONCE))).tables);
  }
  const over = listed.filter((one) => one.status === "over" && one.place !== null && !one.practice);
  return oncePerTable(over).flatMap((summary) => {
    const token = held.find((seat) => seat.table === summary.table)?.token;
    const places = over.filter((one) => one.table === summary.table).map((one) => one.place);
    return token ? [{ summary, token, places }] : [];
  });
}
