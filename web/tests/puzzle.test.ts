import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../src/lib/api";
import { daysInRow, lastDays, shiftDay } from "../src/lib/puzzle/streak";
import type { PuzzleRequest, PuzzleState, ViewData } from "../src/lib/protocol";
import { readRoute } from "../src/lib/route";
import { makeStorage } from "./storage";

vi.stubGlobal("localStorage", makeStorage());
const { bestPoints, keepPuzzle, keptPuzzle, solvedDays, withAttempt } = await import("../src/lib/puzzle/kept");
const { Puzzling } = await import("../src/lib/puzzle/puzzling.svelte");

const ADD = { text: "1+R", decision: 1, kind: "add", pieces: ["R"], coatl: 0, side: "right" } as const;
const LAY = { text: "1:RRR", decision: 2, kind: "fulfil", card: "RRR", coatl: 0 } as const;

/** A server where `1+R` is legal once, then `1:RRR`, which is the answer. */
function answer(request: PuzzleRequest): PuzzleState {
  const path = request.path ?? [];
  if (path.includes("bad")) throw new ApiError("illegal", "no");
  const solved = path.length === 2;
  const own = {
    board: path.length ? [] : ["R"], hand: ["RRR", "YG"], hand_size: 2, temple_count: 0, temples: [], tokens: [], points: 0,
    coatls: [{ pieces: path.length ? "<KRR>" : "<KR", complete: solved, value: solved ? 3 : 0 }],
  };
  const view = { seats: [own], piles: [], levels: [], moves: path.length === 0 ? [ADD] : path.length === 1 ? [LAY] : [] };
  return {
    type: "puzzle", number: 7, id: "seven", kind: "close", target: 0, path, chosen: [], view: view as unknown as ViewData,
    verdict: request.check ? { solved, complete: solved, points: solved ? 3 : null, short: 0 } : null,
    reason: request.why ? { move: request.why, clause: "A3", cause: null, text: "" } : null,
    answer: request.reveal ? { pieces: "<KRR>", cards: ["RRR"], points: 3 } : null,
  };
}

const settled = () => new Promise((done) => setTimeout(done));

async function open(day: string | null = null) {
  const puzzling = new Puzzling((request) => Promise.resolve().then(() => answer(request)), day);
  await settled();
  return puzzling;
}

describe("a puzzle", () => {
  it("is solved by pieces and cards, and is kept", async () => {
    const puzzling = await open("2026-11-18");
    puzzling.pick(0);
    expect(puzzling.end("right")?.text).toBe("1+R");
    expect(puzzling.end("left")).toBeUndefined();
    await puzzling.check();
    expect(puzzling.attemptsUsed).toBe(0); // it is not complete: nothing was judged
    puzzling.pick(0);
    puzzling.pick(0);
    const move = puzzling.end("right");
    if (move) puzzling.play(move);
    await settled();
    puzzling.pressCard("RRR");
    await settled();
    await puzzling.check();
    expect(puzzling.kept).toEqual({ attempts: [{ pieces: "<KRR>", points: 3 }], solved: true });
    expect((await open()).kept.solved).toBe(true); // another visit
    expect([...solvedDays()]).toEqual(["2026-11-18"]);
  });

  it("counts the same answer once, however often it is checked", async () => {
    localStorage.removeItem("coatl.puzzles");
    const puzzling = new Puzzling((request) => Promise.resolve({ ...answer({ ...request, path: ["1+R", "1:RRR"] }), path: request.path ?? [], verdict: request.check ? { solved: false, complete: true, points: 2, short: 1 } : null } as PuzzleState), null);
    await settled();
    puzzling.play(ADD);
    await Promise.all([puzzling.check(), puzzling.check()]); // pressed twice
    await puzzling.check();
    const used = puzzling.attemptsUsed;
    puzzling.play(LAY);
    await puzzling.check();
    expect([used, puzzling.attemptsUsed]).toEqual([1, 2]);
    puzzling.undo();
    await puzzling.check(); // tried anew
    expect(puzzling.attemptsUsed).toBe(3);
  });

  it("says why a card cannot be laid, and goes back", async () => {
    const puzzling = await open();
    puzzling.pressCard("YG");
    await settled();
    expect(puzzling.refused?.clause).toBe("A3");
    puzzling.play(ADD);
    await settled();
    expect(puzzling.refused).toBeNull();
    puzzling.undo();
    await settled();
    expect(puzzling.state?.path).toEqual([]);
    await puzzling.reveal();
    expect(puzzling.answer?.pieces).toBe("<KRR>");
  });
});

describe("what is kept", () => {
  it("counts three attempts, of which the best one counts", () => {
    let puzzle = { attempts: [], solved: false } as ReturnType<typeof keptPuzzle>;
    for (const points of [5, null, 4, 9]) puzzle = withAttempt(puzzle, { pieces: "<K>", points }, false);
    expect(puzzle.attempts.map(({ points }) => points)).toEqual([5, null, 4]);
    expect(bestPoints(puzzle)).toBe(5);
    expect(bestPoints({ attempts: [], solved: false })).toBeNull();
  });

  it("does not stumble over what others wrote there", () => {
    for (const text of ["no", "[]", '{"puzzles":3,"days":{}}', '{"puzzles":{"x":{"attempts":[1,{"pieces":2}]}},"days":[7]}']) {
      localStorage.setItem("coatl.puzzles", text);
      expect(keptPuzzle("x")).toEqual({ attempts: [], solved: false });
      expect(solvedDays().size).toBe(0);
    }
    keepPuzzle("x", { attempts: [], solved: false }, "2025-12-31"); // tried, but not solved
    keepPuzzle("x", { attempts: [], solved: true }, null); // not that of a day
    keepPuzzle("x", { attempts: [], solved: true }, "2026-01-01");
    keepPuzzle("x", { attempts: [], solved: true }, "2026-01-01");
    expect([...solvedDays()]).toEqual(["2026-01-01"]);
  });
});

describe("days in a row", () => {
  const days = new Set(["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-03"]);
  it("are counted up to today, or to yesterday", () => {
    expect(daysInRow(days, "2026-03-01")).toBe(3);
    expect(daysInRow(days, "2026-03-02")).toBe(3);
    expect(daysInRow(days, "2026-03-03")).toBe(1);
    expect(daysInRow(days, "2026-03-05")).toBe(0);
    expect(shiftDay("2026-03-01", -1)).toBe("2026-02-28");
    expect(lastDays(days, "2026-03-03").map(({ solved }) => solved)).toEqual([false, false, true, true, true, false, true]);
  });
});

it("has addresses of its own", () => {
  expect(readRoute("#/puzzles")).toEqual({ screen: "puzzles" });
  expect(readRoute("#/puzzle")).toEqual({ screen: "puzzle", number: null });
  expect(readRoute("#/puzzle/12")).toEqual({ screen: "puzzle", number: 12 });
  expect(readRoute("#/puzzle/x")).toEqual({ screen: "home" });
});
