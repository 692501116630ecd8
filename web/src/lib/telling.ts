/** Events in words, in the reader's language, and in the notation. */

import { seatName } from "./names";
import type { GameEvent, TableState } from "./protocol";
import { numberOf } from "./story/scenes";
import { piecesAs, plain, rich, type Part, type Slot } from "./words";
import { m } from "../paraglide/messages";

export interface Line {
  readonly turn: number | null;
  readonly seat: number | null; // who did it; null: A.D.A.M. or the table
  readonly kind: string;
  readonly parts: readonly Part[];
  readonly text: string;
  readonly notation: string;
}

const TOKENS: Record<string, () => string> = { pick: m.token_pick, future: m.token_future, priest: m.token_priest };

export function tell(state: TableState, events: readonly GameEvent[], from: number | null = null): Line[] {
  const lines: Line[] = [];
  let turn = from;
  for (let at = 0; at < events.length; at += 1) {
    const event = events[at];
    if (!event) continue;
    if (event.kind === "turn") turn = event.value ?? null;
    const search = adamSearch(events.slice(at));
    if (search.length) {
      const parts = searchSentence(state, search);
      if (parts) lines.push({ turn, seat: null, kind: "search", parts, text: plain(parts), notation: "" });
      at += search.length - 1;
      continue;
    }
    const same: GameEvent[] = [event];
    while (events[at + 1] && together(event, events[at + 1])) same.push(events[(at += 1)] as GameEvent);
    const parts = sentence(state, same);
    if (!parts) continue;
    lines.push({ turn, seat: event.seat ?? null, kind: event.kind, parts, text: plain(parts), notation: notationOf(same) });
  }
  return lines;
}

/** The events of A.D.A.M.'s search at the beginning of some: looks, what he took, where it went. */
function adamSearch(events: readonly GameEvent[]): readonly GameEvent[] {
  const isPart = (event: GameEvent): boolean =>
    event.kind === "look" || (event.kind === "piece" && [event.source, event.target].includes("adam.holding"));
  const first = events[0];
  if (!first || !isPart(first)) return [];
  const end = events.findIndex((event) => !isPart(event) && !(event.target ?? "").startsWith("supply"));
  return end < 0 ? events : events.slice(0, end);
}

/** One line for the whole search: the story tells the last one step by step. */
function searchSentence(state: TableState, search: readonly GameEvent[]): Part[] | null {
  const taken = search.filter((event) => event.target === "adam.holding");
  const space = numberOf((taken[0]?.source ?? "").split(".")[1] ?? "");
  if (!space) return null; // he is still looking
  const laid = new Map<string, string[]>();
  for (const { source, target, what } of search) {
    if (source === "adam.holding") laid.set(target ?? "", [...(laid.get(target ?? "") ?? []), what ?? ""]);
  }
  return rich((slot) => {
    const goes = [...laid].map(([target, pieces]) =>
      target === "gone" ? m.story_gone({ pieces: slot(piecesAs(pieces)) }) : m.story_lays({ pieces: slot(piecesAs(pieces)), number: Number(target.split(".")[1]) + 1 }),
    );
    const what = goes.join(", ") || slot(piecesAs(taken.map((event) => event.what ?? "")));
    return m.log_adam_search({ name: slot({ name: seatName(state, null) }), number: space, what });
  });
}

export interface TurnLines {
  readonly turn: number | null; // null: before the first
  readonly lines: readonly Line[];
}

export function byTurn(lines: readonly Line[]): TurnLines[] {
  const groups: { turn: number | null; lines: Line[] }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && last.turn === line.turn) last.lines.push(line);
    else groups.push({ turn: line.turn, lines: [line] });
  }
  return groups;
}

/** What a seat has done since its last turn began. */
export function deedsOf(seat: number, events: readonly GameEvent[]): readonly GameEvent[] {
  const begin = events.findLastIndex((event) => event.kind === "turn" && event.seat === seat);
  if (begin < 0) return [];
  const next = events.findIndex((event, at) => at > begin && event.kind === "turn");
  return events.slice(begin, next < 0 ? undefined : next);
}

/** Several things that went the same way are told at once; so are a token and what it brought. */
function together(a: GameEvent, b: GameEvent | undefined): boolean {
  if (!b || (a.seat ?? null) !== (b.seat ?? null)) return false;
  if (a.kind === "token") return a.what === "pick" && b.kind === "piece" && b.source === "bag";
  if (a.kind !== b.kind || !["piece", "prophecy"].includes(a.kind)) return false;
  if (isAdamsDraw(a)) return isAdamsDraw(b);
  const begins = (event: GameEvent) => event.kind === "piece" && isCoatl(event) && (event.value ?? null) === null;
  return !begins(a) && !begins(b) && place(a.source) === place(b.source) && a.target === b.target && !isCard(a);
}

const isCoatl = (event: GameEvent): boolean => (event.target ?? "").startsWith("coatl");
const isCard = (event: GameEvent): boolean => event.kind === "prophecy" && (isCoatl(event) || (event.target ?? "").startsWith("adam"));
const isAdamsDraw = (event: GameEvent): boolean => /^row/.test(event.source ?? "") && /^adam\.\d/.test(event.target ?? "");
const place = (text: string | null | undefined): string => (text ?? "").replace(/^row\.\d$/, "row");

function sentence(state: TableState, events: readonly GameEvent[]): Part[] | null {
  const event = events[0];
  if (!event) return null;
  const who = event.seat !== null && event.seat !== undefined && event.seat === state.seat ? "you" : "they";
  const target = event.target ?? "";
  const number = Number(target.split(".").at(-1)) + 1;
  const say = (make: (basics: { name: string; who: string }, slot: Slot) => string): Part[] =>
    rich((slot) => make({ name: slot({ name: seatName(state, event.seat) }), who }, slot));
  switch (event.kind) {
    case "piece":
      return pieces(say, event, events, number);
    case "prophecy":
      return prophecies(say, event, events, number);
    case "temple": {
      if (target.startsWith("pile")) return null;
      const card = { card: event.what ?? "" };
      return target.startsWith("coatl")
        ? say((is, slot) => m.log_temple({ ...is, card: slot(card), number }))
        : say((is, slot) => m.log_priest({ ...is, card: slot(card) }));
    }
    case "token":
      return token(say, event, events);
    case "coatl":
      return say((is) => m.log_complete({ ...is, points: event.value ?? 0, length: (event.what ?? "").replace(/[<>]/g, "").length }));
    case "shuffle":
      return [{ text: m.log_shuffle() }];
    case "pass":
      return say((is) => m.log_pass(is));
    case "end":
      return event.what === "passed" ? null : [{ text: event.what === "third" ? m.final_third() : m.final_bodies() }];
    case "undo":
      return say((is) => m.log_undo(is));
    default:
      return null;
  }
}

type Say = (make: (basics: { name: string; who: string }, slot: Slot) => string) => Part[];

function token(say: Say, event: GameEvent, all: readonly GameEvent[]): Part[] {
  const name = (TOKENS[event.what ?? ""] ?? m.tokens)();
  const got = piecesAs(all.slice(1).map((one) => one.what ?? ""));
  if (!got.length) return say((is) => m.log_token({ ...is, token: name }));
  return say((is, slot) => m.log_pick({ ...is, token: name, pieces: slot(got) }));
}

function pieces(say: Say, event: GameEvent, all: readonly GameEvent[], number: number): Part[] | null {
  const list = piecesAs(all.map((one) => one.what ?? ""));
  const target = event.target ?? "";
  if (target.startsWith("supply")) return null;
  if (target === "gone" && /^adam\.\d/.test(event.source ?? "")) return null; // with the card that he fulfilled
  if (isCoatl(event) && (event.value ?? null) === null) return say((is, slot) => m.log_begin({ ...is, pieces: slot(list) }));
  if (isCoatl(event)) return say((is, slot) => m.log_place({ ...is, pieces: slot(list), number }));
  if (target === "gone") return say((is, slot) => m.log_gone({ ...is, pieces: slot(list) }));
  if (/^adam\.\d/.test(target)) return say((is, slot) => m.log_adam_lay({ ...is, pieces: slot(list), number }));
  return say((is, slot) => m.log_take({ ...is, pieces: slot(list) }));
}

function prophecies(say: Say, event: GameEvent, all: readonly GameEvent[], number: number): Part[] | null {
  const target = event.target ?? "";
  const card = { card: event.what ?? "" };
  if (target.startsWith("row") || (target === "discard" && place(event.source) === "row")) return null;
  if (isCoatl(event)) return say((is, slot) => m.log_fulfil({ ...is, card: slot(card), number }));
  if (target === "adam.fulfilled") return say((is, slot) => m.log_adam_fulfil({ ...is, card: slot(card) }));
  if (target.startsWith("adam")) return say((is, slot) => m.log_adam_draw({ ...is, card: all.map((one) => slot({ card: one.what ?? "" })).join(" ") }));
  if (target === "discard") return say((is) => m.log_discard({ ...is, n: all.length }));
  if (event.source === "deck") return say((is) => m.log_draw({ ...is, n: all.length }));
  return say((is) => m.log_choose({ ...is, n: all.length }));
}

/** The moves behind some events, as docs/notation.md writes them. A.D.A.M.'s have no text. */
export function notationOf(events: readonly GameEvent[]): string {
  const event = events[0];
  if (!event || event.seat === null || event.seat === undefined) return "";
  const [from = "", key = ""] = (event.source ?? "").split(".");
  const number = Number((event.target ?? "").split(".").at(-1)) + 1;
  if (event.kind === "pass" || event.kind === "undo") return event.kind;
  if (event.kind === "token") {
    const got = events.slice(1).map((one) => one.what ?? "").join("");
    return event.what === "pick" ? `token pick ${got}` : `token ${event.what}`;
  }
  if (event.kind === "temple") return isCoatl(event) ? `${number}:${event.what}` : `token priest ${Number(key) + 1}`;
  if (event.kind === "piece" && from === "supply") return `take ${key}`;
  if (event.kind === "piece" && isCoatl(event)) return events.map((one) => adding(one, number)).join(" ");
  if (event.kind !== "prophecy") return "";
  if (isCoatl(event)) return `${number}:${event.what}`;
  const word = from === "row" ? "pick" : "drop";
  return from === "deck" ? events.map(() => "draw").join(", ") : events.map((one) => (one.what ? `${word} ${one.what}` : word)).join(", ");
}

function adding(event: GameEvent, number: number): string {
  if ((event.value ?? null) === null) return `new ${event.what}`;
  return event.value === 0 && !event.what?.endsWith(">") ? `${event.what}+${number}` : `${number}+${event.what}`;
}
