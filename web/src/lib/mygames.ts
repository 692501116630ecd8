/** What is kept of a finished game: result, opponents, variant, points, the best Cóatl. No token is in it. */

import { bots } from "./bots.svelte";
import type { CoatlView, RankInfo, TableState } from "./protocol";

export type OpponentKind = "bot" | "person" | "adam";

export interface Opponent {
  readonly kind: OpponentKind;
  /** a person's; empty for a bot that got none */
  readonly name: string;
  /** its id */
  readonly bot: string | null;
  /** planner played in its place, so that its rating says nothing */
  readonly standIn: boolean;
  readonly points: number;
  /** 1 won; equal ranks share */
  readonly rank: number;
}

export interface BestCoatl {
  readonly pieces: string;
  readonly points: number;
  readonly cards: readonly { readonly card: string; readonly times: number; readonly points: number }[];
  readonly temple: { readonly card: string; readonly met: readonly boolean[]; readonly points: number } | null;
}

export interface FinishedGame {
  readonly table: string;
  /** mine at that table */
  readonly place: number;
  /** when it ended, or began if nobody looked; milliseconds since 1970 */
  readonly at: number;
  readonly turns: number;
  readonly points: number;
  readonly rank: number;
  /** 1: solo */
  readonly players: number;
  /** as the server names them */
  readonly options: readonly string[];
  readonly levels: readonly number[];
  /** by rank */
  readonly others: readonly Opponent[];
  readonly best: BestCoatl | null;
  /** a bot has played for me in it; not if I gave up: that is a result like another */
  readonly helped: boolean;
}

export type Result = "won" | "shared" | "lost";

export function resultOf(game: FinishedGame): Result {
  if (game.rank > 1) return "lost";
  return game.others.some((other) => other.rank === 1) ? "shared" : "won";
}

export interface Tally {
  /** shared wins too */
  readonly won: number;
  readonly played: number;
}

export const tallyOf = (games: readonly FinishedGame[]): Tally =>
  ({ won: games.filter((game) => resultOf(game) !== "lost").length, played: games.length });

/** The same game at the same place is the same entry, whichever device it comes from. */
export const keyOf = (game: { readonly table: string; readonly place: number }): string => `${game.table} ${game.place}`;

/** Null for a game that is not over, and for practice: it began from a chosen position. */
export function summaryOf(state: TableState, place: number, at: number): FinishedGame | null {
  const mine = state.standing?.find((rank) => rank.place === place);
  const view = state.view;
  if (state.status !== "over" || state.practice || !mine || !view) return null;
  const others = (state.standing ?? []).filter((rank) => rank.place !== place);
  return {
    table: state.table,
    place,
    at,
    turns: view.turn,
    points: mine.points,
    rank: mine.rank,
    players: view.players,
    options: [...view.options],
    levels: [...view.levels],
    others: others.map((rank) => opponentOf(state, rank)),
    best: bestOf(view.seats[state.seating.indexOf(place)]?.coatls ?? []),
    helped: (state.notes ?? []).some((note) => note.place === place && note.kind === "hand"),
  };
}

function opponentOf(state: TableState, { place, points, rank }: RankInfo): Opponent {
  const info = state.places[place];
  if (!info) return { kind: "adam", name: "", bot: null, standIn: false, points, rank };
  const bot = info.kind === "bot" ? (info.bot ?? null) : null;
  const standIn = bot !== null && Boolean(bots.find(bot)?.stand_in);
  return { kind: bot === null ? "person" : "bot", name: info.name, bot, standIn, points, rank };
}

function bestOf(coatls: readonly CoatlView[]): BestCoatl | null {
  const complete = coatls.filter((coatl) => coatl.complete);
  const best = complete.reduce<CoatlView | null>((most, one) => (most && most.value >= one.value ? most : one), null);
  if (!best) return null;
  const cards = (best.cards ?? []).map(({ card, times, points }) => ({ card, times, points }));
  const temple = best.temple ? { card: best.temple.card, met: [...best.temple.met], points: best.temple.points } : null;
  return { pieces: best.pieces, points: best.value, cards, temple };
}

/**
 * The place that the games here are told of. Where several people share a device it is the one who
 * has the name of the settings, or else the first.
 */
export function ownPlace(places: readonly (number | null)[], names: readonly string[], name: string): number | null {
  const held = places.filter((place) => place !== null).sort((a, b) => a - b);
  return held.find((place) => name !== "" && names[place] === name) ?? held[0] ?? null;
}
