/**
 * What a person has picked up and not yet put down, and what is explained beside it. It holds no
 * rule: the places it lights are the moves that the server sent.
 */

import { choicesOf, readChoices, type Choices } from "./choices";
import { askedMove, asksFirst, isStillThere, legalMove, targets, type DropPlace, type Held } from "./intent";
import { Keeping } from "./keeping.svelte";
import { keepPlaces, type Places } from "./keptplaces";
import type { Box } from "./popplace";
import type { GameEvent, Move, Reason, SeatView, Side, TableState, Token } from "./protocol";
import { settings } from "./settings.svelte";
import { botFor } from "./standin";
import { isTurnOver } from "./turnend";
import { turnSteps, type Step } from "./turnsteps";
import { inPx } from "./units.svelte";

const NOTHING = readChoices([]);

/** What is shown beside its cause. */
export type Pop =
  | { readonly kind: "card"; readonly card: string; readonly from: Held | null; readonly among?: readonly string[]; readonly anchor: Box }
  | { readonly kind: "take"; readonly space: string; readonly anchor: Box }
  | { readonly kind: "confirm"; readonly move: Move; readonly anchor: Box }
  | { readonly kind: "token"; readonly token: Token; readonly anchor: Box }
  | { readonly kind: "why"; readonly move: string | null; readonly anchor: Box };

/** What a phone shows above the lanes. */
export type Stage = "supply" | "prophecies" | "temples" | "log";

export interface Table {
  readonly state: TableState | undefined;
  readonly log: readonly GameEvent[];
  readonly reason: Reason | null;
  /** then whatever is done can be taken back */
  readonly isLesson?: boolean;
  decide(move: string): void;
  why(move: string): void;
}

export class Selection {
  held = $state.raw<Held | null>(null);
  pop = $state.raw<Pop | null>(null);
  dragging = $state(false);
  raised = $state(false); // the hand, on a phone
  stage = $state<Stage>("supply");
  showsAdam = $state(false); // on a phone: his cards above the stone, as while he plays; the spaces have their numbers
  behindSheet = $state(false); // the table: a step of the turn is made in a sheet over it
  readonly keeping = new Keeping(this); // at set-up

  private readonly boards = new Map<number, Places>(); // by seat: several may play at this device
  private readonly hands = new Map<number, Places>();
  private from: number | null = null; // the place of what was put down last

  constructor(readonly table: Table) {}

  get own(): SeatView | undefined {
    const state = this.table.state;
    return state?.seat === null || state?.seat === undefined ? undefined : state.view?.seats[state.seat];
  }

  /** The wells of the board, by place; null is empty. */
  readonly board: Places = $derived.by(() => this.kept(this.boards, this.own?.board ?? []));

  /** The places of the hand; null is empty. */
  readonly hand: Places = $derived.by(() => this.kept(this.hands, this.own?.hand ?? []));

  private kept(all: Map<number, Places>, now: readonly string[]): Places {
    const seat = this.table.state?.seat ?? -1;
    const places = keepPlaces(all.get(seat) ?? [], now, this.from);
    all.set(seat, places);
    return places;
  }

  /** Is it this person's decision, and not that of a bot that plays for them? */
  get mine(): boolean {
    const state = this.table.state;
    const toMove = state?.view?.to_move ?? null;
    return state !== undefined && toMove !== null && toMove === state.seat && botFor(state) === null;
  }

  get choices(): Choices {
    const state = this.table.state;
    if (!state?.view || state.place === null || botFor(state) !== null || isTurnOver(state)) return NOTHING;
    return choicesOf(state.view.moves);
  }

  /** What this seat has done in this turn. */
  get steps(): readonly Step[] {
    return turnSteps(this.table.log, this.table.state?.seat ?? null);
  }

  /** The card that was drawn just now, unseen before. */
  get drawn(): string | null {
    const last = this.mine ? this.steps.at(-1) : undefined;
    return last?.kind === "drawn" ? last.what : null;
  }

  /** The text of the chosen piece, `<K`. */
  get pieceText(): string | null {
    return this.held?.kind === "piece" ? this.held.piece : null;
  }

  get piece(): number | null {
    return this.held?.kind === "piece" ? this.held.at : null;
  }

  /** The supply space that is about to be taken. */
  get space(): string | null {
    return this.held?.kind === "space" ? this.held.space : null;
  }

  /** The card that is explained: its matches are lit on your Cóatl. */
  get reading(): string | null {
    return this.pop?.kind === "card" ? this.pop.card : null;
  }

  /** The places where what is held may go. */
  get targets(): ReadonlySet<string> {
    return targets(this.held, this.choices);
  }

  clear(): void {
    this.held = this.pop = null;
  }

  /** A new state came: what is held stays if it is still there, and what is only read stays open. */
  refresh(): void {
    const view = this.table.state?.view;
    const isThere = (held: Held) => Boolean(view && isStillThere(held, view, this.own, this.board));
    if (this.held && !isThere(this.held)) this.held = null;
    if (this.pop?.kind !== "card" || (this.pop.from && !isThere(this.pop.from))) this.pop = null;
    this.keeping.refresh();
  }

  private isHeld(held: Held): boolean {
    return JSON.stringify(this.held) === JSON.stringify(held);
  }

  /** Pick up, or put back what is picked up. A card is explained meanwhile. */
  pick(held: Held, anchor: Box): void {
    const same = this.isHeld(held);
    const taken = held.kind === "space" || held.kind === "row";
    if (same && taken) return this.put(held, { kind: held.kind === "space" ? "board" : "hand" }, anchor, true);
    this.clear();
    if (same) return;
    if (held.kind === "space") return this.pickSpace(held, anchor);
    if (held.kind === "deck") return this.put(held, { kind: "hand" }, anchor);
    this.held = held;
    if (held.kind !== "piece") this.pop = { kind: "card", card: held.card, from: held, anchor };
  }

  /** Tell about something and play nothing: what it is, where it may go, or why it may go nowhere. */
  explain(held: Held, anchor: Box): void {
    this.clear();
    const { takes, draw } = this.choices;
    if (held.kind === "deck") {
      if (draw) this.pop = { kind: "confirm", move: draw, anchor };
      else this.ask("draw", anchor);
    } else if (held.kind === "space") {
      if (!takes.has(held.space)) return this.ask(`take ${held.space}`, anchor);
      this.held = held;
      this.pop = { kind: "take", space: held.space, anchor };
    } else {
      this.held = held;
      if (held.kind !== "piece") this.pop = { kind: "card", card: held.card, from: held, anchor };
      else if (!this.targets.size) this.ask(`new ${held.piece}`, anchor);
    }
  }

  private pickSpace(held: Held & { kind: "space" }, anchor: Box): void {
    if (!this.choices.takes.has(held.space) || !settings.now.confirmTakes)
      return this.put(held, { kind: "board" }, anchor, true);
    this.held = held;
    this.pop = { kind: "take", space: held.space, anchor };
  }

  /** Put something somewhere: play it, ask first, or tell why not. */
  put(held: Held, place: DropPlace, anchor: Box, sure = false): void {
    const move = legalMove(held, place, this.choices);
    this.from = held.kind === "piece" ? held.at : null;
    if (!move) {
      const asked = askedMove(held, place);
      this.clear();
      if (asked) this.ask(asked, anchor);
    } else if (held.kind === "space" && !sure && settings.now.confirmTakes) {
      this.held = held;
      this.pop = { kind: "take", space: held.space, anchor };
    } else this.request(move, anchor);
  }

  /** Play a legal move; one that shows something is asked about first. */
  request(move: Move, anchor: Box): void {
    if (settings.now.confirmFinal && asksFirst(move, this.table.state?.view?.final ?? [])) this.pop = { kind: "confirm", move, anchor };
    else this.decide(move);
  }

  /** End a turn, or a step of it; where something is left to do that may be asked about first. */
  end(move: Move, anchor: Box): void {
    const isOnly = (this.table.state?.view?.moves.length ?? 0) <= 1;
    const isAsked = this.pop?.kind === "confirm" && this.pop.move.text === move.text;
    if (!settings.now.confirmEnd || isOnly || isAsked) this.decide(move);
    else this.pop = { kind: "confirm", move, anchor };
  }

  decide(move: Move): void {
    this.clear();
    this.table.decide(move.text);
  }

  /** Ask the server why a move is not allowed. */
  ask(move: string, anchor: Box): void {
    this.pop = { kind: "why", move: this.mine ? move : null, anchor };
    if (this.mine) this.table.why(move);
  }

  /** An empty lane was pressed with nothing in hand: if none of the pieces may begin a Cóatl, tell why. */
  askBegin(anchor: Box): void {
    const [piece] = this.own?.board ?? [];
    this.clear();
    if (this.mine && piece && !this.choices.begins.size) this.ask(`new ${piece}`, anchor);
  }

  /** `among`: the cards that lie beside it, small as they are; from one of them the others can be reached. */
  read(card: string, anchor: Box, among: readonly string[] = []): void {
    const same = this.reading === card;
    this.clear();
    if (!same) this.pop = { kind: "card", card, from: null, among, anchor };
  }

  /** The card before (-1) or after (1) the one that is read, at the same place; after the last comes the first. */
  readBeside(step: -1 | 1): void {
    if (this.pop?.kind !== "card") return;
    const { among = [], card } = this.pop;
    const next = among.at((among.indexOf(card) + step) % among.length);
    if (next !== undefined) this.pop = { ...this.pop, card: next };
  }

  useToken(token: Token, anchor: Box): void {
    const same = this.pop?.kind === "token" && this.pop.token === token;
    this.clear();
    if (!same) this.pop = { kind: "token", token, anchor };
  }
}

/** The place of an element on the page. */
export function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left: left + scrollX, top: top + scrollY, width, height };
}

export const boxOfEvent = (event: Event): Box => boxOf(event.currentTarget as Element);

/** All your Cóatl; a spectator has none. */
export function boxOfLanes(): Box | undefined {
  const lanes = document.querySelector(".lanes-box");
  return lanes ? boxOf(lanes) : undefined;
}

/** A place on the dock, from the upper edge of the dock on: what lies above it covers nothing of the dock. */
export function fromDock(box: Box): Box {
  const dock = document.querySelector(".dock-box");
  const top = dock ? boxOf(dock).top : box.top;
  return { ...box, top, height: box.top + box.height - top };
}

/** One end of the serpent in a lane: what is said about that end points there. */
export function boxOfEnd(lane: Element, side: Side): Box {
  const box = boxOf(lane.querySelector(".serp") ?? lane);
  const width = Math.min(box.width, inPx(40));
  return { ...box, width, left: side === "left" ? box.left : box.left + box.width - width };
}
