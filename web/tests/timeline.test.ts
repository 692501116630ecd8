import { describe, expect, it, vi } from "vitest";
import type { GameEvent, ReplayMove, ReplayOverview, ReplayStep } from "../src/lib/protocol";
import { readRoute } from "../src/lib/route";
import { records, statistics } from "../src/lib/statistics";
import { BLOCK, StepCache } from "../src/lib/steps";
import { bars, goTo, keyGo, partOf, scaleOf, stair, standing, stepAt, turnMarks, turnStep } from "../src/lib/timeline";
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

  it("finds the step under a pointer, and the place of a step", () => {
    expect([-1, 0, 0.01, 0.5, 1, 3].map((part) => stepAt(part, moves))).toEqual([0, 0, 1, 3, 6, 6]);
    for (let step = 1; step <= 6; step += 1) expect(stepAt(partOf(step, moves), moves)).toBe(step);
    expect(partOf(0, [])).toBe(0);
  });

  it("marks what was taken back", () => {
    const undone = [move(1, "assemble"), move(1, "assemble"), move(1, "undo"), move(1, "undo"), move(1)];
    expect(bars(undone).map((bar) => bar.undone)).toEqual([true, true, true, true, false]);
    expect(standing(undone)).toEqual([undone[4]]);
  });

  it("marks every tenth turn, also where turns go in twos", () => {
    const long = Array.from({ length: 30 }, (_, at) => move(at + 1));
    expect(turnMarks(long).map((mark) => mark.turn)).toEqual([10, 20, 30]);
    expect(turnMarks(Array.from({ length: 12 }, (_, at) => move(2 * at + 1))).map((mark) => mark.turn)).toEqual([10, 20]);
  });

  it("draws points as stairs on a scale of tens", () => {
    expect(stair([0, 5, 5, 9], 10)).toBe("M0 10H1.5V5H3.5V1H4");
    expect(scaleOf([move(1, "take", { points: [11, 3] })])).toBe(20);
    expect(scaleOf([])).toBe(10);
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
