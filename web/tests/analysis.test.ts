import { afterEach, describe, expect, it } from "vitest";
import { Analysing, type AnalysisSource } from "../src/lib/analysing.svelte";
import { gradeWords, leadText, line, marked, pointAt, secondParts, stepOfTurn, swing } from "../src/lib/analysis";
import { piecesIn, readLine, readMove } from "../src/lib/analysismoves";
import { ApiError } from "../src/lib/api";
import { turnAxis } from "../src/lib/course";
import { practiceTable } from "../src/lib/playon";
import type { AnalysisState, BetterMove, ReplayMove, ReplayOverview, Report } from "../src/lib/protocol";
import { tableOf } from "../src/lib/replaying";
import { plain } from "../src/lib/words";
import { overwriteGetLocale } from "../src/paraglide/runtime";

const move = (turn: number, seat: number): ReplayMove => ({ move: null, seat, turn, kind: "take", points: [0, 0], events: [] });
const MOVES = [move(0, 0), move(0, 1), move(1, 0), move(1, 0), move(2, 1), move(4, 0)];
const point = (turn: number, seat: number | null, mine: number) => ({ turn, seat, action: "take", chances: [mine, 1 - mine], points: [0, 0] });
const REPORT: Report = {
  version: 1, depth: "quick", margin: 0.03, seed: "", weights: "", record: "", players: 2, names: [], winners: [0], points: [3, 0],
  course: [point(0, null, 0.5), point(1, 0, 0.6), point(2, 1, 0.25), point(4, 0, 1)],
  turns: [], turning_points: [], grades: [],
};
const OVERVIEW: ReplayOverview = { players: 3, seats: ["Ana", "bot:novice", "Ben"], levels: null, moves: [], over: true, winners: [0] };

describe("a move in the notation", () => {
  it.each([
    ["take b3", { kind: "take", pieces: ["K", "R"] }],
    ["pick KB*+BK@2", { kind: "pick", card: "KB*+BK" }],
    ["drop {Y}", { kind: "drop", card: "{Y}" }],
    ["new <K", { kind: "begin", pieces: ["<K"] }],
    ["token priest 2", { kind: "token", token: "priest" }],
    ["K+2", { kind: "add", pieces: ["K"], coatl: 1 }],
    ["1+G>", { kind: "add", pieces: ["G>"], coatl: 0 }],
    ["3:YB+G", { kind: "fulfil", card: "YB+G", coatl: 2 }],
    ["2:noK/8@1", { kind: "fulfil", card: "noK/8", coatl: 1 }],
    ["draw", { kind: "draw" }],
    ["pass", { kind: "pass" }],
    ["done", { kind: "done" }],
  ])("%s", (text, expected) => expect(readMove(text, "KR")).toMatchObject(expected));

  it("says which pieces were taken", () => {
    expect([piecesIn("KR"), piecesIn("<K"), piecesIn("K>"), piecesIn("")]).toEqual([["K", "R"], ["<K"], ["K>"], []]);
  });

  it("leaves out that the turn ends, unless that is all", () => {
    const better: BetterMove = { decision: 0, played: { move: "pass", chance: 0 }, best: { move: "1+G>", chance: 1 }, line: ["1+G>", "done"], others: [] };
    expect(readLine(better).map(({ kind }) => kind)).toEqual(["add"]);
    expect(readLine({ ...better, line: ["done"] }).map(({ kind }) => kind)).toEqual(["done"]);
  });

  it("tells a second best only where it is better than what was played", () => {
    const better: BetterMove = { decision: 0, played: { move: "pass", chance: 0.2 }, best: { move: "draw", chance: 1 }, line: ["draw"], others: [{ move: "take b1", chance: 0.4, taken: "KR" }] };
    expect(plain(secondParts(better, tableOf(OVERVIEW)) ?? [])).toContain("40");
    expect(secondParts({ ...better, others: [{ move: "take b1", chance: 0.1 }] }, tableOf(OVERVIEW))).toBeNull();
  });
});

describe("in words", () => {
  const ahead = (...mine: number[]): Report => ({ ...REPORT, course: mine.map((chance, turn) => point(turn, turn % 2, chance)) });
  const asAna = { ...tableOf(OVERVIEW), seat: 0, place: 0 };
  afterEach(() => overwriteGetLocale(() => "en"));

  it("says who was ahead since when, to the winner, too", () => {
    const swapped = ahead(0.4, 0.6, 0.7);
    expect(leadText(swapped, tableOf(OVERVIEW))).toBe("Ana was ahead from turn 1 on; the lead changed hands once.");
    expect(leadText(swapped, asAna)).toBe("You were ahead from turn 1 on; the lead changed hands once.");
    expect(leadText(ahead(0.6, 0.7), asAna)).toBe("You were ahead all the time.");
    expect(leadText({ ...swapped, winners: [0, 2] }, asAna)).toBe("");
  });

  it("names whoever reads it, and writes numbers in the language of the page", () => {
    const grade = { seat: 0, turns: 4, mean_loss: 0.0346, best_share: 0.75, worst: null };
    expect(gradeWords(grade, asAna)).toEqual({ name: "You", lost: "3.5 %", best: "3 of 4", points: "" });
    expect(gradeWords({ ...grade, points_lost: -0.04, points_margin: 1.26 }, asAna).points).toBe("0.0\u00a0±\u00a01.3");
    expect(gradeWords({ ...grade, points_lost: -0.5, points_margin: 1 }, asAna).points).toBe("−0.5\u00a0±\u00a01.0");
    expect(gradeWords({ ...grade, points_lost: 0.5, points_margin: null }, asAna).points).toBe("");
    expect(gradeWords({ ...grade, seat: 2 }, asAna).name).toBe("Ben");
    overwriteGetLocale(() => "de");
    expect(gradeWords(grade, asAna).lost).toBe("3,5\u00a0%");
    expect(gradeWords({ ...grade, points_lost: 1.25, points_margin: 0.5 }, asAna).points).toBe("1,3\u00a0±\u00a00,5");
  });
});

describe("the curve", () => {
  it("has each point where its turn ends, on the axis of the timeline", () => {
    const axis = turnAxis(MOVES); // turns 0 to 4
    expect(marked(REPORT, axis).map(({ x }) => x)).toEqual([0.2, 0.4, 0.8, 1]);
    expect(line(marked(REPORT, axis), 0)).toBe("M0.2000 0.5000L0.4000 0.4000L0.8000 0.7500L1.0000 0.0000");
  });

  it("shows the chances after the last turn that is over", () => {
    const turns = MOVES.map((_, at) => pointAt(REPORT, MOVES, at)?.turn);
    expect(turns).toEqual([0, 0, 0, 0, 1, 2]);
    expect(pointAt(REPORT, MOVES, MOVES.length)?.turn).toBe(4);
  });

  it("finds the step with which a turn ends, and what it changed", () => {
    expect([stepOfTurn(MOVES, 1), stepOfTurn(MOVES, 4)]).toEqual([4, 6]);
    expect(swing({ turn: 1, seat: 0, kind: "gain", change: 0.214, loss: 0 })).toBe("+21");
    expect(swing({ turn: 1, seat: 0, kind: "missed", change: 0.05, loss: 0.3 })).toBe("−30");
  });
});

/** Answers one state after the other. */
function source(...states: (AnalysisState | string)[]): AnalysisSource & { asked: string[] } {
  const asked: string[] = [];
  const next = (what: string) => async () => {
    asked.push(what);
    const state = states.shift();
    if (state === undefined || typeof state === "string") throw new ApiError(state ?? "internal", "");
    return state;
  };
  return { asked, ask: (depth) => next(depth)(), read: next("read"), cancel: next("cancel"), draw: async () => "" };
}

const state = (status: AnalysisState["status"], more: Partial<AnalysisState> = {}): AnalysisState => ({ id: "a", status, depth: "normal", ...more });
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("following an analysis", () => {
  it("looks again until it is done", async () => {
    const from = source(state("waiting"), state("running"), state("done", { report: REPORT }));
    const analysing = new Analysing(from, 0);
    await analysing.ask("normal");
    while (analysing.busy) await soon();
    expect(from.asked).toEqual(["normal", "read", "read"]);
    expect([analysing.report, analysing.deeper]).toEqual([REPORT, "normal"]);
    await soon();
    expect(from.asked).toHaveLength(3);
  });

  it("cancels, and goes on at the same depth", async () => {
    const from = source(state("running", { depth: "deep" }), state("stopped", { depth: "deep", done: 3, steps: 9 }), state("done"));
    const analysing = new Analysing(from, 1e6);
    await analysing.ask("deep");
    await analysing.cancel();
    expect([analysing.busy, analysing.state?.done]).toEqual([false, 3]);
    await analysing.goOn();
    expect(from.asked).toEqual(["deep", "cancel", "deep"]);
    analysing.close();
  });

  it("says what went wrong, and not that there is none yet", async () => {
    const analysing = new Analysing(source("one_analysis", "offline"), 0);
    await analysing.ask("quick");
    expect(analysing.problem).toBe("one_analysis");
    analysing.problem = "";
    await analysing.look();
    expect([analysing.problem, analysing.state]).toEqual(["", null]);
  });

  it("goes on looking after the server was away for a moment", async () => {
    const from = source(state("running"), "offline", state("done"));
    const analysing = new Analysing(from, 0);
    await analysing.ask("normal");
    while (analysing.busy) await soon();
    expect([from.asked.length, analysing.problem]).toEqual([3, ""]);
  });
});

describe("playing on", () => {
  it("puts bots where others sat, the same where a bot did", () => {
    const { places, practice } = practiceTable("2p …", OVERVIEW, 0, "planner");
    expect(practice).toEqual({ position: "2p …" });
    expect(places).toEqual([
      { kind: "person", name: "Ana" },
      { kind: "bot", name: "", bot: "novice" },
      { kind: "bot", name: "", bot: "planner" },
    ]);
    expect(practiceTable("", OVERVIEW, 1, "planner").places[1]).toEqual({ kind: "person", name: "" });
  });
});
