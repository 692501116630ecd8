/**
 * What a new state of the server looks like when it is played out: a list of scenes, the last of which
 * is the state itself. A.D.A.M.'s turn, which the server plays at once, becomes one scene a step.
 */

import { isAt, placeKey } from "../places";
import type { GameEvent, TableState, ViewData } from "../protocol";
import { SPACES, type Space } from "../supply";
import { Table } from "./apply";

export interface Look {
  readonly card: number; // which of his cards, from 0
  readonly wants: string; // the colours that it misses
  readonly space: string | null; // where he found one; null: nowhere
}

/** A.D.A.M.'s turn as far as it is told. */
export interface AdamTurn {
  readonly step: 1 | 2 | 3 | 4 | 5;
  readonly done: boolean;
  readonly looks: readonly Look[];
  readonly searching: boolean; // the last look goes on: what it finds is not told yet
  readonly space: string | null; // the one that he took
  readonly taken: readonly string[];
  readonly laid: readonly { readonly piece: string; readonly card: number | null }[]; // null: out of the game
  readonly fulfilled: readonly string[];
  readonly passed: readonly { readonly piece: string; readonly card: number | null }[];
  readonly drawn: readonly string[];
}

const BEGIN: AdamTurn = {
  step: 1, done: false, looks: [], searching: false, space: null,
  taken: [], laid: [], fulfilled: [], passed: [], drawn: [],
};

/** How long a scene stands: not at all, for a person to follow, or for a step of A.D.A.M. */
export type Pace = "none" | "own" | "other" | "adam";

export interface Scene {
  readonly state: TableState;
  readonly events: readonly GameEvent[]; // what led to it from the scene before
  readonly told: number; // events of the game told by now
  readonly adam: AdamTurn | null;
  readonly pace: Pace;
}

interface Group {
  readonly events: readonly GameEvent[];
  readonly adam: AdamTurn | null;
}

/** `mine`: the seats of people at this device, who need not be told what they did. */
export function scenesOf(before: TableState, after: TableState, mine: ReadonlySet<number>): Scene[] {
  const [old, view] = [before.view, after.view];
  if (!old || !view || after.events.some((event) => event.kind === "undo")) return [lastScene(after, mine)];
  const groups = groupsOf(old, after.events, view);
  const table = new Table(old, view);
  let told = after.first_event;
  return groups.map((group, at) => {
    group.events.forEach((event) => table.apply(event));
    told += group.events.length;
    const isLast = at === groups.length - 1;
    const state = isLast ? after : between(after, table.view(), told);
    return { state, events: group.events, told, adam: group.adam, pace: paceOf(group, mine) };
  });
}

function lastScene(after: TableState, mine: ReadonlySet<number>): Scene {
  const told = after.first_event + after.events.length;
  return { state: after, events: after.events, told, adam: null, pace: paceOf({ events: after.events, adam: null }, mine) };
}

function between(after: TableState, view: ViewData, told: number): TableState {
  return { ...after, status: "playing", view, can_undo: false, standing: [], fairness: null, first_event: told, events: [] };
}

const SILENT = new Set(["move", "turn", "over"]);

function paceOf({ events, adam }: Group, mine: ReadonlySet<number>): Pace {
  if (adam) return "adam";
  const loud = events.filter((event) => !SILENT.has(event.kind));
  if (!loud.length) return "none";
  const others = loud.some((event) => event.seat !== null && event.seat !== undefined && !mine.has(event.seat));
  return others ? "other" : "own";
}

/** Cut the events into what is shown at once. Outside A.D.A.M.'s turns that is everything. */
function groupsOf(old: ViewData, events: readonly GameEvent[], view: ViewData): Group[] {
  const groups: Group[] = [];
  const table = new Table(old, view);
  let rest: GameEvent[] = [];
  let adam: AdamTurn | null = null;
  const flush = () => {
    if (rest.length) groups.push({ events: rest, adam });
    rest = [];
  };
  for (const event of events) {
    const begins = event.kind === "turn" && (event.seat === null || event.seat === undefined);
    if (begins && view.adam) {
      rest.push(event);
      flush();
      adam = BEGIN;
    } else if (adam && event.kind === "turn") {
      flush();
      rest.push(event);
      adam = { ...adam, step: 5, done: true };
      flush();
      adam = null;
    } else if (adam) {
      const cut = startsScene(event, rest);
      if (cut) flush();
      if (event.kind === "look") groups.push({ events: [], adam: (adam = searching(adam, event, table)) });
      adam = further(adam, event);
      rest.push(event);
    } else rest.push(event);
    table.apply(event);
  }
  if (adam) flush();
  if (adam) groups.push({ events: [], adam: { ...adam, step: 5, done: true } });
  flush();
  return groups.length ? groups : [{ events: [], adam: null }];
}

/** Does a step of A.D.A.M.'s begin with this event? */
function startsScene(event: GameEvent, scene: readonly GameEvent[]): boolean {
  const first = scene[0];
  if (!first || event.kind === "look") return true;
  const kind = sceneKind(event);
  return kind !== "" && kind !== scene.map(sceneKind).findLast(Boolean);
}

function sceneKind(event: GameEvent): string {
  const { kind, source, target } = event;
  if (kind === "look") return "look";
  if (!source || !target) return "";
  if (isAt(target, "adam_holding")) return "take";
  if (isAt(source, "adam_holding")) return `lay ${placeKey(target)}`;
  if (isAt(target, "adam_fulfilled")) return `fulfil ${placeKey(source)} ${event.card}`;
  return isAt(source, "row") && isAt(target, "adam_card") ? `draw ${placeKey(target)}` : "";
}

function searching(adam: AdamTurn, event: GameEvent, table: Table): AdamTurn {
  const card = event.source?.at ?? 0;
  const wants = table.view().adam?.cards[card]?.missing ?? "";
  return { ...adam, step: 1, searching: true, looks: [...adam.looks, { card, wants, space: null }] };
}

function further(adam: AdamTurn, event: GameEvent): AdamTurn {
  const { source, target } = event;
  const what = event.piece ?? event.card ?? "";
  if (event.kind === "look") {
    const last = adam.looks.at(-1);
    const looks = last ? [...adam.looks.slice(0, -1), { ...last, space: target?.space ?? null }] : adam.looks;
    return { ...adam, step: 2, searching: false, looks };
  }
  if (isAt(target, "adam_holding")) return { ...adam, step: 3, space: source?.space ?? null, taken: [...adam.taken, what] };
  const goes = { piece: what, card: isAt(target, "adam_card") ? (target?.at ?? 0) : null };
  if (isAt(source, "adam_holding")) return { ...adam, step: 4, laid: [...adam.laid, goes] };
  if (isAt(target, "adam_fulfilled")) return { ...adam, step: 5, fulfilled: [...adam.fulfilled, what] };
  if (isAt(source, "adam_card") && event.kind === "piece") return { ...adam, passed: [...adam.passed, goes] };
  if (isAt(source, "row") && isAt(target, "adam_card")) return { ...adam, step: 5, drawn: [...adam.drawn, what] };
  return adam;
}

/** The spaces that a look went past: those before the one it found, or all of them. */
export function passedBy(look: Look): readonly string[] {
  const at = look.space === null ? SPACES.length : SPACES.indexOf(look.space as Space);
  return SPACES.slice(0, at);
}

/** What the numbers on the supply stone show while he plays. */
export function adamNumbers(turn: AdamTurn | null): { past: readonly string[]; hit: string | null } | undefined {
  if (!turn || turn.done) return undefined;
  const look = turn.searching ? undefined : turn.looks.at(-1);
  return { past: look ? passedBy(look) : [], hit: turn.step > 3 ? null : (turn.space ?? look?.space ?? null) };
}
