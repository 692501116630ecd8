/** Finished games as one file, to take them to another device: written, and read again. */

import type { FinishedGame } from "./mygames";
import { readGame } from "./mygamesread";

const FORMAT = "coatl-games";
const VERSION = 1;

export function gamesFile(games: readonly FinishedGame[], now = new Date()): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, exported: now.toISOString(), games }, null, 1)}\n`;
}

export const gamesFileName = (now = new Date()): string => `coatl-games-${now.toISOString().slice(0, 10)}.json`;

export type ReadFile =
  | { readonly games: readonly FinishedGame[]; /** entries that cannot be read */ readonly broken: number }
  | { readonly refused: "not_games" | "newer" };

export function readGamesFile(text: string): ReadFile {
  const found = parse(text);
  if (found?.["format"] !== FORMAT || !Array.isArray(found["games"])) return { refused: "not_games" };
  if (typeof found["version"] !== "number") return { refused: "not_games" };
  if (found["version"] > VERSION) return { refused: "newer" };
  const games = found["games"].flatMap((game) => readGame(game) ?? []);
  return { games, broken: found["games"].length - games.length };
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const found: unknown = JSON.parse(text.replace(/^\uFEFF/, "")); // some editors begin a file so
    return typeof found === "object" ? (found as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}
