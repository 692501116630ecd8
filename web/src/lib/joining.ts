/** The ids with which this browser takes places: kept until the seat is held, as an answer may get lost. */

import { randomHex } from "./connection";
import { lasting, type KeptTexts } from "./storage";

const KEY = "coatl.joining";
const ID_BYTES = 24; // whoever knows the id could take the seat, so it is as random as a token

type JoinIds = Readonly<Record<string, string>>; // by table

function all(store: KeptTexts): JoinIds {
  const found = store.getJson(KEY);
  return found !== null && typeof found === "object" && !Array.isArray(found) ? (found as JoinIds) : {};
}

/** The same id for a table, also after reloading, until it is forgotten. */
export function joinId(table: string, store: KeptTexts = lasting): string {
  const known = all(store)[table];
  if (typeof known === "string") return known;
  const id = randomHex(ID_BYTES);
  store.set(KEY, JSON.stringify({ ...all(store), [table]: id }));
  return id;
}

export function forgetJoinId(table: string, store: KeptTexts = lasting): void {
  const others = Object.entries(all(store)).filter(([known]) => known !== table);
  store.set(KEY, JSON.stringify(Object.fromEntries(others)));
}
