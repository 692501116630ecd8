/** Which screen an address means. Everything stands behind the `#`, so that tokens are never sent. */

import { readLink, type ReadLink } from "./seats";

export type Route =
  | { readonly screen: "home" }
  | { readonly screen: "table"; readonly table: string }
  | { readonly screen: "arrive"; readonly link: ReadLink };

export function readRoute(hash: string): Route {
  const link = readLink(hash);
  if (link) return { screen: "arrive", link };
  const table = /^#\/table\/([\w-]{6,32})$/.exec(hash);
  return table?.[1] ? { screen: "table", table: table[1] } : { screen: "home" };
}

export const tableAddress = (table: string): string => `#/table/${table}`;
