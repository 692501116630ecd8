/**
 * What a person has picked up and not yet put down. It holds no rule: the places it lights are the
 * moves that the server sent.
 */

import { readChoices, type Choices } from "./choices";
import type { SeatView, State } from "./protocol";

const NOTHING = readChoices([], { row: [], piles: [], temples: [] });

export class Selection {
  piece = $state<number | null>(null); // index on the board
  card = $state<string | null>(null); // in the hand
  space = $state<string | null>(null); // of the supply, to be confirmed
  token = $state<"pick" | "priest" | null>(null);
  ask = $state<string | null>(null); // a move that shows something, to be confirmed

  constructor(private readonly current: () => State | undefined) {}

  get own(): SeatView | undefined {
    const state = this.current();
    return state?.seat === null || state?.seat === undefined ? undefined : state.view?.seats[state.seat];
  }

  get choices(): Choices {
    const state = this.current();
    const view = state?.view;
    const place = state?.place;
    if (!view || place === null || place === undefined || state.places[place]?.bot) return NOTHING;
    return readChoices(view.moves, { row: view.row, piles: view.piles, temples: this.own?.temples ?? [] });
  }

  /** The text of the chosen piece, `<K`. */
  get pieceText(): string | null {
    return this.piece === null ? null : (this.own?.board[this.piece] ?? null);
  }

  clear(): void {
    this.piece = this.card = this.space = this.token = this.ask = null;
  }

  pickPiece(index: number): void {
    const same = this.piece === index;
    this.clear();
    if (!same) this.piece = index;
  }

  pickCard(card: string): void {
    const same = this.card === card;
    this.clear();
    if (!same) this.card = card;
  }

  pickSpace(space: string): void {
    const same = this.space === space;
    this.clear();
    if (!same) this.space = space;
  }
}
