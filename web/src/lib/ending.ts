/** The end of a game in words: who won, how a tie was decided, what a card on a Cóatl was worth. */

import { isYou, isYourPlace, placeName } from "./names";
import type { CardProgress, RankInfo, TableState, TempleProgress } from "./protocol";
import { m } from "../paraglide/messages";

export const isSolo = (table: TableState): boolean => table.places.length === 1;

/** A place as the reader sees it: "You" for your own, unless people share the device. */
export const nameFor = (table: TableState, place: number): string => (isYourPlace(table, place) ? m.you() : placeName(table, place));

export function headline(table: TableState): string {
  const winners = (table.standing ?? []).filter((rank) => rank.rank === 1);
  const points = winners[0]?.points ?? 0;
  if (winners.length > 1) return m.share_win({ names: winners.map((rank) => placeName(table, rank.place)).join(", "), points });
  if (winners[0] && isYourPlace(table, winners[0].place)) return m.you_win({ points });
  if (isSolo(table) && winners[0]?.place === 1) return m.adam_wins({ points });
  return m.other_wins({ name: placeName(table, winners[0]?.place ?? 0), points });
}

/** How the first place was decided (F2), as the server says: by points, or by which tie-break, with the numbers. */
export function decisionText(table: TableState): string {
  const { verdict } = table;
  const level = (table.standing ?? []).filter((rank) => verdict?.between.includes(rank.place));
  const [first, second] = level;
  if (!verdict || !first || !second) return "";
  const list = (of: (rank: RankInfo) => number) =>
    level.map((rank) => m.name_number({ name: nameFor(table, rank.place), n: of(rank) })).join(", ");
  switch (verdict.by) {
    case "cards": return m.tie_cards({ list: list((rank) => rank.cards) });
    case "coatl": return m.tie_coatl({ list: list((rank) => rank.best_coatl) });
    case "shared": return m.tie_shared();
    case "adam": return m.tie_adam();
    case "points":
      if (isYourPlace(table, second.place)) return m.ahead_of_you({ n: first.points - second.points });
      return m.ahead_of({ n: first.points - second.points, name: placeName(table, second.place) });
  }
}

/** Why the game ended, as the view tells it. */
export function causeText(table: TableState): string {
  const view = table.view;
  if (view?.end === "bodies") return m.ended_bodies();
  if (view?.end === "passed") return m.ended_passed();
  if (view?.end !== "third") return "";
  const seat = view.trigger ?? 0;
  return isYou(table, seat) ? m.ended_third_you() : m.ended_third({ name: placeName(table, table.seating[seat] ?? seat) });
}

/** Positions from 1, runs of three and more with a dash: 1, 2, 5–8. */
export function positionList(positions: readonly number[]): string {
  const sorted = [...new Set(positions)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; at += 1) {
    let to = at;
    while (sorted[to + 1] === sorted[to]! + 1) to += 1;
    if (to - at >= 2) {
      parts.push(`${sorted[at]! + 1}–${sorted[to]! + 1}`);
      at = to;
    } else parts.push(String(sorted[at]! + 1));
  }
  return parts.join(", ");
}

export function cardText(card: CardProgress): string {
  const positions = (card.matches ?? []).flat();
  if (!card.times || !positions.length) return m.met_not();
  return `${m.end_met_times({ n: card.times })} ${m.met_by({ n: new Set(positions).size, list: positionList(positions) })}`;
}

export const templeText = (temple: TempleProgress): string =>
  m.temple_met({ n: temple.met.filter(Boolean).length, all: temple.met.length });

/** The Cóatl to begin with, card by card: your first with cards, else the best player's. */
export function firstWithCards(table: TableState, seat: number | null = table.seat): { seat: number; coatl: number } {
  const order = [seat, ...(table.standing ?? []).map((rank) => table.seating.indexOf(rank.place))];
  for (const one of order) {
    const coatls = one === null || one < 0 ? [] : (table.view?.seats[one]?.coatls ?? []);
    const coatl = coatls.findIndex((found) => (found.cards?.length ?? 0) > 0 || found.temple);
    if (coatl >= 0) return { seat: one!, coatl };
  }
  return { seat: seat ?? 0, coatl: 0 };
}
