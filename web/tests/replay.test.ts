import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReplayMove, ReplayOverview, ReplayStep, ViewData } from "../src/lib/protocol";
import { seatView, viewData } from "./making";
import { makeStorage } from "./storage";

const { server, ApiError } = vi.hoisted(() => {
  class ApiError extends Error {
    constructor(readonly code: string, readonly line: number | null) {
      super(code);
    }
  }
  return { server: { replayOverview: vi.fn(), replaySteps: vi.fn() }, ApiError };
});
vi.mock("../src/lib/api", () => ({ ...server, ApiError }));
vi.stubGlobal("localStorage", makeStorage());
vi.stubGlobal("sessionStorage", makeStorage());
const { forgetFile, keepFile, keptFile, Replay } = await import("../src/lib/replay.svelte");

const MOVES = 5;
const STEP_MS = 1500;
const overview: ReplayOverview = {
  players: 2, seats: ["Ana", "Ben"], levels: null, over: true,
  moves: Array.from({ length: MOVES }, (_, at): ReplayMove => ({ move: null, seat: at % 2, turn: at + 1, kind: "take", points: [0, 0], events: [] })),
};

/** What a seat sees at a step; with all cards open what each of them sees. */
function viewsOf(step: number, seat: number | null): ViewData[] {
  const seen = (eyes: number) => viewData({ seat: eyes, turn: step, seats: [0, 1].map((of) => seatView({ points: of, hand: of === eyes ? ["KKK"] : [] })) });
  return seat === null ? [seen(0), seen(1)] : [seen(seat)];
}

beforeEach(() => {
  vi.useFakeTimers();
  server.replayOverview.mockReset().mockResolvedValue(overview);
  server.replaySteps.mockReset().mockImplementation(async (_record: string, first: number, count: number, seat: number | null) => ({
    steps: Array.from({ length: count }, (_, at) => ({ step: first + at, events: [], views: viewsOf(first + at, seat) }) as unknown as ReplayStep),
  }));
});
afterEach(() => vi.useRealTimers());

async function openReplay() {
  const replay = new Replay("the record");
  await replay.open();
  return replay;
}

describe("a replay", () => {
  it("opens at the first step with all cards open", async () => {
    const replay = await openReplay();
    expect(server.replayOverview).toHaveBeenCalledWith("the record");
    expect([replay.step, replay.shown?.step, replay.seat, replay.trouble, replay.playing]).toEqual([0, 0, null, null, false]);
    expect([replay.seatAt(0)?.hand, replay.seatAt(1)?.hand]).toEqual([["KKK"], ["KKK"]]);
  });

  it("goes where it is told, and no farther", async () => {
    const replay = await openReplay();
    const steps = (["on", "on", "back", "last", "on", "first", "back"] as const).map((go) => {
      replay.go(go);
      return replay.step;
    });
    expect(steps).toEqual([1, 2, 1, MOVES, MOVES, 0, 0]);
    replay.to(3);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.shown?.step).toBe(3);
  });

  it("is seen from a seat: the other's hand is hidden, and that seat is looked at", async () => {
    const replay = await openReplay();
    replay.to(2); // Ben decided it
    expect(replay.focus).toBe(1);
    replay.chosen = 1;
    replay.see(0);
    await vi.advanceTimersByTimeAsync(0);
    expect([replay.focus, replay.seatAt(0)?.hand, replay.seatAt(1)?.hand]).toEqual([0, ["KKK"], []]);
    replay.chosen = 1;
    expect(replay.focus).toBe(1);
  });

  it("plays by itself to the end, and from the beginning if it is there", async () => {
    const replay = await openReplay();
    replay.to(MOVES);
    replay.toggle();
    expect([replay.playing, replay.step]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(STEP_MS - 1);
    expect(replay.step).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(replay.step).toBe(1);
    replay.speed = 4; // from the next step on
    await vi.advanceTimersByTimeAsync(STEP_MS + STEP_MS / 4);
    expect(replay.step).toBe(3);
    await vi.advanceTimersByTimeAsync(10 * STEP_MS);
    expect([replay.playing, replay.step]).toEqual([false, MOVES]);
  });

  it("stops where it is paused, and where somebody goes elsewhere", async () => {
    const replay = await openReplay();
    replay.toggle();
    await vi.advanceTimersByTimeAsync(STEP_MS);
    replay.toggle();
    await vi.advanceTimersByTimeAsync(10 * STEP_MS);
    expect([replay.playing, replay.step]).toEqual([false, 1]);
    replay.toggle();
    replay.go("on");
    await vi.advanceTimersByTimeAsync(10 * STEP_MS);
    expect([replay.playing, replay.step]).toEqual([false, 2]);
  });

  it("shows the step that was asked for last, whatever comes later", async () => {
    const replay = await openReplay();
    let answer: (found: { steps: ReplayStep[] }) => void = () => undefined;
    server.replaySteps.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    replay.see(1);
    replay.see(0);
    await vi.advanceTimersByTimeAsync(0);
    const shown = replay.shown;
    expect(shown?.views[0]?.seat).toBe(0);
    answer({ steps: [{ step: 0, events: [], views: viewsOf(0, 1) } as unknown as ReplayStep] });
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.shown).toBe(shown);
  });

  it("lets things travel one step on, and no other way", async () => {
    const replay = await openReplay();
    const prepare = vi.fn(() => () => undefined);
    replay.stage = { prepare };
    for (const step of [1, 3, 2]) {
      replay.to(step);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it("says what went wrong, and has forgotten it when it goes well again", async () => {
    server.replayOverview.mockRejectedValueOnce(new ApiError("bad_record", 12));
    const broken = await openReplay();
    expect([broken.overview, broken.trouble]).toEqual([null, { code: "bad_record", line: 12 }]);
    const replay = await openReplay();
    server.replaySteps.mockRejectedValueOnce(new Error("?"));
    replay.see(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.trouble).toEqual({ code: "internal", line: null });
    replay.see(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.trouble).toBeNull();
  });

  it("keeps the file that was dropped in while the window is open", () => {
    expect(keptFile()).toBeNull();
    keepFile("a record");
    expect(keptFile()).toBe("a record");
    forgetFile();
    expect(keptFile()).toBeNull();
  });
});
