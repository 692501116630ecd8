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
  | { readonly screen: "table"; readonly table: string }
  | { readonly screen: "replay"; readonly table: string | null }
  | { readonly screen: "arrive"; readonly link: ReadLink | CarriedSeat };

export function readRoute(hash: string): Route {
  const link = readCarried(hash) ?? readLink(hash);
  if (link) return { screen: "arrive", link };
  if (hash === GAMES_ADDRESS) return { screen: "games" };
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
/** Where opponents are chosen. */
export const OPPONENTS_ADDRESS = "#/opponents";
/** The first lesson. */
export const LEARN_ADDRESS = "#/learn";
/** The rules and all cards. */
export const RULES_ADDRESS = "#/rules";
export const newAddress = (kind: NewKind): string => `#/new/${kind}`;
export const tableAddress = (table: string): string => `#/table/${table}`;
export const replayAddress = (table: string | null): string => (table ? `#/replay/${table}` : "#/replay");
