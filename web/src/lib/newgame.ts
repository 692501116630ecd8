/** The form for a new game as plain data, and the request it becomes. */

import type { NewTable, RuleNumbers, TableOpened } from "./protocol";
import type { NewKind } from "./route";

export type Sitting = "you" | "here" | "link" | "bot" | "empty";

export interface SeatChoice {
  readonly who: Sitting;
  readonly name: string;
  /** empty: whichever the server suggests */
  readonly bot: string;
}

export interface GameForm {
  readonly solo: boolean;
  readonly seats: readonly SeatChoice[];
  readonly levels: readonly number[];
  tokens: boolean;
  promo: boolean;
  fewerBodies: boolean;
  drawSeats: boolean;
  hints: boolean;
}

/** What the server says of the games there are: how many play, and with what. */
export type Games = Pick<RuleNumbers, "players" | "tokens" | "fewer_bodies">;

/** The rulebook's suggestion for a first game: no Sacrifice tokens, no variants. */
export function firstGame(name: string, games: Games): GameForm {
  const seat = (who: Sitting, named = ""): SeatChoice => ({ who, name: named, bot: "" });
  const others = Array.from({ length: Math.max(...games.players) - 1 }, (_, at) => seat(at ? "empty" : "bot"));
  return {
    solo: false,
    seats: [seat("you", name), ...others],
    levels: [],
    tokens: false,
    promo: false,
    fewerBodies: false,
    drawSeats: false,
    hints: false,
  };
}

/** As a new game of some kind begins: with one more person by link or on this device, or solo. */
export function newForm(kind: NewKind, name: string, games: Games): GameForm {
  const form = firstGame(name, games);
  if (kind === "solo") return { ...form, solo: true };
  return sitDown(form, 1, kind === "friends" ? "link" : "here");
}

export function takenSeats(form: GameForm): SeatChoice[] {
  return form.seats.filter((seat) => seat.who !== "empty");
}

/** Why the table cannot be opened yet; null if it can. Everything else the server says. */
export function problemOf(form: GameForm, games: Games): "too_few" | "nobody_here" | null {
  if (form.solo) return null;
  const taken = takenSeats(form);
  if (taken.length < Math.min(...games.players.filter((players) => players > 1))) return "too_few";
  return taken.some((seat) => seat.who === "you" || seat.who === "here") ? null : "nobody_here";
}

/** Somebody else sits down at a seat; there is only one "you". */
export function sitDown(form: GameForm, at: number, who: Sitting): GameForm {
  const seats = form.seats.map((seat, n) => {
    if (n === at) return { ...seat, who };
    return who === "you" && seat.who === "you" ? { ...seat, who: "here" as const } : seat;
  });
  return { ...form, seats };
}

export function changeSeat(form: GameForm, at: number, part: Partial<SeatChoice>): GameForm {
  return { ...form, seats: form.seats.map((seat, n) => (n === at ? { ...seat, ...part } : seat)) };
}

export function turnLevel(form: GameForm, level: number): GameForm {
  const others = form.levels.filter((one) => one !== level);
  return { ...form, levels: others.length < form.levels.length ? others : [...others, level].sort() };
}

/** Is the variant with fewer segments offered to so many? If not, the server would refuse it. */
export const canHaveFewer = (form: GameForm, games: Games): boolean =>
  games.fewer_bodies.includes(form.solo ? 1 : takenSeats(form).length);

/** Do several people play? They agree on hints; whoever plays alone always has them. */
export const hasSeveralPeople = (form: GameForm): boolean => !form.solo && takenSeats(form).filter(({ who }) => who !== "bot").length > 1;

/** Are there Sacrifice tokens in solo, or at a table? */
export const canHaveTokens = (form: GameForm, games: Games): boolean =>
  games.tokens.some((players) => (players === 1) === form.solo);

export function requestOf(form: GameForm, games: Games, suggested = "planner"): NewTable {
  const options = { promo: form.promo, draw_seats: form.drawSeats && !form.solo };
  if (form.solo) {
    const name = form.seats.find((seat) => seat.who === "you")?.name ?? "";
    return { ...options, places: [{ kind: "person", name }], levels: [...form.levels] };
  }
  return {
    ...options,
    places: takenSeats(form).map((seat) =>
      seat.who === "bot"
        ? { kind: "bot", name: "", bot: seat.bot || suggested }
        : { kind: "person", name: seat.name.trim() },
    ),
    tokens: form.tokens,
    ...(form.hints && hasSeveralPeople(form) ? { hints: true } : {}),
    fewer_bodies: form.fewerBodies && canHaveFewer(form, games),
  };
}

/** Which tokens stay in this browser, and which go out as links. */
export function shareTokens(form: GameForm, opened: TableOpened) {
  const seats = form.solo ? form.seats.filter((seat) => seat.who === "you").slice(0, 1) : takenSeats(form);
  const mine: { place: number; token: string; name: string }[] = [];
  const links: { place: number; token: string }[] = [];
  seats.forEach((seat, place) => {
    const token = opened.seats[place];
    if (!token) return;
    if (seat.who === "link") links.push({ place, token });
    else mine.push({ place, token, name: seat.name.trim() });
  });
  return { mine, links };
}
