/**
 * One seat's states as they are shown: what others do is played out at a pace a person can follow,
 * then the screen stands where the server stands. It holds back pictures, never a person: their own
 * moves are shown at once, and `skip` goes straight to the end.
 */

import { tick } from "svelte";
import { lastSceneTime, sceneTime } from "../pace";
import type { GameEvent, TableState } from "../protocol";
import { settings } from "../settings.svelte";
import { flightsOf, type Flight } from "./flights";
import { scenesOf, type AdamTurn, type Scene } from "./scenes";

/** Where things can be seen to travel: measures before a change, and flies after it. */
export interface Stage {
  prepare(flights: readonly Flight[], events: readonly GameEvent[]): () => void;
}

export class Playback {
  shown = $state.raw<TableState | undefined>(undefined);
  told = $state(0); // how many events of the game the shown picture has
  adam = $state.raw<AdamTurn | null>(null); // his turn that is played, or the last one
  recent = $state.raw<readonly GameEvent[]>([]); // what led to the shown picture
  waiting = $state(0); // scenes still to come
  paused = $state(false);
  resting = $state(false); // a scene stands; the next one, or the end of the game, has to wait
  stage: Stage | null = null;

  private queue: Scene[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly mine: () => ReadonlySet<number>,
    private readonly blocked: () => boolean = () => false,
    private readonly caughtUp: () => void = () => undefined, // called when nothing is left to be shown
  ) {}

  hear(state: TableState): void {
    const last = this.queue.at(-1);
    const before = last?.state ?? this.shown;
    const told = last?.told ?? this.told;
    if (!before?.view || !state.view || state.first_event !== told || away()) {
      this.jump(state);
      return;
    }
    const scenes = scenesOf(before, state, this.mine());
    const isNext = !this.queue.length;
    this.queue.push(...scenes);
    this.waiting = this.queue.length;
    const hurries = scenes[0]?.pace === "own" || scenes[0]?.pace === "none";
    if (settings.now.speed === "off") this.jump(state);
    else if ((!this.resting && !this.paused) || (isNext && hurries)) this.next();
  }

  /** Show what comes next, now. */
  next(): void {
    clearTimeout(this.timer);
    this.resting = false;
    if (this.blocked()) return;
    const scene = this.queue.shift();
    if (!scene) {
      this.caughtUp();
      return;
    }
    this.waiting = this.queue.length;
    this.show(scene);
    this.rest(scene);
  }

  private rest(scene: Scene): void {
    const follows = this.queue[0]?.pace;
    const isOurs = scene.pace === "own" && (follows === "own" || follows === "none");
    const isLast = scene.state.status === "over" && !follows;
    const time = isOurs ? 0 : isLast ? lastSceneTime() : sceneTime(scene.pace);
    if (!time) {
      this.next();
      return;
    }
    this.resting = true;
    this.timer = setTimeout(() => this.wake(), time);
  }

  private wake(): void {
    this.resting = false;
    if (away()) this.skip();
    else if (!this.paused || !this.queue.length) this.next();
  }

  /** To the latest state, past everything in between. */
  skip(): void {
    const last = this.queue.at(-1);
    this.paused = false;
    if (last) this.jump(last.state);
    else this.next(); // what stands need not stand longer
  }

  pause(): void {
    this.paused = !this.paused;
    if (!this.paused && !this.resting) this.next();
  }

  private jump(state: TableState): void {
    clearTimeout(this.timer);
    this.resting = false;
    const passed = this.queue;
    this.queue = [];
    this.waiting = 0;
    const adam = passed.findLast((scene) => scene.adam)?.adam ?? null;
    const told = state.first_event + state.events.length;
    this.show({ state, told, adam, events: passed.flatMap((scene) => scene.events), pace: "none" });
    this.caughtUp();
  }

  private show(scene: Scene): void {
    const before = this.shown?.view ?? null;
    const flights = flightsOf(scene.events, before, scene.state.view);
    const fly = before && settings.now.motion !== "off" && !away() ? this.stage?.prepare(flights, scene.events) : undefined;
    this.shown = scene.state;
    this.told = scene.told;
    this.recent = scene.events;
    if (scene.adam || !scene.state.view?.adam) this.adam = scene.adam;
    if (fly) void tick().then(fly);
  }

  close(): void {
    clearTimeout(this.timer);
    this.queue = [];
  }
}

const away = (): boolean => typeof document !== "undefined" && document.hidden;
