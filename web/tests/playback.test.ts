import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GameEvent, TableState, ViewData } from "../src/lib/protocol";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { Playback } = await import("../src/lib/story/playback.svelte");
const { settings } = await import("../src/lib/settings.svelte");

interface Recording {
  readonly first: ViewData;
  readonly steps: readonly { readonly events: readonly GameEvent[]; readonly view: ViewData }[];
}
const solo = JSON.parse(readFileSync(new URL("./data/solo.json", import.meta.url), "utf-8")) as Recording;
const three = JSON.parse(readFileSync(new URL("./data/three.json", import.meta.url), "utf-8")) as Recording;

/** The states of a recording as the server would send them. */
function statesOf({ first, steps }: Recording): TableState[] {
  let count = 0;
  return [{ events: [], view: first }, ...steps].map(({ events, view }, at) => {
    const state: TableState = {
      type: "state", table: "t", version: at, status: "playing", place: 0, seat: 0, places: [], seating: [0, 1, 2],
      promise: "", can_undo: false, events, first_event: count, view,
    };
    count += events.length;
    return state;
  });
}

const mine = () => new Set([0]);

beforeEach(() => {
  vi.useFakeTimers();
  settings.set({ speed: "normal" });
});
afterEach(() => vi.useRealTimers());

describe("playing out what others do", () => {
  test("the first state is there at once", () => {
    const playback = new Playback(mine);
    const [first] = statesOf(solo);
    playback.hear(first as TableState);
    expect(playback.shown).toBe(first);
    expect(playback.waiting).toBe(0);
  });

  test("A.D.A.M.'s turn takes its time, and ends where the server stands", () => {
    const playback = new Playback(mine);
    const states = statesOf(solo);
    const at = states.findIndex((state) => state.events.some((event) => event.kind === "look"));
    states.slice(at - 1, at + 1).forEach((state) => playback.hear(state));
    expect(playback.waiting).toBeGreaterThan(3);
    expect(playback.shown?.view?.moves).toEqual([]);
    const steps = new Set<number>();
    for (let i = 0; i < 40; i += 1) {
      if (playback.adam) steps.add(playback.adam.step);
      vi.advanceTimersByTime(500);
    }
    expect([...steps]).toEqual([1, 2, 3, 4, 5]);
    expect(playback.shown).toBe(states[at]);
    expect(playback.told).toBe((states[at]?.first_event ?? 0) + (states[at]?.events.length ?? 0));
    expect(playback.adam?.done).toBe(true);
  });

  test("skip goes to the end; pause holds; going on goes on", () => {
    const playback = new Playback(mine);
    const states = statesOf(solo);
    const at = states.findIndex((state) => state.events.some((event) => event.kind === "look"));
    states.slice(at - 1, at + 1).forEach((state) => playback.hear(state));
    playback.pause();
    vi.advanceTimersByTime(60_000);
    const left = playback.waiting;
    expect(left).toBeGreaterThan(0);
    playback.pause();
    expect(playback.waiting).toBe(left - 1);
    playback.skip();
    expect(playback.shown).toBe(states[at]);
    expect(playback.waiting).toBe(0);
  });

  test("the last move of a game stands for a while before the result; skip goes there at once", () => {
    const states = statesOf(three);
    const at = states.findLastIndex(({ events }) => events.length > 0 && !events.some(({ seat }) => seat === 0));
    const [before, after] = states.slice(at - 1, at + 1) as [TableState, TableState];
    for (const ends of ["by itself", "by skip"]) {
      const playback = new Playback(mine);
      playback.hear(before);
      expect(playback.resting).toBe(false);
      playback.hear({ ...after, status: "over" });
      while (playback.waiting) vi.advanceTimersByTime(100);
      expect(playback.shown?.status).toBe("over");
      vi.advanceTimersByTime(1500);
      expect(playback.resting).toBe(true);
      if (ends === "by skip") playback.skip();
      else vi.advanceTimersByTime(1500);
      expect(playback.resting).toBe(false);
    }
  });

  test("switched off, nothing waits", () => {
    settings.set({ speed: "off" });
    const playback = new Playback(mine);
    for (const state of statesOf(solo)) {
      playback.hear(state);
      expect(playback.shown).toBe(state);
    }
  });

  test("a whole game heard in one breath ends at its last state, however fast", () => {
    for (const recording of [solo, three]) {
      const playback = new Playback(mine);
      const states = statesOf(recording);
      states.forEach((state) => playback.hear(state));
      vi.advanceTimersByTime(2_000_000);
      expect(playback.shown).toBe(states.at(-1));
    }
  });

  test("a state that does not follow what was heard is shown at once", () => {
    const playback = new Playback(mine);
    const states = statesOf(three);
    playback.hear(states[0] as TableState);
    playback.hear(states[30] as TableState);
    expect(playback.shown).toBe(states[30]);
  });

  test("behind a curtain nothing moves until it rises", () => {
    let down = false;
    const playback = new Playback(mine, () => down);
    const states = statesOf(three);
    playback.hear(states[0] as TableState);
    down = true;
    states.slice(1, 6).forEach((state) => playback.hear(state));
    vi.advanceTimersByTime(60_000);
    expect(playback.shown).toBe(states[0]);
    down = false;
    playback.next();
    vi.advanceTimersByTime(60_000);
    expect(playback.shown).toBe(states[5]);
  });

  test("it says when everything is shown, and has stood as long as the rest", () => {
    const caughtUp = vi.fn();
    const playback = new Playback(mine, () => false, caughtUp);
    const states = statesOf(three);
    playback.hear(states[0] as TableState);
    expect(caughtUp).toHaveBeenCalledTimes(1);
    const at = states.findIndex((state) => state.events.some((event) => event.seat === 1 && event.kind === "piece"));
    const others = new Playback(() => new Set(), () => false, caughtUp);
    others.hear(states[at - 1] as TableState);
    caughtUp.mockClear();
    others.hear(states[at] as TableState);
    expect([others.shown, caughtUp.mock.calls.length]).toEqual([states[at], 0]); // it is still looked at
    vi.runAllTimers();
    expect(caughtUp).toHaveBeenCalledTimes(1);
  });

  test("what comes while it is paused waits too", () => {
    const playback = new Playback(() => new Set());
    const states = statesOf(three).filter((state, at) => at === 0 || state.events.some((event) => event.kind === "piece"));
    playback.hear(states[0] as TableState);
    const [second, third, fourth] = states.slice(1).map((state, at) => ({ ...state, first_event: at, events: state.events.filter(({ kind }) => kind === "piece").slice(0, 1) }));
    playback.hear(second as TableState);
    playback.hear(third as TableState);
    playback.pause();
    vi.runAllTimers();
    playback.hear(fourth as TableState);
    expect([playback.shown?.version, playback.waiting]).toEqual([second?.version, 2]);
    playback.pause();
    vi.runAllTimers();
    expect([playback.shown?.version, playback.waiting]).toEqual([fourth?.version, 0]);
  });
});
