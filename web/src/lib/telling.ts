/** Events in words, in the reader's language, and in the notation. */

import { isYou, seatName } from "./names";
import { isAdams, isAt, isSame } from "./places";
import type { EventKind, GameEvent, Spot, TableState } from "./protocol";
import { numberOf } from "./supply";
import { stretches } from "./undone";
import { TOKEN_NAMES } from "./tokens";
import { piecesAs, plain, rich, type Part, type Slot } from "./words";
import { lengthOf } from "../parts/pieces";
import { m } from "../paraglide/messages";

export interface Line {
  readonly turn: number | null;
  readonly seat: number | null; // who did it; null: A.D.A.M. or the table
  readonly kind: string;
  readonly parts: readonly Part[];
  readonly text: string;
  readonly notation: string;
  /** of what was taken back: how it went */
  readonly folded?: readonly Line[];
}

/** The piece or the card that an event moves; empty where it is hidden. */
const thing = (event: GameEvent): string => event.piece ?? event.card ?? "";

/** What happened, in lines. What was taken back is one of them. */
export function tell(state: TableState, log: readonly GameEvent[], turn: number | null = null): Line[] {
  const lines: Line[] = [];
  const telling: Telling = { state, moves: movesBehind(log), written: new Set(), turn };
  for (const stretch of stretches(log)) {
    if (!stretch.undone) lines.push(...tellEvents(telling, stretch.events));
    else lines.push(undoneLine(telling, stretch.events));
  }
  return lines;
}

interface Telling {
  readonly state: TableState;
  readonly moves: ReadonlyMap<GameEvent, GameEvent>;
  readonly written: Set<GameEvent>; // the moves whose notation stands in a line already
  turn: number | null;
}

function undoneLine(telling: Telling, events: readonly GameEvent[]): Line {
  const { state, turn } = telling;
  const folded = tellEvents({ ...telling }, events.filter(({ kind }) => kind !== "undo"));
  const undos = events.filter(({ kind }) => kind === "undo");
  const seat = undos[0]?.seat ?? null;
  const parts = rich((slot) => m.log_taken_back({ ...whoDid(state, seat, slot), n: undos.length }));
  return { turn, seat, kind: "undone", parts, text: plain(parts), notation: "", folded };
}

function tellEvents(telling: Telling, log: readonly GameEvent[]): Line[] {
  const { state, moves, written } = telling;
  const lines: Line[] = [];
  const events = log.filter((event) => event.kind !== "move");
  const add = (seat: number | null, kind: string, parts: readonly Part[] | null, notation = ""): void => {
    if (parts) lines.push({ turn: telling.turn, seat, kind, parts, text: plain(parts), notation });
  };
  for (let at = 0; at < events.length; at += 1) {
    const event = events[at];
    if (!event) continue;
    if (event.kind === "turn") telling.turn = event.turn ?? null;
    const search = adamSearch(events.slice(at));
    if (search.length) {
      add(null, "search", searchSentence(state, search));
      add(null, "refill", refillSentence(search.filter(isRefill)));
      at += search.length - 1;
      continue;
    }
    const same: GameEvent[] = [event];
    while (events[at + 1] && together(event, events[at + 1])) same.push(events[(at += 1)] as GameEvent);
    if (isRefill(event)) add(null, "refill", refillSentence(same));
    else add(event.seat ?? null, event.kind, sentence(state, same), notationOf(same, moves, written));
  }
  return lines;
}

/** Of each event the `move` that led to it. */
function movesBehind(log: readonly GameEvent[]): ReadonlyMap<GameEvent, GameEvent> {
  const moves = new Map<GameEvent, GameEvent>();
  let last: GameEvent | undefined;
  for (const event of log) {
    if (event.kind === "move") last = event;
    else if (last) moves.set(event, last);
  }
  return moves;
}

/** A look of A.D.A.M.'s, what he took, where it went. */
const isOfSearch = ({ kind, source, target }: GameEvent): boolean =>
  kind === "look" || (kind === "piece" && (isAt(source, "adam_holding") || isAt(target, "adam_holding")));

/** The events of A.D.A.M.'s search at the beginning of some. */
function adamSearch(events: readonly GameEvent[]): readonly GameEvent[] {
  const first = events[0];
  if (!first || !isOfSearch(first)) return [];
  const end = events.findIndex((event) => !isOfSearch(event) && !isAt(event.target, "supply"));
  return end < 0 ? events : events.slice(0, end);
}

/** Where a search of A.D.A.M.'s begins that these events do not bring to its end; else their number. */
export function beginOfSearch(log: readonly GameEvent[]): number {
  const after = log.findLastIndex((event) => !isOfSearch(event) && !isAt(event.target, "supply")) + 1;
  const begin = log.findIndex((event, at) => at >= after && isOfSearch(event));
  return begin < 0 ? log.length : begin;
}

/** One line for the whole search: the story tells the last one step by step. */
function searchSentence(state: TableState, search: readonly GameEvent[]): Part[] | null {
  const taken = search.filter((event) => isAt(event.target, "adam_holding"));
  const space = numberOf(taken[0]?.source?.space ?? "");
  if (!space) return null; // he is still looking
  const laid = new Map<number | null, string[]>(); // by the number of his card; null: out of the game
  for (const event of search) {
    if (!isAt(event.source, "adam_holding")) continue;
    const card = event.target?.at ?? null;
    laid.set(card, [...(laid.get(card) ?? []), thing(event)]);
  }
  return rich((slot) => {
    const goes = [...laid].map(([card, pieces]) =>
      card === null ? m.story_gone({ pieces: slot(piecesAs(pieces)) }) : m.story_lays({ pieces: slot(piecesAs(pieces)), number: card + 1 }),
    );
    const what = goes.join(", ") || slot(piecesAs(taken.map(thing)));
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

/** The last thing that was done, by anybody: of the turn that goes on, or of the one before. */
export function lastLine(state: TableState, log: readonly GameEvent[]): Line | undefined {
  const turn = log.findLastIndex(({ kind }) => kind === "turn");
  const before = log.slice(0, Math.max(0, turn)).findLastIndex(({ kind }) => kind === "turn");
  return tell(state, log.slice(Math.max(0, before))).findLast(({ kind }) => kind !== "refill");
}

/** What a seat has done since its last turn began, and not taken back. */
export function deedsOf(seat: number, log: readonly GameEvent[]): readonly GameEvent[] {
  const events = stretches(log).flatMap((stretch) => (stretch.undone ? [] : stretch.events));
  const begin = events.findLastIndex((event) => event.kind === "turn" && event.seat === seat);
  if (begin < 0) return [];
  const next = events.findIndex((event, at) => at > begin && event.kind === "turn");
  return events.slice(begin, next < 0 ? undefined : next);
}

/** Several things that went the same way are told at once; so are a token and what it brought. */
function together(a: GameEvent, b: GameEvent | undefined): boolean {
  if (!b || (a.seat ?? null) !== (b.seat ?? null)) return false;
  if (a.kind === "token") return a.token === "pick" && b.kind === "piece" && isAt(b.source, "bag");
  if (a.kind !== b.kind || !["piece", "prophecy"].includes(a.kind)) return false;
  if (isAdamsDraw(a)) return isAdamsDraw(b);
  if (isRefill(a)) return isRefill(b);
  return !begins(a) && !begins(b) && comesFromSame(a.source, b.source) && isSame(a.target, b.target) && !isCard(a);
}

const isCoatl = (event: GameEvent): boolean => isAt(event.target, "coatl");
const begins = (event: GameEvent): boolean => event.kind === "piece" && isCoatl(event) && (event.at ?? null) === null;
const isCard = (event: GameEvent): boolean => event.kind === "prophecy" && (isCoatl(event) || isAdams(event.target));
const isRefill = (event: GameEvent): boolean => event.kind === "piece" && isAt(event.source, "bag") && isAt(event.target, "supply");
const isAdamsDraw = (event: GameEvent): boolean => isAt(event.source, "row") && isAt(event.target, "adam_card");

/** The row is one place, whatever lies where. */
const comesFromSame = (a: Spot | null | undefined, b: Spot | null | undefined): boolean =>
  (isAt(a, "row") && isAt(b, "row")) || isSame(a, b);

function sentence(state: TableState, events: readonly GameEvent[]): Part[] | null {
  const event = events[0];
  if (!event) return null;
  const number = (event.target?.at ?? 0) + 1;
  const say: Say = (make) => rich((slot) => make(whoDid(state, event.seat ?? null, slot), slot));
  switch (event.kind) {
    case "piece":
      return pieces(say, event, events, number);
    case "prophecy":
      return prophecies(say, event, events, number);
    case "temple": {
      if (isAt(event.target, "pile")) return null;
      const card = { card: thing(event) };
      return isCoatl(event)
        ? say((is, slot) => m.log_temple({ ...is, card: slot(card), number }))
        : say((is, slot) => m.log_priest({ ...is, card: slot(card) }));
    }
    case "token":
      return token(say, event, events);
    case "coatl":
      return say((is) => m.log_complete({ ...is, points: event.points ?? 0, length: lengthOf(event.pieces ?? "") }));
    case "shuffle":
      return [{ text: m.log_shuffle() }];
    case "pass":
      return say((is) => m.log_pass(is));
    case "end":
      return event.end === "passed" ? null : [{ text: endText(event.end === "third", state.view?.players === 1) }];
    case "undo":
      return say((is) => m.log_undo(is));
    default:
      return null;
  }
}

/** What ends the game, at once (R18) or after the last turns. */
function endText(byThird: boolean, isSolo: boolean): string {
  if (isSolo) return byThird ? m.over_third() : m.over_bodies();
  return byThird ? m.final_third() : m.final_bodies();
}

type Basics = { name: string; who: string };
type Say = (make: (basics: Basics, slot: Slot) => string) => Part[];

const whoDid = (state: TableState, seat: number | null, slot: Slot): Basics =>
  ({ name: slot({ name: seatName(state, seat) }), who: isYou(state, seat) ? "you" : "they" });

function refillSentence(refills: readonly GameEvent[]): Part[] | null {
  return refills.length ? rich((slot) => m.log_refill({ pieces: slot(piecesAs(refills.map(thing))) })) : null;
}

function token(say: Say, event: GameEvent, all: readonly GameEvent[]): Part[] {
  const name = event.token ? TOKEN_NAMES[event.token]() : m.tokens();
  const got = piecesAs(all.slice(1).map(thing));
  if (!got.length) return say((is) => m.log_token({ ...is, token: name }));
  return say((is, slot) => m.log_pick({ ...is, token: name, pieces: slot(got) }));
}

function pieces(say: Say, event: GameEvent, all: readonly GameEvent[], number: number): Part[] | null {
  const list = piecesAs(all.map(thing));
  const { source, target } = event;
  if (isAt(target, "gone") && isAt(source, "adam_card")) return null; // with the card that he fulfilled
  if (begins(event)) return say((is, slot) => m.log_begin({ ...is, pieces: slot(list) }));
  if (isCoatl(event)) return say((is, slot) => m.log_place({ ...is, pieces: slot(list), number }));
  if (isAt(target, "gone")) return say((is, slot) => m.log_gone({ ...is, pieces: slot(list) }));
  if (isAt(target, "adam_card")) return say((is, slot) => m.log_adam_lay({ ...is, pieces: slot(list), number }));
  return say((is, slot) => m.log_take({ ...is, pieces: slot(list) }));
}

function prophecies(say: Say, event: GameEvent, all: readonly GameEvent[], number: number): Part[] | null {
  const { source, target } = event;
  const card = { card: thing(event) };
  if (isAt(target, "row") || (isAt(target, "discard") && isAt(source, "row"))) return null;
  if (isCoatl(event)) return say((is, slot) => m.log_fulfil({ ...is, card: slot(card), number }));
  if (isAt(target, "adam_fulfilled")) return say((is, slot) => m.log_adam_fulfil({ ...is, card: slot(card) }));
  if (isAdams(target)) return say((is, slot) => m.log_adam_draw({ ...is, card: all.map((one) => slot({ card: thing(one) })).join(" ") }));
  if (isAt(target, "discard")) return say((is) => m.log_discard({ ...is, n: all.length }));
  if (isAt(source, "deck")) return say((is) => m.log_draw({ ...is, n: all.length }));
  return say((is, slot) => m.log_choose_open({ ...is, cards: all.map((one) => slot({ card: thing(one) })).join(", ") }));
}

/** What a seat does with a move of its own; what else happens is only told in words. */
const DEEDS: ReadonlySet<EventKind> = new Set(["piece", "prophecy", "temple", "token", "pass"]);

/**
 * The moves behind some events in the notation, each of them once. A.D.A.M.'s have none; those that
 * are hidden are discards at the setup.
 */
function notationOf(events: readonly GameEvent[], moves: ReadonlyMap<GameEvent, GameEvent>, written: Set<GameEvent>): string {
  const first = events[0];
  if (!first || first.seat === null || first.seat === undefined) return "";
  if (first.kind === "undo") return "undo";
  if (!DEEDS.has(first.kind)) return "";
  const decided = new Set(events.flatMap((event) => moves.get(event) ?? []));
  const fresh = [...decided].filter((event) => !written.has(event));
  fresh.forEach((event) => written.add(event));
  const texts = fresh.map(({ move }) => move?.text ?? "drop");
  return texts.join(first.kind === "piece" ? " " : ", ");
}
