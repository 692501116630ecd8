/** Finished games read from storage or a file: only what is understood is taken, so that nothing broken is shown. */

import type { BestCoatl, FinishedGame, Opponent, OpponentKind } from "./mygames";

type Fields = Readonly<Record<string, unknown>>;

const KINDS: readonly OpponentKind[] = ["bot", "person", "adam"];
const COATL = /^<[KRBYG]{2,}>$/; // a complete one, in the notation
const LONGEST = 60; // letters of a name

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= LONGEST;

/** All of them, or null if one cannot be read. */
function every<T>(value: unknown, read: (one: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.map(read);
  return found.every((one) => one !== null) ? (found as T[]) : null;
}

const readText = (value: unknown): string | null => (isText(value) ? value : null);
const readCount = (value: unknown): number | null => (isCount(value) ? value : null);
const readFlag = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null);

/** Null for what is not a finished game. */
export function readGame(value: unknown): FinishedGame | null {
  if (!isFields(value)) return null;
  const { table, place, at, turns, points, rank, players, helped } = value;
  const options = every(value["options"], readText);
  const levels = every(value["levels"], readCount);
  const others = every(value["others"], readOpponent);
  const best = value["best"] === null ? null : readBest(value["best"]);
  if (!isText(table) || !table || !options || !levels || !others?.length || best === undefined) return null;
  if (!isCount(place) || !isCount(at) || !isCount(turns) || !isCount(points) || !isCount(rank) || !isCount(players)) return null;
  return { table, place, at, turns, points, rank, players, options, levels, others, best, helped: helped === true };
}

function readOpponent(value: unknown): Opponent | null {
  if (!isFields(value)) return null;
  const { kind, name, bot, standIn, points, rank } = value;
  const known = KINDS.find((one) => one === kind);
  if (!known || !isText(name) || !isCount(points) || !isCount(rank)) return null;
  if (known === "bot" ? !isText(bot) : bot !== null) return null;
  return { kind: known, name, bot: isText(bot) ? bot : null, standIn: standIn === true, points, rank };
}

/** Undefined: it cannot be read. */
function readBest(value: unknown): BestCoatl | undefined {
  if (!isFields(value)) return undefined;
  const { pieces, points } = value;
  const cards = every(value["cards"], readCard);
  const temple = value["temple"] === null ? null : readTemple(value["temple"]);
  if (typeof pieces !== "string" || !COATL.test(pieces) || !isCount(points) || !cards || temple === undefined) return undefined;
  return { pieces, points, cards, temple };
}

function readCard(value: unknown): BestCoatl["cards"][number] | null {
  if (!isFields(value)) return null;
  const { card, times, points } = value;
  return isText(card) && isCount(times) && isCount(points) ? { card, times, points } : null;
}

function readTemple(value: unknown): NonNullable<BestCoatl["temple"]> | undefined {
  if (!isFields(value)) return undefined;
  const { card, points } = value;
  const met = every(value["met"], readFlag);
  return isText(card) && isCount(points) && met ? { card, met, points } : undefined;
}
