/** What the browser that opened a table keeps besides its seats: links to give away, and its right. */

import { lasting, type KeptTexts } from "./storage";

export interface OpenedTable {
  readonly table: string;
  readonly owner: string;
  readonly watch: string;
  readonly invite: string | null;
  readonly links: readonly { readonly place: number; readonly token: string }[];
}

const KEY = "coatl.opened";

function all(store: KeptTexts): OpenedTable[] {
  const found = store.getJson(KEY);
  return Array.isArray(found) ? (found as OpenedTable[]) : [];
}

const without = (tables: readonly string[], store: KeptTexts): OpenedTable[] =>
  all(store).filter((opened) => !tables.includes(opened.table));

export function keepOpened(table: OpenedTable, store: KeptTexts = lasting): void {
  store.set(KEY, JSON.stringify([table, ...without([table.table], store)]));
}

export function forgetOpened(tables: readonly string[], store: KeptTexts = lasting): void {
  store.set(KEY, JSON.stringify(without(tables, store)));
}

export function openedTable(table: string, store: KeptTexts = lasting): OpenedTable | undefined {
  return all(store).find((opened) => opened.table === table);
}
