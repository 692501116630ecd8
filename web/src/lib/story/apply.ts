/**
 * Events applied to a view, one after another: the pictures between two states of the server. No rule
 * is in here: an event says what went from where to where, and that is done. What only the rules tell
 * (the value of a Cóatl, what a new card of A.D.A.M.'s still wants) comes from the view after it all.
 */

import { isAt, isSame } from "../places";
import { COLOURS, type Colour } from "../../parts/pieces";
import type { AdamCard, CoatlView, End, GameEvent, SeatView, Spot, ViewData } from "../protocol";

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

interface AdamDraft {
  cards: AdamCard[];
  holding: string[];
  fulfilled: string[];
  points: number;
  leaving: number | null; // a fulfilled card whose pieces are being passed on
}

const letter = (piece: string): string => piece.replace(/[<>]/g, "");
/** The order in which the server lists pieces: heads, tails, segments. */
const rank = (piece: string): number =>
  (piece.startsWith("<") ? 0 : piece.endsWith(">") ? 10 : 20) + COLOURS.indexOf(letter(piece) as Colour);
const sorted = (pieces: readonly string[]): string[] => [...pieces].sort((a, b) => rank(a) - rank(b));
/** The piece or the card that an event moves; empty where it is hidden. */
const thing = (event: GameEvent): string => event.piece ?? event.card ?? "";

function without<T>(list: readonly T[], what: T): T[] {
  const at = list.indexOf(what);
  return at < 0 ? [...list] : [...list.slice(0, at), ...list.slice(at + 1)];
}

const lessOne = (text: string, one: string): string => text.replace(one, "");

export class Table {
  private supply: Record<string, string>;
  private bag: Record<string, number>;
  private row: (string | null)[];
  private deck: number;
  private discards: number;
  private piles: { top: string | null; size: number }[];
  private gone: string[];
  private seats: Draft<SeatView>[];
  private adam: AdamDraft | null;
  private turn: number;
  private mover: number | null;
  private end: End | null;

  constructor(
    private readonly before: ViewData,
    private readonly after: ViewData,
  ) {
    this.supply = { ...before.supply };
    this.bag = { ...before.bag };
    this.row = [...before.row];
    this.deck = before.deck;
    this.discards = before.discard_count;
    this.piles = before.piles.map((pile) => ({ ...pile }));
    this.gone = [...(before.gone ?? [])];
    this.seats = before.seats.map((seat) => ({ ...seat }) as Draft<SeatView>);
    this.adam = before.adam ? { ...copyAdam(before.adam), leaving: null } : null;
    this.turn = before.turn;
    this.mover = before.to_move;
    this.end = before.end ?? null;
  }

  apply(event: GameEvent): void {
    if (event.kind === "piece" || event.kind === "prophecy" || event.kind === "temple") this.move(event);
    else if (event.kind === "turn") {
      this.turn = event.turn ?? this.turn;
      this.mover = event.seat ?? null;
    } else if (event.kind === "token") this.spend(event);
    else if (event.kind === "end") this.end = event.end ?? null;
    else if (event.kind === "shuffle") {
      this.deck += this.discards;
      this.discards = 0;
    }
  }

  private move(event: GameEvent): void {
    const { source, target } = event;
    if (!source || !target) return;
    const leaving = this.adam?.leaving ?? null;
    const passesOn = event.kind === "piece" && isAt(source, "adam_card") && source.at === leaving;
    if (leaving !== null && !passesOn) this.closeUp();
    if (isSame(source, target)) this.turnUp(event, target);
    else {
      this.takeFrom(source, event);
      this.putTo(target, event);
    }
  }

  private turnUp(event: GameEvent, { at }: Spot): void {
    const pile = this.piles[at ?? -1];
    if (pile) pile.top = event.card ?? null;
  }

  private takeFrom(place: Spot, event: GameEvent): void {
    const what = thing(event);
    const { kind } = place;
    const at = place.at ?? -1;
    const space = place.space ?? "";
    const seat = this.seats[place.seat ?? -1];
    if (kind === "supply") this.supply[space] = lessOne(this.supply[space] ?? "", letter(what));
    else if (kind === "bag") this.bag[what] = (this.bag[what] ?? 0) - 1;
    else if (kind === "row") this.row[at] = null;
    else if (kind === "deck") this.deck -= 1;
    else if (kind === "discard") this.discards -= 1;
    else if (kind === "board" && seat) seat.board = without(seat.board, what);
    else if (kind === "hand" && seat) {
      seat.hand = without(seat.hand, what);
      seat.hand_size -= 1;
    } else if (kind === "temples" && seat) {
      seat.temples = without(seat.temples, what);
      seat.temple_count -= 1;
    } else if (kind === "pile") {
      const pile = this.piles[at];
      if (pile) Object.assign(pile, { top: null, size: pile.size - 1 });
    } else if (kind === "adam_holding" && this.adam) this.adam.holding = without(this.adam.holding, what);
    else if (kind === "adam_card" && this.adam) this.takeFromCard(this.adam, at, event);
  }

  private takeFromCard(adam: AdamDraft, at: number, event: GameEvent): void {
    const card = adam.cards[at];
    if (event.kind === "prophecy") adam.leaving = at;
    else if (card) adam.cards[at] = { ...card, pieces: without(card.pieces, thing(event)) };
  }

  private putTo(place: Spot, event: GameEvent): void {
    const what = thing(event);
    const { kind } = place;
    const at = place.at ?? -1;
    const space = place.space ?? "";
    const seat = this.seats[place.seat ?? -1];
    if (kind === "supply") this.supply[space] = (this.supply[space] ?? "") + letter(what);
    else if (kind === "row") this.row[at] = what;
    else if (kind === "discard") this.discards += 1;
    else if (kind === "gone") this.gone = sorted([...this.gone, what]);
    else if (kind === "board" && seat) seat.board = sorted([...seat.board, what]);
    else if (kind === "hand" && seat) {
      if (what) seat.hand = [...seat.hand, what];
      seat.hand_size += 1;
    } else if (kind === "temples" && seat) {
      if (what) seat.temples = [...seat.temples, what];
      seat.temple_count += 1;
    } else if (kind === "coatl" && seat) this.putOnCoatl(seat, place, event);
    else if (this.adam) this.putToAdam(this.adam, place, event);
  }

  private putOnCoatl(seat: Draft<SeatView>, place: Spot, event: GameEvent): void {
    const at = place.at ?? 0;
    const known = seat.coatls[at] ?? { pieces: "", complete: false, value: 0 };
    const then = this.after.seats[place.seat ?? -1]?.coatls[at];
    const what = thing(event);
    const next: Draft<CoatlView> = { ...known } as Draft<CoatlView>;
    if (event.kind === "piece") next.pieces = joined(known.pieces, what, event.at ?? null);
    else if (event.kind === "prophecy") {
      const card = then?.cards?.find((one) => one.card === what) ?? { card: what, times: 0, points: 0 };
      next.cards = [...(known.cards ?? []), card];
    } else next.temple = then?.temple ?? { card: what, met: [], points: 0 };
    const done = then && same(next, then) ? then : next;
    seat.coatls = [...seat.coatls.slice(0, at), done as CoatlView, ...seat.coatls.slice(at + 1)];
  }

  private putToAdam(adam: AdamDraft, place: Spot, event: GameEvent): void {
    const what = thing(event);
    if (place.kind === "adam_holding") adam.holding = sorted([...adam.holding, what]);
    else if (place.kind === "adam_fulfilled") {
      const all = this.after.adam;
      const order = (card: string) => all?.fulfilled.indexOf(card) ?? 0;
      adam.fulfilled = [...adam.fulfilled, what].sort((a, b) => order(a) - order(b));
      if (all && adam.fulfilled.length === all.fulfilled.length) adam.points = all.points;
    } else if (place.kind === "adam_card") this.putOnCard(adam, place.at ?? -1, event);
  }

  private putOnCard(adam: AdamDraft, at: number, event: GameEvent): void {
    const what = thing(event);
    const card = adam.cards[at];
    if (event.kind === "prophecy") {
      const then = this.after.adam?.cards.find((one, i) => one.card === what && i === at);
      adam.cards = [...adam.cards, { card: what, pieces: [], missing: then?.missing ?? "" }];
    } else if (card) {
      const pieces = sorted([...card.pieces, what]);
      adam.cards[at] = { ...card, pieces, missing: lessOne(card.missing, letter(what)) };
    }
  }

  /** The fulfilled card has left, and those on its right move up. */
  private closeUp(): void {
    const adam = this.adam;
    if (!adam || adam.leaving === null) return;
    adam.cards = adam.cards.filter((_, i) => i !== adam.leaving);
    adam.leaving = null;
  }

  private spend(event: GameEvent): void {
    const seat = this.seats[event.seat ?? -1];
    if (seat && event.token) seat.tokens = without(seat.tokens, event.token);
  }

  /** How it lies now. Nothing can be done with it: it has no moves. */
  view(): ViewData {
    const adam = this.adam;
    const before = this.before;
    return {
      ...before,
      turn: this.turn,
      to_move: this.mover,
      phase: this.mover === null ? "adam" : "main",
      pending: null,
      supply: { ...this.supply },
      bag: { ...this.bag },
      row: [...this.row],
      deck: this.deck,
      discard_count: this.discards,
      piles: this.piles.map((pile) => ({ ...pile })),
      gone: [...this.gone],
      seats: this.seats.map((seat) => ({ ...seat })),
      end: this.end,
      ...(this.end ? { trigger: this.after.trigger ?? null, turns_left: this.after.turns_left ?? null } : {}),
      moves: [],
      final: [],
      adam: adam && before.adam
        ? { step: before.adam.step, points: adam.points, holding: adam.holding, fulfilled: adam.fulfilled, cards: [...adam.cards] }
        : null,
    };
  }

  /** After the last event: a card that was fulfilled has gone. */
  settle(): this {
    this.closeUp();
    return this;
  }
}

function copyAdam(adam: NonNullable<ViewData["adam"]>): Omit<AdamDraft, "leaving"> {
  return { cards: [...adam.cards], holding: [...adam.holding], fulfilled: [...adam.fulfilled], points: adam.points };
}

/** A piece at its position in a serpent; a head or tail has only one place to go. */
export function joined(pieces: string, piece: string, at: number | null): string {
  const left = piece.startsWith("<") || (at === 0 && !piece.endsWith(">"));
  return left ? piece + pieces : pieces + piece;
}

function same(a: CoatlView, b: CoatlView): boolean {
  const cards = (coatl: CoatlView) => (coatl.cards ?? []).map((card) => card.card).sort().join();
  return a.pieces === b.pieces && cards(a) === cards(b) && a.temple?.card === b.temple?.card;
}
