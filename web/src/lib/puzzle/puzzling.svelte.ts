/**
 * A puzzle being solved: the moves so far, and what the server says about them. It holds no rule: what may be
 * done is what the server sent, and whether it is the answer the server says.
 */

import { announcer } from "../announcer.svelte";
import { ApiError } from "../api";
import { choicesOf } from "../choices";
import type { Move, PuzzleAnswer, PuzzleRequest, PuzzleState, PuzzleVerdict, Side } from "../protocol";
import { ATTEMPTS, bestPoints, keepPuzzle, keptPuzzle, withAttempt, type KeptPuzzle } from "./kept";
import { verdictText } from "./words";

export type AskPuzzle = (request: PuzzleRequest) => Promise<PuzzleState>;

export class Puzzling {
  state = $state.raw<PuzzleState | null>(null);
  /** the place on the board of the piece that is to be placed */
  piece = $state<number | null>(null);
  verdict = $state.raw<PuzzleVerdict | null>(null);
  answer = $state.raw<PuzzleAnswer | null>(null);
  /** why something is not allowed: a clause and its cause */
  refused = $state.raw<{ readonly clause: string; readonly cause: string | null } | null>(null);
  /** the code of an error */
  problem = $state<string | null>(null);
  kept = $state.raw<KeptPuzzle>({ attempts: [], solved: false });
  /** what is asked waits for what was asked before: the moves follow each other */
  private last: Promise<unknown> = Promise.resolve();
  /** the moves that were judged, as long as nothing else is tried: pressed again it is no further attempt */
  private judged = "";

  constructor(
    private readonly ask: AskPuzzle,
    /** of which it is the puzzle, or null */
    private readonly day: string | null,
  ) {
    void this.go(() => ({}));
  }

  get own() {
    return this.state?.view.seats[0];
  }

  get coatl() {
    return this.state ? this.own?.coatls[this.state.target] : undefined;
  }

  get choosesCards(): boolean {
    return this.state?.kind === "cards";
  }

  get choices() {
    return choicesOf(this.state?.view.moves ?? []);
  }

  get attemptsUsed(): number {
    return this.kept.attempts.length;
  }

  /** Is nothing left to gain? Then the answer may be seen. */
  get isDecided(): boolean {
    return this.kept.solved || this.attemptsUsed >= ATTEMPTS;
  }

  get best(): number | null {
    return bestPoints(this.kept);
  }

  /** The moves that put the chosen piece at an end. */
  end(side: Side): Move | undefined {
    const text = this.piece === null ? undefined : this.own?.board[this.piece];
    return text === undefined ? undefined : this.choices.adds.get(text)?.find((move) => move.side === side);
  }

  pick(at: number): void {
    this.refused = null;
    this.piece = this.piece === at ? null : at;
    const text = this.own?.board[at];
    if (this.piece !== null && text !== undefined && !this.choices.adds.has(text)) void this.why(this.asked(text));
  }

  /** A piece that may go nowhere, put where one would try it. */
  private asked(piece: string): string {
    const atLeft = piece.startsWith("<") || (!piece.endsWith(">") && this.coatl?.pieces.endsWith(">"));
    return atLeft ? `${piece}+${this.target}` : `${this.target}+${piece}`;
  }

  private get target(): number {
    return (this.state?.target ?? 0) + 1;
  }

  /** A Prophecy or Temple card: it is laid, or (where cards are to be found) put back if it was chosen. */
  pressCard(name: string, pile: number | null = null): void {
    this.piece = null;
    const path = this.state?.path ?? [];
    const laid = this.choosesCards ? path.findIndex((text) => text.replace(/@\d$/, "") === `${this.target}:${name}`) : -1;
    if (laid >= 0) return void this.go((now) => ({ path: now.filter((text) => text !== path[laid]) }));
    const moves = [...(this.choices.lays.get(name) ?? []), ...this.choices.temples.filter((move) => move.card === name && (move.pile ?? null) === pile)];
    if (moves[0]) this.play(moves[0]);
    else void this.why(`${this.target}:${name}`);
  }

  play(move: Move): void {
    this.piece = null;
    void this.go((path) => ({ path: [...path, move.text] }));
  }

  undo(): void {
    void this.go((path) => ({ path: path.slice(0, -1) }));
  }

  again(): void {
    void this.go(() => ({ path: [] }));
  }

  async check(): Promise<void> {
    const state = await this.go((path) => ({ path, check: true }));
    const verdict = state?.verdict;
    if (!state || !verdict) return;
    this.verdict = verdict;
    announcer.warn(verdictText(verdict));
    if (!verdict.complete && !verdict.unmet) return; // nothing to judge yet
    const moves = state.path.join(" ");
    if (moves === this.judged) return;
    this.judged = moves;
    const pieces = this.coatl?.pieces ?? "";
    this.kept = withAttempt(this.kept, { pieces, points: verdict.points ?? null }, verdict.solved);
    keepPuzzle(state.id, this.kept, this.day);
  }

  async reveal(): Promise<void> {
    const state = await this.go((path) => ({ path, reveal: true }));
    this.answer = state?.answer ?? null;
  }

  private async why(move: string): Promise<void> {
    const state = await this.go((path) => ({ path, why: move }), true);
    const { clause, cause } = state?.reason ?? {};
    if (clause) this.refused = { clause, cause: cause ?? null };
  }

  /** What the server says to a request; `stays`: nothing of the puzzle changes. */
  private go(request: (path: readonly string[]) => PuzzleRequest, stays = false): Promise<PuzzleState | null> {
    const next = this.last.then(() => this.send(request(this.state?.path ?? []), stays));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async send(request: PuzzleRequest, stays: boolean): Promise<PuzzleState | null> {
    try {
      const state = await this.ask(request);
      this.problem = null;
      if (!stays) this.show(state);
      return state;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.code;
      return null;
    }
  }

  private show(state: PuzzleState): void {
    if (!this.state) this.kept = keptPuzzle(state.id);
    this.state = state;
    this.verdict = this.refused = null;
    if (state.path.join(" ") !== this.judged) this.judged = "";
    if (this.piece !== null && this.own?.board[this.piece] === undefined) this.piece = null;
  }
}
