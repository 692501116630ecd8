/**
 * Events applied to a view, one after another: the pictures between two states of the server. No rule
 * is in here: an event says what went from where to where, and that is done. What only the rules tell
 * (the value of a Cóatl, what a new card of A.D.A.M.'s still wants) comes from the view after it all.
 */

import type { AdamCard, CoatlView, GameEvent, SeatView, ViewData } from "../protocol";

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

interface AdamDraft {
  cards: AdamCard[];
  holding: string[];
  fulfilled: string[];
  points: number;
  leaving: number | null; // a fulfilled card whose pieces are being passed on
}

/** The order in which the server lists pieces: heads, tails, segments. */
const ORDER = "KRBYG";
const rank = (piece: string): number =>
  (piece.startsWith("<") ? 0 : piece.endsWith(">") ? 10 : 20) + ORDER.indexOf(piece.replace(/[<>]/g, ""));
const sorted = (pieces: readonly string[]): string[] => [...pieces].sort((a, b) => rank(a) - rank(b));
const letter = (piece: string): string => piece.replace(/[<>]/g, "");

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
  private end: string | null;

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
      this.turn = event.value ?? this.turn;
      this.mover = event.seat ?? null;
    } else if (event.kind === "token") this.spend(event);
    else if (event.kind === "end") this.end = event.what ?? null;
    else if (event.kind === "shuffle") {
      this.deck += this.discards;
      this.discards = 0;
    }
  }

  private move(event: GameEvent): void {
    const [from, to] = [(event.source ?? "").split("."), (event.target ?? "").split(".")];
    const leaving = this.adam?.leaving ?? null;
    if (leaving !== null && (event.kind !== "piece" || event.source !== `adam.${leaving}`)) this.closeUp();
    if (event.source === event.target) this.turnUp(event);
    else {
      this.takeFrom(from, event);
      this.putTo(to, event);
    }
  }

  private turnUp(event: GameEvent): void {
    const pile = this.piles[Number((event.target ?? "").split(".")[1])];
    if (pile) pile.top = event.what ?? null;
  }

  private takeFrom([place = "", key = ""]: string[], event: GameEvent): void {
    const what = event.what ?? "";
    const seat = this.seats[Number(key)];
    if (place === "supply") this.supply[key] = lessOne(this.supply[key] ?? "", letter(what));
    else if (place === "bag") this.bag[what] = (this.bag[what] ?? 0) - 1;
    else if (place === "row") this.row[Number(key)] = null;
    else if (place === "deck") this.deck -= 1;
    else if (place === "discard") this.discards -= 1;
    else if (place === "board" && seat) seat.board = without(seat.board, what);
    else if (place === "hand" && seat) {
      seat.hand = without(seat.hand, what);
      seat.hand_size -= 1;
    } else if (place === "temples" && seat) {
      seat.temples = without(seat.temples, what);
      seat.temple_count -= 1;
    } else if (place === "pile") {
      const pile = this.piles[Number(key)];
      if (pile) Object.assign(pile, { top: null, size: pile.size - 1 });
    } else if (place === "adam" && this.adam) this.takeFromAdam(this.adam, key, event);
  }

  private takeFromAdam(adam: AdamDraft, key: string, event: GameEvent): void {
    const what = event.what ?? "";
    const card = adam.cards[Number(key)];
    if (key === "holding") adam.holding = without(adam.holding, what);
    else if (event.kind === "prophecy") adam.leaving = Number(key);
    else if (card) adam.cards[Number(key)] = { ...card, pieces: without(card.pieces, what) };
  }

  private putTo([place = "", key = "", third = ""]: string[], event: GameEvent): void {
    const what = event.what ?? "";
    const seat = this.seats[Number(key)];
    if (place === "supply") this.supply[key] = (this.supply[key] ?? "") + letter(what);
    else if (place === "row") this.row[Number(key)] = what;
    else if (place === "discard") this.discards += 1;
    else if (place === "gone") this.gone = sorted([...this.gone, what]);
    else if (place === "board" && seat) seat.board = sorted([...seat.board, what]);
    else if (place === "hand" && seat) {
      if (what) seat.hand = [...seat.hand, what];
      seat.hand_size += 1;
    } else if (place === "temples" && seat) {
      if (what) seat.temples = [...seat.temples, what];
      seat.temple_count += 1;
    } else if (place === "coatl" && seat) this.putOnCoatl(seat, Number(key), Number(third), event);
    else if (place === "adam" && this.adam) this.putToAdam(this.adam, key, event);
  }

  private putOnCoatl(seat: Draft<SeatView>, owner: number, at: number, event: GameEvent): void {
    const known = seat.coatls[at] ?? { pieces: "", complete: false, value: 0 };
    const then = this.after.seats[owner]?.coatls[at];
    const what = event.what ?? "";
    const next: Draft<CoatlView> = { ...known } as Draft<CoatlView>;
    if (event.kind === "piece") next.pieces = joined(known.pieces, what, event.value ?? null);
    else if (event.kind === "prophecy") {
      const card = then?.cards?.find((one) => one.card === what) ?? { card: what, times: 0, points: 0 };
      next.cards = [...(known.cards ?? []), card];
    } else next.temple = then?.temple ?? { card: what, met: [], points: 0 };
    const done = then && same(next, then) ? then : next;
    seat.coatls = [...seat.coatls.slice(0, at), done as CoatlView, ...seat.coatls.slice(at + 1)];
  }

  private putToAdam(adam: AdamDraft, key: string, event: GameEvent): void {
    const what = event.what ?? "";
    const card = adam.cards[Number(key)];
    if (key === "holding") adam.holding = sorted([...adam.holding, what]);
    else if (key === "fulfilled") {
      const all = this.after.adam;
      const order = (card: string) => all?.fulfilled.indexOf(card) ?? 0;
      adam.fulfilled = [...adam.fulfilled, what].sort((a, b) => order(a) - order(b));
      if (all && adam.fulfilled.length === all.fulfilled.length) adam.points = all.points;
    } else if (event.kind === "prophecy") {
      const then = this.after.adam?.cards.find((one, i) => one.card === what && i === Number(key));
      adam.cards = [...adam.cards, { card: what, pieces: [], missing: then?.missing ?? "" }];
    } else if (card) {
      const pieces = sorted([...card.pieces, what]);
      adam.cards[Number(key)] = { ...card, pieces, missing: lessOne(card.missing, letter(what)) };
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
    if (seat) seat.tokens = without(seat.tokens, event.what ?? "");
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
