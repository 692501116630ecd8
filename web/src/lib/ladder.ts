/** The opponents with a face, from the easiest to the hardest, and which of them fits somebody. */

import { resultOf, tallyOf, type FinishedGame, type Tally } from "./mygames";
import type { BotInfo } from "./protocol";
import { FACES } from "../parts/faces";

/** The steps in order; those that were not measured stand where the server lists them. */
export const ladderOf = (list: readonly BotInfo[]): BotInfo[] =>
  list.filter((bot) => bot.name in FACES).sort((a, b) => (a.strength ?? 0) - (b.strength ?? 0));

/** All the others, the weakest first. */
export const yardsticksOf = (list: readonly BotInfo[]): BotInfo[] =>
  list.filter((bot) => !(bot.name in FACES)).sort((a, b) => (a.strength ?? 0) - (b.strength ?? 0));

const ENOUGH = 2; // in a row, to go up or down

/** 1 for a win, also a shared one; -1 for coming in behind that bot; 0 if another one won. Null: it says nothing. */
function resultAgainst(game: FinishedGame, bot: string): number | null {
  const met = game.others.filter((other) => other.bot === bot && !other.standIn);
  if (game.helped || !met.length) return null;
  if (resultOf(game) !== "lost") return 1;
  return met.some((other) => other.rank < game.rank) ? -1 : 0;
}

/**
 * Win twice in a row against the suggested step, or one above it, and the step after that one is suggested;
 * lose twice in a row against it, or one below it, and the step before that one is. Only games since the last
 * change count; the first step is the first suggestion. `games` stand in order.
 */
export function suggestedStep(games: readonly FinishedGame[], steps: readonly string[]): number {
  let suggested = 0;
  let inARow = steps.map(() => 0); // by step; negative: lost
  for (const game of games) {
    const before = suggested;
    steps.forEach((bot, step) => {
      const result = resultAgainst(game, bot);
      if (result === null) return;
      inARow[step] = result * (inARow[step] ?? 0) > 0 ? (inARow[step] ?? 0) + result : result;
      if (inARow[step] >= ENOUGH && step >= before) suggested = Math.min(step + 1, steps.length - 1);
      if (inARow[step] <= -ENOUGH && step <= before) suggested = Math.max(step - 1, 0);
    });
    if (suggested !== before) inARow = steps.map(() => 0);
  }
  return suggested;
}

/** As My games counts them: a game with several opponents counts for each of them. */
export const tallyAgainst = (games: readonly FinishedGame[], bot: string): Tally =>
  tallyOf(games.filter((game) => game.others.some((other) => other.bot === bot)));
