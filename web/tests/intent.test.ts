import { describe, expect, it } from "vitest";
import { readChoices } from "../src/lib/choices";
import { askedMove, asksFirst, dropText, heldText, isStillThere, legalMove, readDrop, readHeld, sideAt, targets, type DropPlace, type Held } from "../src/lib/intent";
import type { SeatView, ViewData } from "../src/lib/protocol";
import { addLeft, addRight, begin, DONE, DRAW, fromHand, fromPile, fulfil, FUTURE, PASS, pick, priest, take } from "./making";

const choices = readChoices([
  take("b3"), pick("YG", 0, "pick YG@1"), pick("YG", 2, "pick YG@3"), pick("YK+R", 1), DRAW, begin("<K"), addLeft("<K", 1),
  addLeft("R", 0), addRight(0, "R"), fulfil(0, "KKK"), priest(1),
]);
const completing = readChoices([fromPile(1, "noK/8", 0), fromHand(1, "B=K/9"), fromPile(1, "R=Y/12", 1)]);

const piece = (text: string): Held => ({ kind: "piece", at: 0, piece: text });
const end = (coatl: number, side: "left" | "right"): DropPlace => ({ kind: "end", coatl, side });

describe("texts of what is held and of places", () => {
  const held: Held[] = [
    piece("<K"), { kind: "card", card: "!YY!" }, { kind: "temple", card: "noK/8", pile: 1 },
    { kind: "space", space: "b3" }, { kind: "row", at: 2, card: "YG" }, { kind: "deck" },
  ];
  const places: DropPlace[] = [end(1, "left"), { kind: "lane", coatl: 2 }, { kind: "begin" }, { kind: "board" }, { kind: "hand" }];

  it("can be written and read again", () => {
    for (const one of held) expect(readHeld(heldText(one))).toEqual(one);
    for (const one of places) expect(readDrop(dropText(one))).toEqual(one);
  });

  it("what is something else is nothing", () => {
    expect(readHeld("dice 3")).toBeNull();
    expect(readDrop("end 1 middle")).toBeNull();
  });
});

describe("legalMove", () => {
  it("finds the move the server sent for a thing and a place", () => {
    const text = (...wish: Parameters<typeof legalMove>) => legalMove(...wish)?.text;
    expect(text(piece("R"), end(0, "left"), choices)).toBe("R+1");
    expect(text(piece("R"), end(0, "right"), choices)).toBe("1+R");
    expect(text(piece("<K"), { kind: "begin" }, choices)).toBe("new <K");
    expect(text({ kind: "card", card: "KKK" }, { kind: "lane", coatl: 0 }, choices)).toBe("1:KKK");
    expect(text({ kind: "space", space: "b3" }, { kind: "board" }, choices)).toBe("take b3");
    expect(text({ kind: "row", at: 2, card: "YG" }, { kind: "hand" }, choices)).toBe("pick YG@3");
    expect(text({ kind: "deck" }, { kind: "hand" }, choices)).toBe("draw");
    expect(text({ kind: "temple", card: "R=Y/12", pile: 2 }, { kind: "hand" }, choices)).toBe("token priest 2");
    expect(text({ kind: "temple", card: "R=Y/12", pile: 2 }, { kind: "lane", coatl: 1 }, completing)).toBe("2:R=Y/12@2");
    expect(text({ kind: "temple", card: "B=K/9", pile: 0 }, { kind: "lane", coatl: 1 }, completing)).toBe("2:B=K/9");
  });

  it("finds none where there is none", () => {
    expect(legalMove(piece("<K"), end(1, "right"), choices)).toBeUndefined();
    expect(legalMove(piece("R"), { kind: "hand" }, choices)).toBeUndefined();
    expect(legalMove({ kind: "space", space: "b4" }, { kind: "board" }, choices)).toBeUndefined();
    expect(legalMove({ kind: "temple", card: "noK/8", pile: 1 }, { kind: "lane", coatl: 0 }, completing)).toBeUndefined();
    expect(legalMove({ kind: "temple", card: "noK/8", pile: 0 }, { kind: "lane", coatl: 1 }, completing)).toBeUndefined();
  });
});

describe("askedMove", () => {
  it("writes what is not allowed in the notation", () => {
    expect(askedMove(piece("B"), end(0, "left"))).toBe("B+1");
    expect(askedMove(piece("<K"), end(0, "right"))).toBe("1+<K");
    expect(askedMove(piece("R"), { kind: "begin" })).toBe("new R");
    expect(askedMove({ kind: "card", card: "KKK" }, { kind: "lane", coatl: 1 })).toBe("2:KKK");
    expect(askedMove({ kind: "space", space: "b3" }, { kind: "board" })).toBe("take b3");
    expect(askedMove({ kind: "row", at: 0, card: "YG" }, { kind: "hand" })).toBe("pick YG@1");
    expect(askedMove({ kind: "deck" }, { kind: "hand" })).toBe("draw");
    expect(askedMove({ kind: "temple", card: "noK/8", pile: 1 }, { kind: "lane", coatl: 0 })).toBe("1:noK/8@1");
    expect(askedMove({ kind: "temple", card: "B=K/9", pile: 0 }, { kind: "lane", coatl: 0 })).toBe("1:B=K/9");
  });

  it("says nothing of what makes no sense", () => {
    expect(askedMove(piece("R"), { kind: "hand" })).toBeUndefined();
    expect(askedMove({ kind: "space", space: "b3" }, { kind: "begin" })).toBeUndefined();
    expect(askedMove({ kind: "temple", card: "B=K/9", pile: 0 }, { kind: "hand" })).toBeUndefined();
  });
});

describe("targets", () => {
  it("lights every place that takes what is held, and no other", () => {
    expect([...targets(piece("R"), choices)]).toEqual(["end 0 left", "end 0 right"]);
    expect([...targets(piece("<K"), choices)].sort()).toEqual(["begin", "end 1 left"]);
    expect([...targets({ kind: "temple", card: "noK/8", pile: 1 }, completing)]).toEqual(["lane 1"]);
    expect([...targets(piece("G"), choices)]).toEqual([]);
    expect([...targets(null, choices)]).toEqual([]);
  });
});

describe("sideAt", () => {
  const serpent = { left: 100, right: 400 };
  it("means the nearer end", () => {
    expect(sideAt(120, serpent, ["left", "right"])).toBe("left");
    expect(sideAt(300, serpent, ["left", "right"])).toBe("right");
    expect(sideAt(300, serpent, [])).toBe("right");
  });
  it("means the only end that takes the piece, unless the other one is touched", () => {
    expect(sideAt(300, serpent, ["left"])).toBe("left");
    expect(sideAt(390, serpent, ["left"])).toBe("right");
    expect(sideAt(600, serpent, ["left"])).toBe("left");
  });
});

describe("asksFirst", () => {
  const final = ["take b1", "draw", "done", "pass", "token future", "1:noK/8@1"];
  it("asks before what cannot be taken back, but not before the end of a turn", () => {
    expect([DRAW, FUTURE, fromPile(0, "noK/8", 0)].every((move) => asksFirst(move, final))).toBe(true);
    expect([DONE, PASS, take("b1"), addRight(0, "R"), fulfil(0, "KKK")].some((move) => asksFirst(move, final))).toBe(false);
  });
});

describe("isStillThere", () => {
  const view = {
    row: ["YG", "YK+R", "YG", null, "{R}", "KBKB"], piles: [{ top: "noK/8" }, { top: "R=Y/12" }],
  } as unknown as ViewData;
  const own = { board: ["<K", "R"], hand: ["KKK"], temples: ["B=K/9"] } as unknown as SeatView;
  const is = (held: Held) => isStillThere(held, view, own, ["<K", "R", null]);

  it("is true of what lies where it was picked up", () => {
    expect(is({ kind: "row", at: 2, card: "YG" })).toBe(true);
    expect(is({ kind: "temple", card: "R=Y/12", pile: 2 })).toBe(true);
    expect(is({ kind: "temple", card: "B=K/9", pile: 0 })).toBe(true);
    expect(is({ kind: "card", card: "KKK" })).toBe(true);
    expect(is({ kind: "piece", at: 1, piece: "R" })).toBe(true);
  });

  it("is false of what has gone, moved or belongs to nobody here", () => {
    expect(is({ kind: "row", at: 1, card: "YG" })).toBe(false);
    expect(is({ kind: "temple", card: "R=Y/12", pile: 1 })).toBe(false);
    expect(is({ kind: "card", card: "!YY!" })).toBe(false);
    expect(is({ kind: "piece", at: 0, piece: "R" })).toBe(false);
    expect(isStillThere({ kind: "card", card: "KKK" }, view, undefined, [])).toBe(false);
    expect(is({ kind: "space", space: "b3" })).toBe(false);
  });
});
