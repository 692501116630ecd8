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

/** Games against a bot that say something about who would win the next one, in order. */
const gamesAgainst = (games: readonly FinishedGame[], bot: string): FinishedGame[] =>
  games.filter((game) => !game.helped && game.others.some((other) => other.bot === bot && !other.standIn));

function wonTwiceInARow(games: readonly FinishedGame[]): boolean {
  return games.some((game, at) => at > 0 && resultOf(game) !== "lost" && resultOf(games[at - 1]!) !== "lost");
}

/** The step after the highest one that was won twice in a row; the first at first. `games` stand in order. */
export function suggestedStep(games: readonly FinishedGame[], steps: readonly string[]): number {
  const beaten = steps.findLastIndex((bot) => wonTwiceInARow(gamesAgainst(games, bot)));
  return Math.min(beaten + 1, steps.length - 1);
}

/** As My games counts them: a game with several opponents counts for each of them. */
export const tallyAgainst = (games: readonly FinishedGame[], bot: string): Tally =>
  tallyOf(games.filter((game) => game.others.some((other) => other.bot === bot)));
