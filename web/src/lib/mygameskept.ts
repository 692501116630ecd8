/** The finished games that this browser remembers, apart from the seats: forgetting a table leaves its result. */

import { keyOf, type FinishedGame } from "./mygames";
import { readGame } from "./mygamesread";
import { lasting, type KeptTexts } from "./storage";

const KEY = "coatl.games";
const VERSION = 1;

interface Kept {
  readonly games: readonly FinishedGame[];
  /** keys of games that were deleted: they are not read in again from their tables */
  readonly deleted: readonly string[];
  /** false: a newer version of the page wrote it, and nothing may be written over it */
  readonly readable: boolean;
}

function read(store: KeptTexts): Kept {
  const found = store.getJson(KEY) as { version?: unknown; games?: unknown; deleted?: unknown } | null;
  const readable = typeof found?.version !== "number" || found.version <= VERSION;
  const list = (value: unknown): unknown[] => (readable && Array.isArray(value) ? value : []);
  return {
    games: list(found?.games).flatMap((game) => readGame(game) ?? []),
    deleted: list(found?.deleted).filter((key) => typeof key === "string"),
    readable,
  };
}

/** False where the browser will not remember it; what was remembered before still is. */
function write(games: readonly FinishedGame[], deleted: readonly string[], store: KeptTexts): boolean {
  return store.set(KEY, JSON.stringify({ version: VERSION, games, deleted }));
}

/** The oldest first. */
export const keptGames = (store: KeptTexts = lasting): readonly FinishedGame[] => inOrder(read(store).games);

/** Was it written by a newer version of the page? Then it is neither shown nor changed. */
export const isFromNewer = (store: KeptTexts = lasting): boolean => !read(store).readable;

const inOrder = (games: readonly FinishedGame[]): FinishedGame[] => [...games].sort((a, b) => a.at - b.at);

/** Is nothing known of this game, neither that it was played nor that it was deleted? */
export function isNew(game: { readonly table: string; readonly place: number }, store: KeptTexts = lasting): boolean {
  const { games, deleted, readable } = read(store);
  return readable && !deleted.includes(keyOf(game)) && !games.some((one) => keyOf(one) === keyOf(game));
}

/** Games that have just ended, or were found at their tables. */
export function keepGames(found: readonly FinishedGame[], store: KeptTexts = lasting): void {
  const fresh = found.filter((game) => isNew(game, store));
  if (!fresh.length) return;
  const { games, deleted } = read(store);
  write([...games, ...fresh], deleted, store);
}

export interface Brought {
  readonly added: number;
  /** were here already, and stay as they are */
  readonly known: number;
  /** will they still be here when the page is opened again? */
  readonly kept: boolean;
}

/** Games of another device. Deleted ones come back: who brings a file wants what is in it. */
export function bringGames(brought: readonly FinishedGame[], store: KeptTexts = lasting): Brought {
  const { games, deleted, readable } = read(store);
  const known = new Set(games.map(keyOf));
  const fresh = [...new Map(brought.map((game) => [keyOf(game), game])).values()].filter((game) => !known.has(keyOf(game)));
  if (!readable) return { added: 0, known: 0, kept: false };
  const back = new Set(fresh.map(keyOf));
  const kept = !fresh.length || write(inOrder([...games, ...fresh]), deleted.filter((key) => !back.has(key)), store);
  return { added: fresh.length, known: brought.length - fresh.length, kept };
}

/** Their tables, if this browser still has seats there, are not touched. */
export function deleteGames(store: KeptTexts = lasting): void {
  const { games, deleted, readable } = read(store);
  if (readable) write([], [...new Set([...deleted, ...games.map(keyOf)])], store);
}
