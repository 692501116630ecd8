/**
 * A table as this browser sees it: one connection for each seat it holds. Several seats in one
 * browser are people at one device: only one of them is shown, and a curtain falls in between.
 */

import { SvelteMap } from "svelte/reactivity";
import { Closings } from "./closings.svelte";
import { TableConnection, socketUrl, type ClientRequest, type Connection, type Handlers, type Link } from "./connection";
import { device } from "./device.svelte";
import type { GameEvent, Reason, Refused, TableState } from "./protocol";
import { reloadOnce } from "./reload";
import { holdSeat, type HeldSeat } from "./seats";
import { botFor, hasStandIn, mayTakeOver } from "./standin";
import { isStarting } from "./startup.svelte";
import { Playback } from "./story/playback.svelte";
import { isTurnOver } from "./turnend";

/** What may have to be said of the connection. */
export type Trouble = "offline" | "reconnecting" | "stale" | "sending";

const TROUBLES: Partial<Record<Link, Trouble>> = {
  offline: "offline", lost: "reconnecting", connecting: "reconnecting", silent: "stale",
};

/** How a seat is connected. */
export type Connect = (seat: HeldSeat, handlers: Handlers) => Connection;

const bySocket: Connect = (seat, handlers) => new TableConnection(socketUrl(seat.table), seat.token, handlers);

export class TableStore {
  readonly seats: readonly HeldSeat[];
  states = new SvelteMap<string, TableState>();
  links = new SvelteMap<string, Link>();
  sending = new SvelteMap<string, boolean>();
  logs = new SvelteMap<string, readonly GameEvent[]>();
  connected = $state<readonly boolean[]>([]);
  watching = $state(0);
  shown = $state(""); // the token whose view is on the screen
  curtain = $state(false);
  refused = $state<Refused | null>(null);
  reason = $state<Reason | null>(null);
  fatal = $state<string | null>(null);
  decided = $state(-1); // the version at which a decision was sent: what the screen asks for is out of date

  readonly closings = new Closings();
  private readonly connections = new Map<string, Connection>();
  private ended = 0; // the version at which a turn was ended because nothing was left to choose
  private readonly joining = new Set<string>();
  private readonly playbacks = new Map<string, Playback>();

  constructor(readonly table: string, seats: readonly HeldSeat[], private readonly open: Connect = bySocket) {
    this.seats = seats;
    device.people = this.people;
    this.shown = seats[0]?.token ?? "";
    for (const { token } of seats) {
      const blocked = () => this.curtain || this.shown !== token;
      this.playbacks.set(token, new Playback(() => this.ownSeats(), blocked, () => this.tellShown(token)));
    }
    for (const seat of seats) this.connections.set(seat.token, this.connect(seat));
  }

  /** The seats that people at this device play themselves, by number in the game. */
  private ownSeats(): ReadonlySet<number> {
    const own = [...this.states.values()].filter((state) => botFor(state) === null);
    return new Set(own.flatMap(({ seat }) => (seat === null ? [] : [seat])));
  }

  /** How the states of the shown seat are played out. */
  get playback(): Playback {
    return this.playbacks.get(this.shown) ?? new Playback(() => new Set());
  }

  /** Is it a lesson? Then there is no table on the server to be left, shared or carried away. */
  get isLesson(): boolean {
    return this.open !== bySocket;
  }

  private connect(seat: HeldSeat): Connection {
    return this.open(seat, {
      state: (state) => this.hear(seat, state),
      refused: (refused) => this.hearRefusal(refused),
      reason: (reason) => (this.reason = reason),
      closings: (found) => this.closings.hear(found, this.states.get(seat.token)),
      presence: (connected, watching) => {
        this.connected = connected;
        this.watching = watching;
      },
      link: (link) => this.links.set(seat.token, link),
      sending: (sending) => this.sending.set(seat.token, sending),
    });
  }

  private hear(seat: HeldSeat, state: TableState): void {
    const known = this.logs.get(seat.token) ?? [];
    this.logs.set(seat.token, [...known.slice(0, state.first_event), ...state.events]);
    this.states.set(seat.token, state);
    if (seat.role === "seat") this.closings.refresh(state, () => this.connections.get(seat.token)?.send({ type: "closings" }));
    this.connected = state.places.map((place) => place.connected);
    if (!seat.promise && state.promise) holdSeat({ ...seat, promise: state.promise });
    this.joinIfAsked(seat, state);
    this.turnTo(state);
    this.playbacks.get(seat.token)?.hear(state);
    if (seat.token !== this.shown) this.tellShown(seat.token); // nobody looks at it
  }

  /** A bot that plays for a seat makes no move before the last one is on the screen. */
  private tellShown(token: string): void {
    const state = this.states.get(token);
    if (state && hasStandIn(state)) this.connections.get(token)?.tellShown(state.version);
  }

  /** Sit down with the nonce that this browser made for the seat. */
  private joinIfAsked(seat: HeldSeat, state: TableState): void {
    if (state.place === null || state.places[state.place]?.ready) return;
    if (this.joining.has(seat.token)) return;
    this.joining.add(seat.token);
    const join = { type: "join", nonce: seat.nonce, name: seat.name || null } as const;
    this.connections.get(seat.token)?.send(join);
  }

  /** Whose turn is it, among those at this device? */
  private turnTo(state: TableState): void {
    const toMove = state.view?.to_move;
    if (toMove === null || toMove === undefined) {
      if (state.status === "over") this.curtain = false;
      return;
    }
    const place = state.seating[toMove];
    if (place !== undefined && botFor(state, place) !== null) return; // nobody has to look
    const next = this.seats.find((held) => this.states.get(held.token)?.place === place);
    if (!next || next.token === this.shown) return;
    if (this.people > 1) this.curtain = true;
    this.shown = next.token;
    this.playback.next();
  }

  private hearRefusal(refused: Refused): void {
    const fatal = ["bad_token", "unknown_table", "forbidden", "wrong_protocol", "damaged"];
    this.decided = -1;
    if (refused.code === "wrong_protocol" && reloadOnce()) return;
    if (isStarting(refused.code)) return; // it is away for the moment, and what was done is not lost
    if (fatal.includes(refused.code)) this.fatal = refused.code;
    else if (refused.code !== "stale" && refused.code !== "taken") this.refused = refused;
  }

  /** People at this device. */
  get people(): number {
    return this.seats.filter((seat) => seat.role === "seat").length;
  }

  /** What the screen shows: it may still be playing out what led to `latest`. */
  get state(): TableState | undefined {
    return this.playback.shown;
  }

  get latest(): TableState | undefined {
    return this.states.get(this.shown);
  }

  get link(): Link {
    return this.links.get(this.shown) ?? "connecting";
  }

  /** What is wrong with the connection of the shown seat; null: nothing. */
  get trouble(): Trouble | null {
    return TROUBLES[this.link] ?? (this.sending.get(this.shown) ? "sending" : null);
  }

  get log(): readonly GameEvent[] {
    return this.heard.slice(0, this.playback.told);
  }

  /** Everything this seat has heard, shown or not yet. */
  get heard(): readonly GameEvent[] {
    return this.logs.get(this.shown) ?? [];
  }

  get held(): HeldSeat | undefined {
    return this.seats.find((seat) => seat.token === this.shown);
  }

  send(request: ClientRequest): void {
    this.refused = null;
    this.reason = null;
    this.connections.get(this.shown)?.send(request);
  }

  decide(move: string): void {
    const state = this.state;
    if (!state) return;
    this.send({ type: "decide", version: state.version, move });
    this.decided = state.version;
  }

  /** End a turn in which nothing is left to choose, once. */
  endTurn(): void {
    const state = this.state;
    if (!state || state.version === this.ended || !isTurnOver(state)) return;
    this.ended = state.version;
    this.decide("done");
  }

  undo(): void {
    const state = this.state;
    if (state) this.send({ type: "undo", version: state.version });
  }

  /** The other seats at this device for which bots play, by token: they can be taken over again. */
  get standIns(): readonly { readonly token: string; readonly place: number }[] {
    return [...this.states].flatMap(([token, state]) =>
      token !== this.shown && state.place !== null && mayTakeOver(state) ? [{ token, place: state.place }] : [],
    );
  }

  takeOver(token: string = this.shown): void {
    this.refused = null;
    this.connections.get(token)?.send({ type: "take_back" });
  }

  why(move: string): void {
    this.send({ type: "why", move });
  }

  raiseCurtain(): void {
    this.curtain = false;
    this.playback.next();
  }

  close(): void {
    for (const playback of this.playbacks.values()) playback.close();
    for (const connection of this.connections.values()) connection.close();
  }
}
