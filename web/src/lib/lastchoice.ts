/** The opponents and options of the next game against bots: the last ones chosen, or those that fit. */

import { suggestedStep } from "./ladder";
import type { FinishedGame } from "./mygames";
import { firstGame, type GameForm, type Games } from "./newgame";
import { lasting, type KeptTexts } from "./storage";

export interface Choice {
  /** one to three of them */
  readonly bots: readonly string[];
  readonly tokens: boolean;
  readonly promo: boolean;
  readonly fewerBodies: boolean;
  readonly drawSeats: boolean;
  /** who was suggested when it was made: a later suggestion goes before it */
  readonly suggested: string;
}

const KEY = "coatl.opponents";
export const MOST_OPPONENTS = 3;
const BASE = { tokens: false, promo: false, fewerBodies: false, drawSeats: false } as const;

export function keepChoice(choice: Choice, store: KeptTexts = lasting): void {
  store.set(KEY, JSON.stringify(choice));
}

function keptChoice(store: KeptTexts): Choice | null {
  const found = store.getJson(KEY) as Partial<Choice> | null;
  const bots = Array.isArray(found?.bots) ? found.bots.filter((bot) => typeof bot === "string").slice(0, MOST_OPPONENTS) : [];
  if (!found || !bots.length) return null;
  const on = (name: keyof typeof BASE): boolean => found[name] === true;
  return {
    bots, tokens: on("tokens"), promo: on("promo"), fewerBodies: on("fewerBodies"), drawSeats: on("drawSeats"),
    suggested: String(found.suggested ?? ""),
  };
}

/** Of the latest game against bots alone: earlier versions of the page kept no choice. */
function choiceOfLastGame(games: readonly FinishedGame[]): Choice | null {
  const last = games.findLast((game) => game.others.every((other) => other.bot !== null));
  if (!last) return null;
  const bots = last.others.flatMap((other) => other.bot ?? []);
  const on = (option: string): boolean => last.options.includes(option);
  return { ...BASE, bots, tokens: on("tokens"), promo: on("promo"), fewerBodies: on("fewer_bodies"), suggested: "" };
}

/**
 * What one press of Play begins. Where the suggestion has gone up or down since the last choice, its new step
 * is offered, unless the choice was that far or farther already; a table of several opponents stays as it was chosen.
 */
export function offeredChoice(games: readonly FinishedGame[], steps: readonly string[], known: readonly string[], store: KeptTexts = lasting): Choice {
  const suggested = steps[suggestedStep(games, steps)] ?? known[0] ?? "";
  const last = keptChoice(store) ?? choiceOfLastGame(games);
  if (!last || !last.bots.every((bot) => known.includes(bot))) return { ...BASE, bots: [suggested], suggested };
  const [only = ""] = last.bots.length === 1 ? last.bots : [];
  const [now, then, chosen] = [suggested, last.suggested, only].map((bot) => steps.indexOf(bot)) as [number, number, number];
  const isStepUp = then < now && chosen < now;
  const isStepDown = then > now && chosen > now;
  const bots = steps.includes(only) && (isStepUp || isStepDown) ? [suggested] : last.bots;
  return { ...last, bots, suggested };
}

/** The base game against one bot. */
export const baseGame = (bot: string): Choice => ({ ...BASE, bots: [bot], suggested: bot });

/** The form that opens such a table. */
export function formOf(choice: Choice, name: string, games: Games): GameForm {
  const { bots, tokens, promo, fewerBodies, drawSeats } = choice;
  const form = firstGame(name, games);
  const seats = form.seats.map((seat, at) => (at ? { ...seat, who: bots[at - 1] ? ("bot" as const) : ("empty" as const), bot: bots[at - 1] ?? "" } : seat));
  return { ...form, seats, tokens, promo, fewerBodies, drawSeats };
}
