/** Numbers about a finished game, counted from what happened in it. Steps taken back do not count. */

import { isAt } from "./places";
import type { GameEvent, ReplayOverview } from "./protocol";
import { columns, standing } from "./timeline";
import { lengthOf } from "../parts/pieces";

export interface SeatNumbers {
  turns: number;
  /** pieces that came to the board (A.D.A.M.: into his hands) */
  pieces: number;
  /** Prophecy cards chosen from the row, and drawn unseen */
  chosen: number;
  drawn: number;
  /** Prophecy cards laid (A.D.A.M.: fulfilled), and Temple cards */
  fulfilled: number;
  temples: number;
  tokens: number;
  coatls: { points: number; length: number }[];
}

const none = (): SeatNumbers => ({
  turns: 0, pieces: 0, chosen: 0, drawn: 0, fulfilled: 0, temples: 0, tokens: 0, coatls: [],
});

/** By seat; in solo A.D.A.M. comes second. */
export function statistics(overview: ReplayOverview): SeatNumbers[] {
  const found = columns(overview).map(none);
  const adam = overview.players === 1 ? found[1] : undefined;
  const turns = found.map(() => new Set<number>());
  for (const move of standing(overview.moves)) {
    if (move.turn > 0) turns[move.seat]?.add(move.turn);
    for (const event of move.events) {
      const who = event.seat ?? null;
      const numbers = who === null ? adam : found[who];
      if (numbers) count(numbers, event);
    }
  }
  found.forEach((numbers, at) => (numbers.turns += turns[at]?.size ?? 0));
  return found;
}

function count(numbers: SeatNumbers, event: GameEvent): void {
  const { source, target } = event;
  if (event.kind === "token") numbers.tokens += 1;
  else if (event.kind === "coatl") {
    const length = lengthOf(event.pieces ?? "");
    numbers.coatls.push({ points: event.points ?? 0, length });
  } else if (event.kind === "turn" && (event.seat ?? null) === null) numbers.turns += 1;
  else if (event.kind === "piece" && isAt(target, "board", "adam_holding")) numbers.pieces += 1;
  else if (event.kind === "temple" && isAt(target, "coatl")) numbers.temples += 1;
  else if (event.kind === "prophecy") {
    if (isAt(target, "coatl", "adam_fulfilled")) numbers.fulfilled += 1;
    else if (isAt(target, "hand")) numbers[isAt(source, "deck") ? "drawn" : "chosen"] += 1;
  }
}

/** The longest and the dearest of all complete Cóatl, and whose they are. */
export function records(numbers: readonly SeatNumbers[]) {
  const all = numbers.flatMap((one, seat) => one.coatls.map((coatl) => ({ ...coatl, seat })));
  const most = (by: "length" | "points") =>
    all.reduce<(typeof all)[number] | null>((best, one) => (best && best[by] >= one[by] ? best : one), null);
  return { longest: most("length"), dearest: most("points") };
}
