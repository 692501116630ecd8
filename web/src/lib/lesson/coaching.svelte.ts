/**
 * A lesson at a table: the step that the screen shows, and what the coach's buttons do. The step follows
 * the table: it changes when what led to it has been shown.
 */

import { settings } from "../settings.svelte";
import type { HeldSeat } from "../seats";
import { TableStore } from "../table.svelte";
import { isTurnOver } from "../turnend";
import type { LessonState } from "../protocol";
import { LessonConnection, type AskLesson } from "./connection";
import { keepLesson, keptLesson } from "./kept";
import { NEXT } from "./path";

/** Between two moves that are shown, in ms: long enough to see what the next one begins with. */
const PAUSE = 700;

export class Coaching {
  /** as the screen shows it */
  shown = $state.raw<LessonState | null>(null);
  latest = $state.raw<LessonState | null>(null);
  /** the number of the step whose moves are being shown; null: none is */
  showing = $state<number | null>(null);
  readonly store: TableStore;

  private connection: LessonConnection | undefined;
  private version = 0; // of the latest state
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly name: string, ask: AskLesson) {
    const seat: HeldSeat = { table: name, token: name, role: "seat", nonce: "", at: 0 };
    this.store = new TableStore(name, [seat], (_, handlers) => {
      this.connection = new LessonConnection(ask, keptLesson(name), { ...handlers, lesson: (lesson, version) => this.hear(lesson, version) });
      return this.connection;
    });
  }

  private hear(lesson: LessonState, version: number): void {
    const { path, number, count } = lesson;
    const isOver = number >= count;
    this.latest = lesson;
    this.version = version;
    // one that is over begins anew when it is opened again
    keepLesson(this.name, isOver ? { path: [], step: 0, done: true } : { path, step: number, done: keptLesson(this.name).done });
  }

  /** The table shows another picture: if it is the latest, the coach goes on too. */
  catchUp(): void {
    const { state, playback } = this.store;
    if (playback.waiting || state?.version !== this.version || this.shown === this.latest) return;
    this.shown = this.latest;
    this.playOn();
  }

  /** Is what led to the next step still being shown? */
  get isBehind(): boolean {
    return this.shown !== this.latest;
  }

  get isOver(): boolean {
    return this.shown !== null && this.shown.number >= this.shown.count;
  }

  /** From a step that is only read. */
  goOn(): void {
    if (this.shown && !this.isBehind) this.go([...this.shown.path, NEXT]);
  }

  get canGoBack(): boolean {
    return this.shown !== null && this.shown.number > 0;
  }

  /** To the step before this one. */
  back(): void {
    if (this.shown) this.goToStep(this.shown.number - 1);
  }

  /** After a wrong turn: to where it was made. */
  takeBack(): void {
    if (this.shown) this.go(this.shown.path.slice(0, this.shown.right_until ?? undefined));
  }

  private goToStep(number: number): void {
    const start = this.shown?.starts[number];
    if (this.shown && start !== undefined) this.go(this.shown.path.slice(0, start));
  }

  private go(path: readonly string[]): void {
    this.stopShowing();
    this.store.playback.skip();
    this.connection?.change(path);
  }

  get canShow(): boolean {
    return Boolean(this.shown?.astray || this.shown?.step.show?.length);
  }

  /** Play the moves of this step, one after another; a wrong turn is taken back first. */
  showMe(): void {
    if (!this.shown || this.isBehind) return;
    const { number, astray } = this.shown;
    if (astray) this.takeBack();
    this.showing = number;
    if (!astray) this.play();
  }

  stopShowing(): void {
    clearTimeout(this.timer);
    this.showing = null;
  }

  private playOn(): void {
    if (this.showing === null) return;
    clearTimeout(this.timer);
    const isSame = this.shown?.number === this.showing && !this.shown.astray && this.shown.step.show?.length;
    if (!isSame) this.showing = null;
    else this.timer = setTimeout(() => this.play(), settings.now.speed === "off" ? 0 : PAUSE);
  }

  private play(): void {
    const move = this.shown?.step.show?.[0];
    const { state } = this.store;
    if (move === undefined || !state || this.isBehind || isTurnOver(state)) return; // the page ends such a turn by itself
    this.store.decide(move);
  }

  close(): void {
    this.stopShowing();
    this.store.close();
  }
}
