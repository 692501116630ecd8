/** The form for a new game as plain data, and the request it becomes. */

import type { NewTable, RuleNumbers, TableOpened } from "./protocol";

export type Sitting = "you" | "here" | "link" | "bot" | "empty";

export interface SeatChoice {
  readonly who: Sitting;
  readonly name: string;
  /** empty: whichever the server suggests */
  readonly bot: string;
}

export interface GameWish {
  readonly solo: boolean;
  readonly seats: readonly SeatChoice[];
  readonly levels: readonly number[];
  tokens: boolean;
  promo: boolean;
  fewerBodies: boolean;
  drawSeats: boolean;
}

/** What the server says of the games there are: how many play, and with what. */
export type Games = Pick<RuleNumbers, "players" | "tokens" | "fewer_bodies">;

/** The rulebook's suggestion for a first game: no Sacrifice tokens, no variants. */
export function firstGame(name: string, games: Games): GameWish {
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
  };
}

export function takenSeats(wish: GameWish): SeatChoice[] {
  return wish.seats.filter((seat) => seat.who !== "empty");
}

/** Why the table cannot be opened yet; null if it can. Everything else the server says. */
export function problemOf(wish: GameWish, games: Games): "too_few" | "nobody_here" | null {
  if (wish.solo) return null;
  const taken = takenSeats(wish);
  if (taken.length < Math.min(...games.players.filter((players) => players > 1))) return "too_few";
  return taken.some((seat) => seat.who === "you" || seat.who === "here") ? null : "nobody_here";
}

/** Somebody else sits down at a seat; there is only one "you". */
export function sitDown(wish: GameWish, at: number, who: Sitting): GameWish {
  const seats = wish.seats.map((seat, n) => {
    if (n === at) return { ...seat, who };
    return who === "you" && seat.who === "you" ? { ...seat, who: "here" as const } : seat;
  });
  return { ...wish, seats };
}

export function changeSeat(wish: GameWish, at: number, part: Partial<SeatChoice>): GameWish {
  return { ...wish, seats: wish.seats.map((seat, n) => (n === at ? { ...seat, ...part } : seat)) };
}

export function turnLevel(wish: GameWish, level: number): GameWish {
  const others = wish.levels.filter((one) => one !== level);
  return { ...wish, levels: others.length < wish.levels.length ? others : [...others, level].sort() };
}

/** Is the variant with fewer segments offered to so many? If not, the server would refuse it. */
export const canHaveFewer = (wish: GameWish, games: Games): boolean =>
  games.fewer_bodies.includes(wish.solo ? 1 : takenSeats(wish).length);

/** Are there Sacrifice tokens in solo, or at a table? */
export const canHaveTokens = (wish: GameWish, games: Games): boolean =>
  games.tokens.some((players) => (players === 1) === wish.solo);

export function requestOf(wish: GameWish, games: Games, suggested = "planner"): NewTable {
  const options = { promo: wish.promo, draw_seats: wish.drawSeats && !wish.solo };
  if (wish.solo) {
    const name = wish.seats.find((seat) => seat.who === "you")?.name ?? "";
    return { ...options, places: [{ kind: "person", name }], levels: [...wish.levels] };
  }
  return {
    ...options,
    places: takenSeats(wish).map((seat) =>
      seat.who === "bot"
        ? { kind: "bot", name: "", bot: seat.bot || suggested }
        : { kind: "person", name: seat.name.trim() },
    ),
    tokens: wish.tokens,
    fewer_bodies: wish.fewerBodies && canHaveFewer(wish, games),
  };
}

/** Which tokens stay in this browser, and which go out as links. */
export function shareTokens(wish: GameWish, opened: TableOpened) {
  const seats = wish.solo ? wish.seats.filter((seat) => seat.who === "you").slice(0, 1) : takenSeats(wish);
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
