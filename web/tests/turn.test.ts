import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readChoices } from "../src/lib/choices";
import { isLongPress, judge } from "../src/lib/gesture";
import { placePop } from "../src/lib/popplace";
import { bestMet, bestTimes, leftLying, litPlaces, prophecyProgress, templeProgress } from "../src/lib/progress";
import type { CoatlView, GameEvent, SeatView } from "../src/lib/protocol";
import { CAUSES, WHY, whyText } from "../src/lib/reasons";
import { laidNow, numbersInHand, turnSteps } from "../src/lib/turnsteps";
import { spacePieces } from "../src/lib/supply";
import { perfectCan, perfectMove, perfectMoves, tokenMove } from "../src/lib/tokens";
import { board, coatl, DECK, DONE, fulfil, hand, perfect, pick, piece, prophecy, row } from "./making";

const TEXTS = JSON.parse(readFileSync("messages/en.json", "utf-8")) as Record<string, string>;

describe("reasons", () => {
  const source = readFileSync("../src/coatl/reasons.py", "utf-8");
  const codes = [...source.matchAll(/^ {4}Cause\.([A-Z]+\d+)_(\w+):/gm)].map(([, clause, word]) => `${clause}.${word!.toLowerCase()}`);
  const clauseOf = (code: string) => code.split(".")[0]!;
  const clauses = [...new Set(codes.map(clauseOf))];

  it("has a text for each clause that can forbid something, and for no other", () => {
    expect(clauses.length).toBeGreaterThan(20);
    expect(Object.keys(WHY).sort()).toEqual([...clauses].sort());
  });

  it("has a text for each cause of a clause that has several", () => {
    const several = codes.filter((code) => codes.filter((other) => clauseOf(other) === clauseOf(code)).length > 1);
    expect(several.length).toBeGreaterThan(40);
    expect(Object.keys(CAUSES).sort()).toEqual([...several].sort());
    for (const code of several) expect(CAUSES[code]!(), code).toBe(TEXTS[`why_${code.replace(".", "_")}`]);
  });

  it("names the cause, or else the clause", () => {
    expect(whyText({ clause: "A1", cause: "A1.three" })).toBe(TEXTS.why_A1_three);
    expect(whyText({ clause: "A1", cause: "A1.unheard_of" })).toBe(TEXTS.why_A1);
    expect(whyText({ clause: "T1", cause: "T1.empty" })).toBe(TEXTS.why_T1);
  });

  it("does not fail on a clause it does not know", () => {
    expect(whyText({ clause: "Z9" })).toBe(TEXTS.error_other);
  });
});

describe("a press", () => {
  const mouse = { type: "mouse", x: 0, y: 0, time: 0 };
  const touch = { ...mouse, type: "touch" };
  it("of a mouse is a drag after a few pixels", () => {
    expect(judge(mouse, 3, 3, 9000)).toBe("wait");
    expect(judge(mouse, 5, 4, 1)).toBe("drag");
  });
  it("of a finger scrolls when it moves at once, and drags when it has rested", () => {
    expect(judge(touch, 5, 5, 100)).toBe("wait");
    expect(judge(touch, 0, 12, 100)).toBe("scroll");
    expect(judge(touch, 0, 12, 300)).toBe("drag");
  });
  it("a finger that rested and was lifted where it lay has made a long press", () => {
    expect(isLongPress(touch, 3, 3, 300)).toBe(true);
    expect(isLongPress(touch, 3, 3, 100)).toBe(false);
    expect(isLongPress(touch, 0, 12, 300)).toBe(false);
    expect(isLongPress(mouse, 0, 0, 300)).toBe(false);
  });
});

describe("a turn's steps", () => {
  const events: GameEvent[] = [
    prophecy(0, "KKK", row(0), hand(0)), { kind: "turn", seat: 0, turn: 5 },
    prophecy(0, "YG", row(1), hand(0)), prophecy(0, "RK", row(2), hand(0)), { kind: "undo", seat: 0, move: pick("RK", 2) },
    prophecy(0, "YG", DECK, hand(0)),
  ];
  it("leave out other turns and what was undone", () => {
    expect(turnSteps(events, 0).map(({ kind, what }) => `${kind} ${what}`)).toEqual(["picked YG", "drawn YG"]);
    expect(turnSteps(events, null)).toEqual([]);
  });
  it("number the cards in the hand", () => {
    expect(numbersInHand(["KKK", "YG", "YG"], turnSteps(events, 0))).toEqual([null, 2, 1]);
  });
  it("tell what was laid since the last piece", () => {
    const steps = turnSteps([prophecy(0, "RK", hand(0), coatl(0, 1)), piece(0, "K>", board(0), coatl(0, 1)), prophecy(0, "YG", hand(0), coatl(0, 1))], 0);
    expect([...laidNow(steps, 1)]).toEqual(["YG"]);
  });
  it("keep a card when only the step to the Temple card is taken back", () => {
    const laid = prophecy(0, "YG", hand(0), coatl(0, 1));
    expect(turnSteps([laid, { kind: "undo", seat: 0, move: fulfil(1, "YG") }], 0)).toEqual([]);
    expect(turnSteps([laid, { kind: "undo", seat: 0, move: DONE }], 0)).toHaveLength(1);
  });
});

describe("points left lying", () => {
  const temples = [{ card: "noK/8", met: [true], points: 3 }, { card: "2K/2R", met: [true, false], points: 4 }];
  const coatl = (closing: number | null) => ({ pieces: "<KRB>", complete: false, value: 6, temples, closing });

  it("before the Temple card: what closing could bring, less what it still brings with a Temple card", () => {
    expect(leftLying(coatl(15), "fulfil")).toBe(5);
    expect(leftLying(coatl(10), "fulfil")).toBe(0);
    expect(leftLying({ ...coatl(11), temples: [] }, "fulfil")).toBe(5);
  });

  it("at the Temple card: the best one", () => {
    expect(leftLying(coatl(10), "temple")).toBe(4);
    expect(leftLying(coatl(6), "temple")).toBe(0);
  });

  it("are none where the server names no value", () => {
    expect(leftLying(coatl(null), "fulfil")).toBe(0);
  });
});

describe("progress", () => {
  const own = {
    board: [], hand_size: 1, hand: ["YG"], temple_count: 0, temples: [], tokens: [], points: 0,
    coatls: [
      { pieces: "<KR", complete: false, value: 3, cards: [{ card: "KKK", times: 1, points: 3, matches: [[0, 1], [3]] }], hand: [{ card: "YG", times: 2, points: 3 }], row: [{ card: "RK", times: 0, points: 0 }], temples: [{ card: "noK/8", met: [true, false], points: 3 }] },
      { pieces: "<KR>", complete: true, value: 7, cards: [{ card: "YG", times: 3, points: 5 }] },
    ],
  } satisfies SeatView;

  it("is looked up on each Cóatl, laid or not", () => {
    expect(prophecyProgress(own, "YG").map(({ coatl, laid, progress }) => [coatl, laid, progress.times])).toEqual([[0, false, 2], [1, true, 3]]);
    expect(templeProgress(own, "noK/8").map(({ coatl, progress }) => [coatl, progress.points])).toEqual([[0, 3]]);
    expect(bestTimes(own, "YG")).toBe(2);
    expect(bestTimes(undefined, "YG")).toBe(0);
  });
  it("with a Temple card is that of the Cóatl it suits best", () => {
    const better: CoatlView = { ...(own.coatls[0] as CoatlView), temples: [{ card: "noK/8", met: [true, true], points: 8 }] };
    expect(bestMet(own, "noK/8")).toEqual([true, false]);
    expect(bestMet({ ...own, coatls: [...own.coatls, better] }, "noK/8")).toEqual([true, true]);
    expect(bestMet(undefined, "noK/8")).toEqual([]);
  });
  it("lights the pieces that match", () => {
    const first = own.coatls[0] as CoatlView;
    expect(litPlaces(first, "KKK")).toEqual([0, 1, 3]);
    expect(litPlaces(first, "RK")).toBeUndefined();
    expect(litPlaces(first, null)).toBeUndefined();
  });
});

describe("Perfect Pick", () => {
  const [head, two, same, tail] = [perfect("<K"), perfect("K", "R"), perfect("R", "R"), perfect("G>")];
  const choices = readChoices([head, two, same, tail]);
  it("offers what the moves offer", () => {
    const pairs = perfectMoves(choices, "b");
    expect(pairs).toEqual([two, same]);
    expect([perfectMoves(choices, "h"), perfectMoves(choices, "t")]).toEqual([[head], [tail]]);
    expect(perfectCan(pairs, [], "K")).toBe(true);
    expect(perfectCan(pairs, ["K"], "K")).toBe(false);
    expect(perfectMove(pairs, ["R", "K"])).toBe(two);
    expect(perfectMove(pairs, ["R"])).toBeUndefined();
    expect(perfectMove([head], ["K"])).toBe(head);
  });
  it("asks about a token that cannot be used", () => {
    const view = { bag: { "<K": 1, R: 2 }, piles: [{ top: null, size: 0 }, { top: "noK/8", size: 3 }] };
    expect([tokenMove("pick", view), tokenMove("future", view), tokenMove("priest", view)]).toEqual(["token pick RR", "token future", "token priest 2"]);
  });
});

describe("spacePieces", () => {
  it("writes the pieces of a space", () => {
    const view = { supply: { b1: "KR", h1: "B", t2: "Y", b2: "" } };
    expect(["b1", "h1", "t2", "b2"].map((space) => spacePieces(view, space))).toEqual([["K", "R"], ["<B"], ["Y>"], []]);
  });
});

describe("placePop", () => {
  const page = { left: 0, top: 50, width: 1000, height: 700 };
  const size = { width: 300, height: 200 };
  it("lies where there is room, within the page", () => {
    expect(placePop({ left: 100, top: 300, width: 50, height: 50 }, size, page).side).toBe("right");
    expect(placePop({ left: 900, top: 300, width: 50, height: 50 }, size, page).side).toBe("left");
    expect(placePop({ left: 200, top: 600, width: 600, height: 50 }, size, page).side).toBe("above");
    const low = placePop({ left: 100, top: 720, width: 50, height: 30 }, size, page);
    expect(low.top + size.height).toBeLessThanOrEqual(750);
  });
  it("leaves in sight what has to stay so", () => {
    const clear = { left: 0, top: 450, width: 1000, height: 200 };
    const above = { left: 100, top: 250, width: 50, height: 50 };
    expect(placePop(above, size, page, { clear }).side).toBe("right");
    expect(placePop(above, size, page, { first: "below", clear }).side).toBe("right");
    const hand = placePop({ left: 100, top: 680, width: 50, height: 60 }, size, page, { clear });
    expect(hand.side).toBe("apart");
    expect(hand.top + size.height).toBeLessThan(clear.top);
    const high = { ...clear, top: 200 };
    expect(placePop({ left: 100, top: 680, width: 50, height: 60 }, size, page, { clear: high }).side).toBe("right");
  });
});
