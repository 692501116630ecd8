/** What happened at a table since a seat's last turn ended. */

import type { GameEvent } from "./protocol";

export function sinceLastTurn(log: readonly GameEvent[], seat: number | null): GameEvent[] {
  const turns = log.map((event, at) => ({ event, at })).filter(({ event }) => event.kind === "turn");
  const now = turns.at(-1);
  const before = now && (now.event.seat ?? null) === seat ? turns.slice(0, -1) : turns;
  const mine = before.map(({ event }) => (event.seat ?? null) === seat).lastIndexOf(true);
  const from = mine < 0 ? 0 : (before[mine + 1]?.at ?? log.length);
  return log.slice(from).filter((event) => (event.seat ?? null) !== seat || event.kind === "turn");
}
