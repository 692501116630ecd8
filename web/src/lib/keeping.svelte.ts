/**
 * The Prophecy cards that are kept at set-up: they are ticked, then the others are discarded one after
 * another, and the set-up is ended. How many may be kept are the server's numbers.
 */

import { cards } from "./cards.svelte";
import type { Choices } from "./choices";
import type { Places } from "./keptplaces";
import type { Move, TableState } from "./protocol";

/** What it has to know of the table (a Selection). */
export interface KeepTable {
  readonly mine: boolean;
  readonly choices: Choices;
  readonly hand: Places;
  readonly table: { readonly state: TableState | undefined; decide(move: string): void };
}

/** How many cards are ticked, and how many have to be. */
export interface KeepCount {
  readonly ticked: number;
  readonly least: number;
  readonly most: number;
}

/** The moves under way: what shall be left, and what the last move was sent for. */
interface Errand {
  readonly seat: number | null;
  readonly kept: readonly string[];
  readonly version: number;
  readonly before: string;
  readonly after: string;
}

export class Keeping {
  private chosen = $state.raw<{ readonly seat: number | null; readonly places: ReadonlySet<number> } | null>(null);
  private errand = $state.raw<Errand | null>(null);

  constructor(private readonly at: KeepTable) {}

  private get state(): TableState | undefined {
    return this.at.table.state;
  }

  /** Is it this person's turn to choose? */
  get open(): boolean {
    return this.at.mine && this.state?.view?.phase === "setup";
  }

  /** Are the moves on their way? */
  get busy(): boolean {
    return this.errand !== null;
  }

  private get names(): readonly string[] {
    return this.at.hand.flatMap((name) => name ?? []);
  }

  /** The ticked places of the hand. Until a tick is set or taken away: all, if all may be kept. */
  get places(): ReadonlySet<number> {
    const { most } = this.limits;
    const all = this.at.hand.flatMap((name, place) => (name === null ? [] : [place]));
    if (this.isTouched) return new Set(all.filter((place) => this.chosen?.places.has(place)));
    return new Set(all.length <= most ? all : []);
  }

  private get isTouched(): boolean {
    return this.chosen !== null && this.chosen.seat === this.state?.seat;
  }

  private get limits(): { readonly least: number; readonly most: number } {
    const { kept, kept_solo } = cards.numbers;
    return this.state?.view?.adam ? { least: kept_solo, most: kept_solo } : { least: 0, most: kept };
  }

  get count(): KeepCount {
    return { ticked: this.places.size, ...this.limits };
  }

  /** Is everything in the hand ticked? */
  get all(): boolean {
    return this.places.size === this.names.length;
  }

  /** May this be kept? To keep nothing at all, a tick must have been taken away. */
  get ready(): boolean {
    const { ticked, least, most } = this.count;
    return this.open && !this.busy && ticked >= least && ticked <= most && (ticked > 0 || this.isTouched);
  }

  toggle(place: number): void {
    if (!this.open || this.busy || !this.at.hand[place]) return;
    const places = new Set(this.places);
    if (!places.delete(place)) places.add(place);
    this.chosen = { seat: this.state?.seat ?? null, places };
  }

  /** Keep what is ticked: the first move is sent, the others when its state has come. */
  keep(): void {
    if (!this.ready) return;
    this.send([...this.places].flatMap((place) => this.at.hand[place] ?? []));
  }

  /**
   * A state came. If it is what the last move makes of the hand, or that move came too late for its
   * version, the next one is sent; anything else (an undo, another window, a bot) ends it.
   */
  refresh(): void {
    const errand = this.errand;
    if (!errand || this.state?.version === errand.version) return;
    const hand = handText(this.names);
    const isOurs = this.open && this.state?.seat === errand.seat && (hand === errand.after || hand === errand.before);
    if (isOurs) this.send(errand.kept);
    else this.stop();
  }

  /** The server refused: what is discarded stays discarded. */
  stop(): void {
    this.errand = null;
  }

  private send(kept: readonly string[]): void {
    const surplus = this.names.find((name) => count(this.names, name) > count(kept, name));
    const move: Move | null | undefined = surplus === undefined ? this.at.choices.done : this.at.choices.drops.get(surplus);
    const state = this.state;
    if (!move || !state) return this.stop();
    const left = [...this.names];
    if (surplus !== undefined) left.splice(left.indexOf(surplus), 1);
    this.errand = { seat: state.seat, kept, version: state.version, before: handText(this.names), after: handText(left) };
    this.at.table.decide(move.text);
  }
}

const count = (names: readonly string[], name: string): number => names.filter((one) => one === name).length;
const handText = (names: readonly string[]): string => [...names].sort().join(" ");
