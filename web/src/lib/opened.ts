/** What the browser that opened a table keeps besides its seats: links to give away, and its right. */

export interface OpenedTable {
  readonly table: string;
  readonly owner: string;
  readonly watch: string;
  readonly invite: string | null;
  readonly links: readonly { readonly place: number; readonly token: string }[];
}

const KEY = "coatl.opened";

function all(store: Storage): OpenedTable[] {
  try {
    const found: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as OpenedTable[]) : [];
  } catch {
    return [];
  }
}

export function keepOpened(table: OpenedTable, store: Storage = localStorage): void {
  store.setItem(KEY, JSON.stringify([table, ...all(store)].slice(0, 40)));
}

export function openedTable(table: string, store: Storage = localStorage): OpenedTable | undefined {
  return all(store).find((opened) => opened.table === table);
}
