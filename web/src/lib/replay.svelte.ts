/** A record being looked at: where, from whose seat, and whether it plays by itself. */

import { tick } from "svelte";
import { ApiError, replayOverview, replaySteps } from "./api";
import type { ReplayOverview, ReplayStep, SeatView } from "./protocol";
import { settings } from "./settings.svelte";
import { flightsOf } from "./story/flights";
import type { Stage } from "./story/playback.svelte";
import { StepCache } from "./steps";
import { forWindow } from "./storage";
import { clampStep, goTo, type Go } from "./timeline";

export interface Trouble { readonly code: string; readonly line: number | null }

export const SPEEDS = [1, 2, 4] as const;
const PACE = 1500; // milliseconds a step at the first speed

export class Replay {
  overview = $state.raw<ReplayOverview | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  shown = $state.raw<ReplayStep | null>(null);
  step = $state(0);
  /** whose eyes; null: all cards open */
  seat = $state<number | null>(null);
  /** whose table lies open below; null: that of whoever decided */
  chosen = $state<number | null>(null);
  playing = $state(false);
  speed = $state<(typeof SPEEDS)[number]>(1);

  stage: Stage | null = null;

  private cache: StepCache | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly record: string) {}

  async open(): Promise<void> {
    try {
      const overview = await replayOverview(this.record);
      const load = async (first: number, count: number, seat: number | null) =>
        (await replaySteps(this.record, first, count, seat)).steps;
      this.cache = new StepCache(load, overview.moves.length + 1);
      this.overview = overview;
      await this.look();
    } catch (error) {
      this.fail(error);
    }
  }

  get moves() {
    return this.overview?.moves ?? [];
  }

  get focus(): number {
    return this.chosen ?? this.seat ?? this.moves[this.step - 1]?.seat ?? 0;
  }

  /** A seat as it is known: with all cards open each is seen by itself. */
  seatAt(seat: number): SeatView | undefined {
    const views = this.shown?.views ?? [];
    return (views.length > 1 ? views[seat] : views[0])?.seats[seat];
  }

  go(go: Go): void {
    this.pause();
    this.to(goTo(this.moves, this.step, go));
  }

  to(step: number): void {
    const next = clampStep(step, this.moves);
    if (next === this.step && this.shown?.step === next) return;
    this.step = next;
    void this.look();
  }

  see(seat: number | null): void {
    this.seat = seat;
    this.chosen = null;
    void this.look();
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.step >= this.moves.length) this.to(0);
    this.playing = true;
    this.tick();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.to(this.step + 1);
      if (this.step >= this.moves.length) this.pause();
      else if (this.playing) this.tick();
    }, PACE / this.speed);
  }

  private async look(): Promise<void> {
    const { step, seat, cache } = this;
    if (!cache) return;
    const here = cache.peek(step, seat);
    if (here) this.show(here);
    try {
      const found = await cache.step(step, seat);
      if (found && step === this.step && seat === this.seat) this.show(found);
      this.trouble = null;
    } catch (error) {
      this.fail(error);
    }
  }

  /** One step on, things travel; any other way the table just stands there. */
  private show(step: ReplayStep): void {
    const before = this.shown;
    if (before === step) return;
    const [old, now] = [before?.views[0], step.views[0]];
    const isNext = before?.step === step.step - 1 && old && now && settings.now.motion !== "off";
    const fly = isNext ? this.stage?.prepare(flightsOf(step.events, old, now), step.events) : undefined;
    this.shown = step;
    if (fly) void tick().then(fly);
  }

  private fail(error: unknown): void {
    this.pause();
    const known = error instanceof ApiError;
    this.trouble = { code: known ? error.code : "internal", line: known ? error.line : null };
  }
}

/** The file that was dropped in, kept while this window is open. */
const KEY = "coatl.replay";

export const keepFile = (text: string): void => void forWindow.set(KEY, text);
export const keptFile = (): string | null => forWindow.get(KEY);
export const forgetFile = (): void => forWindow.remove(KEY);
