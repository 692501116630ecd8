/** Finished games in words: opponents, variants, days, scores, and what the curve of one's strength shows. */

import { botName } from "./names";
import type { BestCoatl, FinishedGame, Opponent } from "./mygames";
import type { VariantResults } from "./mygamesresults";
import type { CurvePoint } from "./mygamesstrength";
import { lengthOf } from "../parts/pieces";
import { m } from "../paraglide/messages";
import { getLocale } from "../paraglide/runtime";

const DAY = 24 * 3600 * 1000;

export function opponentName({ kind, name, bot }: Opponent): string {
  if (kind === "adam") return m.adam();
  return name || (bot === null ? m.games_friend() : botName(bot));
}

/** Everybody else at the table; of the solo game its levels too. */
export function opponentsText(game: FinishedGame): string {
  const names = game.others.map(opponentName).join(", ");
  return game.players === 1 && game.levels.length ? `${names}, ${levelsText(game.levels)}` : names;
}

export const levelsText = (levels: readonly number[]): string => m.games_levels({ n: levels.length, levels: levels.join(", ") });

const OPTIONS: Readonly<Record<string, () => string>> = { tokens: m.option_tokens, promo: m.option_promo, fewer_bodies: m.option_fewer };

export function variantText({ players, options, levels }: Pick<VariantResults, "players" | "options" | "levels">): string {
  const size = players > 1 ? m.games_players({ n: players }) : levels.length ? `${m.games_solo()}, ${levelsText(levels)}` : m.games_solo_base();
  return [size, ...options.map((name) => OPTIONS[name]?.() ?? name)].join(", ");
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** "Today", "yesterday", a day of the last week, or a date. */
export function dayText(at: number, now = Date.now()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY);
  const text = days === 0 || days === 1
    ? new Intl.RelativeTimeFormat(getLocale(), { numeric: "auto" }).format(-days, "day")
    : new Intl.DateTimeFormat(getLocale(), days > 1 && days < 7 ? { weekday: "long" } : { dateStyle: "medium" }).format(at);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Mine first, then the others by rank. */
export const scoreText = (game: FinishedGame): string => [game.points, ...game.others.map((other) => other.points)].join(" : ");

/** "11 pieces, 4 prophecies and a Temple card" */
export function bestText(best: BestCoatl): string {
  const parts = [m.games_pieces({ n: lengthOf(best.pieces) }), m.games_prophecies({ n: best.cards.length })];
  return best.temple ? m.list_and({ pieces: parts.join(", "), next: m.games_temple() }) : parts.join(", ");
}

export interface LadderStep {
  readonly name: string;
  readonly strength: number;
}

/** The strength with its margin, and how far it is to be trusted. */
export function strengthText(points: readonly CurvePoint[]): string {
  const last = points.at(-1);
  if (!last) return m.games_strength_none();
  const numbers = { n: points.length, strength: Math.round(last.strength), margin: Math.round(last.margin) };
  return last.margin > UNSURE ? m.games_strength_unsure(numbers) : m.games_strength_now(numbers);
}

const UNSURE = 200; // a margin within which several steps of the ladder lie

/** What the curve shows, for who does not see it. */
export function curveText(points: readonly CurvePoint[], ladder: readonly LadderStep[]): string {
  const last = points.at(-1);
  if (!last) return "";
  const named = ({ name, strength }: LadderStep): string => m.name_number({ name, n: strength });
  const above = ladder.filter((step) => step.strength > last.strength).sort((a, b) => a.strength - b.strength)[0];
  const below = ladder.filter((step) => step.strength <= last.strength).sort((a, b) => b.strength - a.strength)[0];
  const first = m.games_curve_from({ first: Math.round(points[0]!.strength), last: Math.round(last.strength), n: points.length });
  const where = [...(above ? [m.games_curve_above({ name: named(above) })] : []), ...(below ? [m.games_curve_below({ name: named(below) })] : [])];
  return [first, ...where].join(" ");
}
