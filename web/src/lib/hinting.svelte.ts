/** A hint that somebody asked for: it holds while the table is as it was then. */

import { ApiError, askHint } from "./api";
import type { Advice, Hint, HintGiven, Move, TableState } from "./protocol";
import { botFor } from "./standin";
import { isTurnOver } from "./turnend";

/** The part of a table's store that is needed. */
export interface HintTable {
  readonly table: string;
  readonly shown: string; // the token of the seat
  readonly state: TableState | undefined;
  readonly isLesson: boolean;
  decide(move: string): void;
}

export class Hinting {
  busy = $state(false);
  problem = $state(""); // the code of an error
  isSecond = $state(false); // which of the two is shown
  private given = $state.raw<HintGiven | null>(null);
  private left: readonly Move[] = []; // of a line that is being played
  private asked = 0;

  constructor(private readonly table: HintTable) {}

  /** May the person on the screen ask now? */
  get mayAsk(): boolean {
    const state = this.table.state;
    if (!state?.view || !state.hints || this.table.isLesson || state.status !== "playing") return false;
    return state.seat !== null && state.view.to_move === state.seat && botFor(state) === null;
  }

  get hint(): Hint | null {
    const state = this.table.state;
    return this.given && state && this.mayAsk && state.version <= this.given.version ? this.given.hint : null;
  }

  /** What is shown: the best, or the second best. */
  get advice(): Advice | null {
    return (this.isSecond ? this.hint?.second : this.hint?.best) ?? null;
  }

  get isOpen(): boolean {
    return this.mayAsk && (this.busy || this.problem !== "" || this.hint !== null);
  }

  /** The first press asks, the next shows the second best, and then the best again. */
  async press(): Promise<void> {
    if (this.hint) this.isSecond = !this.isSecond && Boolean(this.hint.second);
    else if (!this.busy) await this.ask();
  }

  private async ask(): Promise<void> {
    this.close();
    if (!this.mayAsk) return;
    const number = this.asked;
    this.busy = true;
    try {
      const given = await askHint(this.table.table, this.table.shown);
      if (number === this.asked) this.given = given;
    } catch (error) {
      if (number === this.asked) this.problem = error instanceof ApiError ? error.code : "internal";
    }
    if (number !== this.asked) return;
    this.busy = false;
    if (this.problem === "stale") this.problem = ""; // the table moved on, so nobody needs it
  }

  close(): void {
    this.asked += 1;
    this.busy = this.isSecond = false;
    this.problem = "";
    this.given = null;
    this.left = [];
  }

  /** Play what is shown: all its moves, each as soon as the table stands where it is due. */
  play(): void {
    const [first, ...others] = this.advice?.moves ?? [];
    this.close();
    if (!first) return;
    this.left = others;
    this.table.decide(first.text);
  }

  /** A new state came: a hint for an older one is forgotten, and a line goes on if it still can. */
  refresh(): void {
    const state = this.table.state;
    if (!state || !this.mayAsk) return this.close();
    if (this.given && state.version > this.given.version) this.close();
    const [next, ...others] = this.left;
    if (!next || isTurnOver(state)) return;
    const isLegal = state.view?.moves.some(({ text }) => text === next.text);
    this.left = isLegal ? others : [];
    if (isLegal) this.table.decide(next.text);
  }
}
