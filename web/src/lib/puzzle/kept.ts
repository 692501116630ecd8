/** Which puzzles somebody has tried and solved, and on which days, in this browser. Nothing of it is sent. */

import { lasting, type KeptTexts } from "../storage";

/** An answer that was checked. */
export interface KeptAttempt {
  readonly pieces: string;
  /** of the Cóatl; null: some of the cards did not count */
  readonly points: number | null;
}

export interface KeptPuzzle {
  /** the first ones, as many as count */
  readonly attempts: readonly KeptAttempt[];
  readonly solved: boolean;
}

export const ATTEMPTS = 3;
const KEY = "coatl.puzzles";
const NOT_TRIED: KeptPuzzle = { attempts: [], solved: false };

interface Kept {
  readonly puzzles: Readonly<Record<string, unknown>>;
  readonly days: readonly string[];
}

function all(store: KeptTexts): Kept {
  const found = store.getJson(KEY) as Partial<Kept> | null;
  const puzzles = typeof found?.puzzles === "object" && found.puzzles !== null ? found.puzzles : {};
  const days = Array.isArray(found?.days) ? found.days.filter((day) => typeof day === "string") : [];
  return { puzzles, days };
}

function isAttempt(one: unknown): one is KeptAttempt {
  const { pieces, points } = (one ?? {}) as Partial<KeptAttempt>;
  return typeof pieces === "string" && (points === null || typeof points === "number");
}

/** By the id of the puzzle: its number may come to mean another one. */
export function keptPuzzle(id: string, store: KeptTexts = lasting): KeptPuzzle {
  const found = all(store).puzzles[id] as Partial<KeptPuzzle> | null | undefined;
  if (!found || !Array.isArray(found.attempts)) return NOT_TRIED;
  return { attempts: found.attempts.filter(isAttempt).slice(0, ATTEMPTS), solved: found.solved === true };
}

/** `day`: of which it is the puzzle; it joins the row when it is solved within the attempts. */
export function keepPuzzle(id: string, puzzle: KeptPuzzle, day: string | null, store: KeptTexts = lasting): void {
  const { puzzles, days } = all(store);
  const joins = day !== null && puzzle.solved && !days.includes(day);
  store.set(KEY, JSON.stringify({ puzzles: { ...puzzles, [id]: puzzle }, days: joins ? [...days, day] : days }));
}

export const solvedDays = (store: KeptTexts = lasting): ReadonlySet<string> => new Set(all(store).days);

/** One more attempt; after those that count, nothing is kept. */
export function withAttempt(puzzle: KeptPuzzle, attempt: KeptAttempt, solved: boolean): KeptPuzzle {
  if (puzzle.solved || puzzle.attempts.length >= ATTEMPTS) return puzzle;
  return { attempts: [...puzzle.attempts, attempt], solved };
}

export const bestPoints = ({ attempts }: KeptPuzzle): number | null =>
  attempts.reduce<number | null>((best, { points }) => (points === null ? best : Math.max(best ?? 0, points)), null);
