/** Finished games counted: against whom, in which variant, and the best Cóatl of all. */

import { resultOf, tallyOf, type FinishedGame, type OpponentKind, type Result } from "./mygames";

export interface OpponentResults {
  readonly kind: OpponentKind;
  /** of a bot; null: A.D.A.M., or all people together */
  readonly bot: string | null;
  /** one a game, the won ones first */
  readonly results: readonly Result[];
  /** of people, the most frequent first */
  readonly names: readonly string[];
  /** of A.D.A.M.: the levels that were played, each once, in order */
  readonly levels: readonly number[];
}

const ORDER: readonly Result[] = ["won", "shared", "lost"];

/** A game with several opponents counts for each of them; the bots first, in the order of `ladder`. */
export function byOpponent(games: readonly FinishedGame[], ladder: readonly string[]): OpponentResults[] {
  const found = new Map<string, { kind: OpponentKind; bot: string | null; games: FinishedGame[] }>();
  for (const game of games) {
    for (const { key, kind, bot } of opponentsOf(game)) {
      const known = found.get(key) ?? { kind, bot, games: [] };
      known.games.push(game);
      found.set(key, known);
    }
  }
  const place = (bot: string | null): number => (ladder.includes(bot ?? "") ? ladder.indexOf(bot ?? "") : ladder.length);
  const rank = { bot: 0, adam: 1, person: 2 } as const;
  return [...found.values()]
    .sort((a, b) => rank[a.kind] - rank[b.kind] || place(a.bot) - place(b.bot) || (a.bot ?? "").localeCompare(b.bot ?? ""))
    .map(({ kind, bot, games: met }) => ({
      kind,
      bot,
      results: met.map(resultOf).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
      names: kind === "person" ? namesOf(met) : [],
      levels: kind === "adam" ? [...new Set(met.flatMap((game) => game.levels))].sort() : [],
    }));
}

/** Each kind of opponent once: two of the same bot are one. */
function opponentsOf(game: FinishedGame): { key: string; kind: OpponentKind; bot: string | null }[] {
  const all = game.others.map(({ kind, bot }) => ({ key: `${kind} ${bot ?? ""}`, kind, bot }));
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

function namesOf(games: readonly FinishedGame[]): string[] {
  const times = new Map<string, number>();
  for (const game of games) {
    for (const { kind, name } of game.others) if (kind === "person" && name) times.set(name, (times.get(name) ?? 0) + 1);
  }
  return [...times].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

export interface VariantResults {
  readonly players: number;
  readonly options: readonly string[];
  readonly levels: readonly number[];
  readonly games: number;
  readonly won: number;
  /** of each game on average, and the most of one */
  readonly average: number;
  readonly most: number;
}

/** Solo first, then by the number of players; the most played first in each. */
export function byVariant(games: readonly FinishedGame[]): VariantResults[] {
  const found = new Map<string, FinishedGame[]>();
  for (const game of games) {
    const key = [game.players, game.options.join(), game.levels.join()].join("/");
    found.set(key, [...(found.get(key) ?? []), game]);
  }
  return [...found.values()].map(countVariant).sort((a, b) => a.players - b.players || b.games - a.games);
}

function countVariant(games: readonly FinishedGame[]): VariantResults {
  const [{ players, options, levels }] = games as [FinishedGame];
  const points = games.map((game) => game.points);
  return {
    players, options, levels, games: games.length, won: countWon(games),
    average: points.reduce((sum, one) => sum + one, 0) / games.length, most: Math.max(...points),
  };
}

export const countWon = (games: readonly FinishedGame[]): number => tallyOf(games).won;

/** The game with the dearest Cóatl; of several the first. */
export const gameOfBest = (games: readonly FinishedGame[]): FinishedGame | null =>
  games.reduce<FinishedGame | null>((best, game) => ((game.best?.points ?? 0) > (best?.best?.points ?? 0) ? game : best), null);
