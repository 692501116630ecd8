/** Which screen an address means. Everything stands behind the `#`, so that tokens are never sent. */

import { readCarried, type CarriedSeat } from "./carry";
import { readLink, type ReadLink } from "./seats";

/** What a new game is that is not begun from the first screen. */
export type NewKind = "friends" | "device" | "solo";

export type Route =
  | { readonly screen: "home" }
  | { readonly screen: "opponents" }
  | { readonly screen: "new"; readonly kind: NewKind }
  | { readonly screen: "games" }
  | { readonly screen: "learn"; readonly lesson: string | null }
  | { readonly screen: "puzzles" }
  | { readonly screen: "puzzle"; /** null: the one of the day */ readonly number: number | null }
  | { readonly screen: "rules"; readonly rule: string | null }
  | { readonly screen: "cards"; readonly card: string | null }
  | { readonly screen: "table"; readonly table: string }
  | { readonly screen: "replay"; readonly table: string | null }
  | { readonly screen: "arrive"; readonly link: ReadLink | CarriedSeat };

export function readRoute(hash: string): Route {
  const link = readCarried(hash) ?? readLink(hash);
  if (link) return { screen: "arrive", link };
  if (hash === GAMES_ADDRESS) return { screen: "games" };
  const learn = /^#\/learn(?:\/([\w-]{1,32}))?$/.exec(hash);
  if (learn) return { screen: "learn", lesson: learn[1] ?? null };
  if (hash === PUZZLES_ADDRESS) return { screen: "puzzles" };
  const puzzle = /^#\/puzzle(?:\/(\d{1,6}))?$/.exec(hash);
  if (puzzle) return { screen: "puzzle", number: puzzle[1] ? Number(puzzle[1]) : null };
  const book = /^#\/(rules|cards)(?:\/([^/]+))?$/.exec(hash);
  if (book) {
    const what = readPart(book[2]);
    return book[1] === "rules" ? { screen: "rules", rule: what } : { screen: "cards", card: what };
  }
  if (hash === OPPONENTS_ADDRESS) return { screen: "opponents" };
  const begun = /^#\/new\/(friends|device|solo)$/.exec(hash);
  if (begun) return { screen: "new", kind: begun[1] as NewKind };
  const table = /^#\/table\/([\w-]{6,32})$/.exec(hash);
  const replay = /^#\/replay(?:\/([\w-]{6,32}))?$/.exec(hash);
  if (replay) return { screen: "replay", table: replay[1] ?? null };
  return table?.[1] ? { screen: "table", table: table[1] } : { screen: "home" };
}

/** The page over one's finished games. */
export const GAMES_ADDRESS = "#/games";
/** The page of the lessons, and one of them. */
export const LESSONS_ADDRESS = "#/learn";
export const lessonAddress = (name: string): string => `${LESSONS_ADDRESS}/${name}`;
/** All puzzles, and one of them: by its number, or the one of the day. */
export const PUZZLES_ADDRESS = "#/puzzles";
export const puzzleAddress = (number: number | null = null): string => (number === null ? "#/puzzle" : `#/puzzle/${number}`);
/** Where opponents are chosen. */
export const OPPONENTS_ADDRESS = "#/opponents";
export const newAddress = (kind: NewKind): string => `#/new/${kind}`;
export const tableAddress = (table: string): string => `#/table/${table}`;
export const replayAddress = (table: string | null): string => (table ? `#/replay/${table}` : "#/replay");

/** The rules; of a clause, section or chapter (`A8`, `assemble`) the place where it stands. */
export const rulesAddress = (rule: string | null = null): string => (rule ? `#/rules/${encodeURIComponent(rule)}` : "#/rules");
/** All cards, or one of them by its name. */
export const cardsAddress = (card: string | null = null): string => (card ? `#/cards/${encodeURIComponent(card)}` : "#/cards");
export const FIRST_LESSON_ADDRESS = "#/learn/first";

function readPart(text: string | undefined): string | null {
  try {
    return text === undefined ? null : decodeURIComponent(text);
  } catch {
    return null; // a part that is cut off in the middle of a letter
  }
}
