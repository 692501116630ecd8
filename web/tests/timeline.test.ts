import { describe, expect, it, vi } from "vitest";
import type { GameEvent, ReplayMove, ReplayOverview, ReplayStep } from "../src/lib/protocol";
import { readRoute } from "../src/lib/route";
import { records, statistics } from "../src/lib/statistics";
import { BLOCK, StepCache } from "../src/lib/steps";
import { partOf, scaleOf, stair, stepAt, turnAxis, turnMarks } from "../src/lib/course";
import { bars, goTo, keyGo, standing, turnStep } from "../src/lib/timeline";
import { adamCard, BAG, board, coatl, DECK, FULFILLED, hand, HOLDING, piece, prophecy, row, supply } from "./making";

const move = (turn: number, kind: ReplayMove["kind"] = "take", more: Partial<ReplayMove> = {}): ReplayMove =>
  ({ move: null, seat: 0, turn, kind, points: [0, 0], events: [], ...more });

describe("a timeline", () => {
  const moves = [move(0, "setup"), move(0, "setup"), move(1), move(2, "choose"), move(2, "choose"), move(3)];

  it("goes a step, a turn, to the ends, and not beyond", () => {
    expect(goTo(moves, 0, "back")).toBe(0);
    expect(goTo(moves, 6, "on")).toBe(6);
    expect(goTo(moves, 3, "on")).toBe(4);
    expect([0, 2, 3, 5, 6].map((step) => turnStep(moves, step, 1))).toEqual([2, 3, 5, 6, 6]);
    expect([6, 5, 4, 3, 2, 1].map((step) => turnStep(moves, step, -1))).toEqual([5, 3, 3, 2, 0, 0]);
    expect([goTo(moves, 3, "first"), goTo(moves, 3, "last")]).toEqual([0, 6]);
  });

  it("knows its keys", () => {
    expect([keyGo("ArrowLeft"), keyGo("PageDown"), keyGo("End"), keyGo("x")]).toEqual(["back", "turn_on", "last", undefined]);
  });

  it("marks what was taken back", () => {
    const undone = [move(1, "assemble"), move(1, "assemble"), move(1, "undo"), move(1, "undo"), move(1)];
    expect(bars(undone).map((bar) => bar.undone)).toEqual([true, true, true, true, false]);
    expect(standing(undone)).toEqual([undone[4]]);
  });
});

describe("the axis of a course", () => {
  const moves = [move(0, "setup"), move(0, "setup"), move(1), move(2, "choose"), move(2, "choose"), move(2, "choose"), move(2, "choose"), move(3)];
  const axis = turnAxis(moves);

  it("gives every turn the same length, however many steps it has", () => {
    expect(axis.length).toBe(4);
    expect(axis.steps.map(({ from }) => from)).toEqual([0, 0.5, 1, 2, 2.25, 2.5, 2.75, 3]);
    expect(turnAxis([])).toEqual({ first: 0, length: 1, steps: [] });
  });

  it("finds the step under a pointer, and the place of a step", () => {
    expect([-1, 0, 0.01, 0.49, 0.51, 1, 3].map((part) => stepAt(part, axis))).toEqual([0, 0, 1, 3, 4, 8, 8]);
    for (let step = 1; step <= 8; step += 1) expect(stepAt(partOf(step, axis), axis)).toBe(step);
    expect([partOf(0, turnAxis([])), stepAt(0.5, turnAxis([]))]).toEqual([0, 0]);
  });

  it("begins where the record does, and gives A.D.A.M.'s turns to the one before", () => {
    const solo = turnAxis([move(31), move(33), move(33), move(35)]);
    expect([solo.first, solo.length]).toEqual([31, 5]);
    expect(solo.steps).toEqual([{ from: 0, length: 2 }, { from: 2, length: 1 }, { from: 3, length: 1 }, { from: 4, length: 1 }]);
    expect(turnMarks(solo)).toEqual([]);
  });

  it("has every tenth turn marked at equal distances", () => {
    const long = Array.from({ length: 34 }, (_, at) => [move(at + 1), ...(at % 3 ? [] : [move(at + 1), move(at + 1)])]).flat();
    const marks = turnMarks(turnAxis(long));
    expect(marks.map(({ turn }) => turn)).toEqual([10, 20, 30]);
    expect(marks.map(({ part }) => Math.round(34 * part))).toEqual([9, 19, 29]);
  });
});

describe("the points of a course", () => {
  const points = (turn: number, kind: ReplayMove["kind"], ...values: number[]) => move(turn, kind, { points: values });

  it("are stairs on a scale of tens", () => {
    const moves = [points(0, "take", 0, 0), points(1, "take", 5, 0), points(2, "take", 5, 0), points(3, "take", 9, 2)];
    expect(stair(moves, turnAxis(moves), 0, 10)).toBe("M0 10H1.5V5H3.5V1H4");
    expect(stair(moves, turnAxis(moves), 1, 10)).toBe("M0 10H3.5V8H4");
    expect(scaleOf([points(1, "take", 11, 3)])).toBe(20);
    expect(scaleOf([])).toBe(10);
  });

  it("have no spike where something was taken back", () => {
    const moves = [points(0, "take", 0), points(1, "complete", 25), points(1, "undo", 0), points(1, "complete", 6), points(2, "take", 6)];
    expect(stair(moves, turnAxis(moves), 0, 10)).toBe("M0 10H1.833V4H3");
    expect(scaleOf(moves)).toBe(10);
  });
});

describe("statistics", () => {
  it("count what stands, by seat", () => {
    const overview: ReplayOverview = {
      players: 2, seats: [], levels: null, over: true, moves: [
        move(1, "take", { events: [piece(0, "R", supply("b1"), board(0))] }),
        move(2, "choose", { seat: 1, events: [prophecy(1, "YG", row(1), hand(1))] }),
        move(2, "choose", { seat: 1, events: [prophecy(1, null, DECK, hand(1))] }),
        move(3, "assemble", { events: [piece(0, "R", board(0), coatl(0, 0))] }),
        move(3, "token", { events: [{ kind: "token", seat: 0, token: "pick" }, piece(0, "R", BAG, board(0))] }),
        move(3, "undo"),
        move(3, "complete", { events: [{ kind: "coatl", seat: 0, pieces: "<RKB>", target: coatl(0, 0), points: 12 }] }),
      ],
    };
    const [ana, ben] = statistics(overview);
    expect(ana).toEqual({ turns: 2, pieces: 1, chosen: 0, drawn: 0, fulfilled: 0, temples: 0, tokens: 0, coatls: [{ points: 12, length: 3 }] });
    expect(ben).toMatchObject({ turns: 1, chosen: 1, drawn: 1, coatls: [] });
    expect(records([ana!, ben!])).toEqual({ longest: { points: 12, length: 3, seat: 0 }, dearest: { points: 12, length: 3, seat: 0 } });
    expect(records([])).toEqual({ longest: null, dearest: null });
  });

  it("count what A.D.A.M. does", () => {
    const events: GameEvent[] = [
      { kind: "turn", turn: 3 },
      piece(null, "R", supply("b1"), HOLDING),
      piece(null, "R", HOLDING, adamCard(0)),
      prophecy(null, "KKK", adamCard(0), FULFILLED),
    ];
    const [, adam] = statistics({ players: 1, seats: [], levels: [], over: true, moves: [move(2, "take", { events })] });
    expect(adam).toMatchObject({ turns: 1, pieces: 1, fulfilled: 1 });
  });
});

describe("the steps of a record", () => {
  const steps = (first: number) => Array.from({ length: BLOCK }, (_, at) => ({ step: first + at }) as ReplayStep);

  it("come in blocks, once each, the neighbours in advance", async () => {
    const load = vi.fn(async (first: number) => steps(first));
    const cache = new StepCache(load, 40);
    expect((await cache.step(17, null))?.step).toBe(17);
    await cache.step(18, null);
    expect(load.mock.calls.map(([first]) => first)).toEqual([16, 32, 0]);
    expect(cache.peek(3, null)?.step).toBe(3);
    expect(cache.peek(3, 0)).toBeUndefined();
  });

  it("are asked for again after a failure", async () => {
    const load = vi.fn(async (first: number) => steps(first));
    load.mockRejectedValueOnce(new Error("offline"));
    const cache = new StepCache(load, 10);
    await expect(cache.step(1, 0)).rejects.toThrow();
    expect((await cache.step(1, 0))?.step).toBe(1);
  });
});

describe("the address", () => {
  it("of a replay has a table, or none for a file", () => {
    expect(readRoute("#/replay/Zk3v9QxT2mLa")).toEqual({ screen: "replay", table: "Zk3v9QxT2mLa" });
    expect(readRoute("#/replay")).toEqual({ screen: "replay", table: null });
    expect(readRoute("#/replayed")).toEqual({ screen: "home" });
  });
});
