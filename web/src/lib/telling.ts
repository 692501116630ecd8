/** Events in words, in the reader's language. */

import { pieceName, seatName } from "./names";
import type { GameEvent, State } from "./protocol";
import { m } from "../paraglide/messages";

export interface Line {
  readonly turn: number | null;
  readonly text: string;
}

const TOKENS: Record<string, () => string> = { pick: m.token_pick, future: m.token_future, priest: m.token_priest };

export function tell(state: State, events: readonly GameEvent[]): Line[] {
  const lines: Line[] = [];
  let turn: number | null = null;
  for (let at = 0; at < events.length; at += 1) {
    const event = events[at];
    if (!event) continue;
    if (event.kind === "turn") turn = event.value ?? null;
    const same: GameEvent[] = [event];
    while (events[at + 1] && together(event, events[at + 1])) same.push(events[(at += 1)] as GameEvent);
    const text = sentence(state, same);
    if (text) lines.push({ turn, text });
  }
  return lines;
}

/** Several pieces or cards that went the same way are told at once. */
function together(a: GameEvent, b: GameEvent | undefined): boolean {
  const way = (event: GameEvent) => `${event.kind} ${event.seat} ${place(event.source)} ${event.target}`;
  return b !== undefined && ["piece", "prophecy"].includes(a.kind) && way(a) === way(b);
}

const place = (text: string | null | undefined): string => (text ?? "").replace(/^row\.\d$/, "row");

function sentence(state: State, events: readonly GameEvent[]): string | null {
  const event = events[0];
  if (!event) return null;
  const name = seatName(state, event.seat);
  const target = event.target ?? "";
  const number = Number(target.split(".").at(-1)) + 1;
  switch (event.kind) {
    case "piece":
      return pieces(name, event, events, number);
    case "prophecy":
      return prophecies(name, event, events, number);
    case "temple":
      if (target.startsWith("pile")) return null;
      return target.startsWith("coatl") ? m.log_temple({ name, number }) : m.log_priest({ name });
    case "token":
      return m.log_token({ name, token: (TOKENS[event.what ?? ""] ?? m.tokens)() });
    case "coatl":
      return m.log_complete({ name, points: event.value ?? 0 });
    case "look":
      return target ? m.log_look_found({ name }) : m.log_look_nothing({ name });
    case "shuffle":
      return m.log_shuffle();
    case "pass":
      return m.log_pass({ name });
    case "end":
      return event.what === "third" ? m.final_third() : m.final_bodies();
    case "undo":
      return m.log_undo({ name });
    default:
      return null;
  }
}

function pieces(name: string, event: GameEvent, all: readonly GameEvent[], number: number): string | null {
  const list = all.map((one) => pieceName(one.what ?? "")).join(", ");
  const target = event.target ?? "";
  if (target.startsWith("supply")) return null;
  if (target.startsWith("coatl")) return m.log_place({ name, pieces: list, number });
  if (target === "gone") return m.log_gone({ name, pieces: list });
  return m.log_take({ name, pieces: list });
}

function prophecies(name: string, event: GameEvent, all: readonly GameEvent[], number: number): string | null {
  const target = event.target ?? "";
  if (target.startsWith("row")) return null;
  if (target.startsWith("coatl")) return m.log_fulfil({ name, number });
  if (target === "adam.fulfilled") return m.log_adam_fulfil({ name });
  if (target === "discard") return m.log_discard({ name, n: all.length });
  if (event.source === "deck") return m.log_draw({ name, n: all.length });
  return m.log_choose({ name, n: all.length });
}
