/**
 * How strong somebody plays, on the scale of the bots' ratings (docs/strength.md).
 *
 * Elo's model, as in `coatl arena`: 400 points more win ten games of eleven. The estimate is the
 * most likely strength after the games so far, given that before any of them all that is known is
 * that people play somewhere around 1000. Its margin is half a 95 % interval.
 */

import { resultOf, type FinishedGame } from "./mygames";

const SCALE = 400 / Math.LN10;
const Z = 1.96; // of a 95 % interval
const START = 1000; // greedy's rating
const START_SPREAD = 400; // one standard deviation
const HALF_LIFE = 50; // games until a result counts half: people learn
const OLDEST = 8 * HALF_LIFE; // then it counts for nothing

/** Against one rated opponent. */
export interface RatedResult {
  readonly strength: number;
  /** 1 before them, 0.5 level, 0 behind */
  readonly score: number;
  /** a game against several counts as much as one against one */
  readonly weight: number;
}

export interface Estimate {
  readonly strength: number;
  readonly margin: number;
}

/** The chance to come before somebody. */
export const expectedScore = (strength: number, other: number): number => 1 / (1 + Math.exp((other - strength) / SCALE));

/** By Newton's method; `from` is where to begin. */
export function estimate(results: readonly RatedResult[], from = START): Estimate {
  let strength = from;
  let curve = 0;
  for (let round = 0; round < 50; round += 1) {
    let slope = (START - strength) / START_SPREAD ** 2;
    curve = 1 / START_SPREAD ** 2;
    for (const { strength: other, score, weight } of results) {
      const expected = expectedScore(strength, other);
      slope += (weight * (score - expected)) / SCALE;
      curve += (weight * expected * (1 - expected)) / SCALE ** 2;
    }
    const change = Math.max(-SCALE, Math.min(SCALE, slope / curve));
    strength += change;
    if (Math.abs(change) < 0.01) break;
  }
  return { strength, margin: Z / Math.sqrt(curve) };
}

/** What a game says of one's strength; nothing if nobody rated took part, or a bot helped. */
export function ratedResults(game: FinishedGame, ratings: ReadonlyMap<string, number>): RatedResult[] {
  if (game.helped) return [];
  const rated = game.others.flatMap((other) => {
    const strength = other.bot === null || other.standIn ? undefined : ratings.get(other.bot);
    return strength === undefined ? [] : [{ strength, score: scoreAgainst(game.rank, other.rank) }];
  });
  return rated.map((one) => ({ ...one, weight: 1 / rated.length }));
}

const scoreAgainst = (mine: number, theirs: number): number => (mine < theirs ? 1 : mine === theirs ? 0.5 : 0);

export interface CurvePoint extends Estimate {
  readonly game: FinishedGame;
  readonly won: boolean;
}

/** The estimate after each game that counts, of games in order. */
export function strengthCurve(games: readonly FinishedGame[], ratings: ReadonlyMap<string, number>): CurvePoint[] {
  const counted = games.map((game) => ({ game, results: ratedResults(game, ratings) })).filter(({ results }) => results.length);
  const points: CurvePoint[] = [];
  for (let last = 0; last < counted.length; last += 1) {
    const results = counted.slice(Math.max(0, last - OLDEST), last + 1).reverse().flatMap((one, age) =>
      one.results.map((result) => ({ ...result, weight: result.weight * 0.5 ** (age / HALF_LIFE) })),
    );
    const { game } = counted[last]!;
    points.push({ game, won: resultOf(game) !== "lost", ...estimate(results, points.at(-1)?.strength) });
  }
  return points;
}
