import { describe, expect, it } from "vitest";
import { readChoices } from "../src/lib/choices";
import { askedMove, asksFirst, heldText, isStillThere, legalMove, placeText, readHeld, readPlace, sideAt, targets, type Held, type Place } from "../src/lib/intent";
import type { SeatView, ViewData } from "../src/lib/protocol";

const table = {
  row: ["YG", "YK+R", "YG", null, "{R}", "KBKB"],
  piles: [{ top: "noK/8" }, { top: "R=Y/12" }],
  temples: ["B=K/9"],
};
const choices = readChoices(
  ["take b3", "pick YG@1", "pick YG@3", "pick YK+R", "draw", "new <K", "<K+2", "R+1", "1+R", "1:KKK", "token priest 2"],
  table,
);
const completing = readChoices(["2:noK/8", "2:B=K/9", "2:R=Y/12@2"], table);

const piece = (text: string): Held => ({ kind: "piece", at: 0, piece: text });
const end = (coatl: number, side: "left" | "right"): Place => ({ kind: "end", coatl, side });

describe("texts of what is held and of places", () => {
  const held: Held[] = [
    piece("<K"), { kind: "card", card: "!YY!" }, { kind: "temple", card: "noK/8", pile: 1 },
    { kind: "space", space: "b3" }, { kind: "row", at: 2, card: "YG" }, { kind: "deck" },
  ];
  const places: Place[] = [end(1, "left"), { kind: "lane", coatl: 2 }, { kind: "begin" }, { kind: "board" }, { kind: "hand" }];

  it("can be written and read again", () => {
    for (const one of held) expect(readHeld(heldText(one))).toEqual(one);
    for (const one of places) expect(readPlace(placeText(one))).toEqual(one);
  });

  it("what is something else is nothing", () => {
    expect(readHeld("dice 3")).toBeNull();
    expect(readPlace("end 1 middle")).toBeNull();
  });
});

describe("legalMove", () => {
  it("finds the move the server sent for a thing and a place", () => {
    expect(legalMove(piece("R"), end(0, "left"), choices)).toBe("R+1");
    expect(legalMove(piece("R"), end(0, "right"), choices)).toBe("1+R");
    expect(legalMove(piece("<K"), { kind: "begin" }, choices)).toBe("new <K");
    expect(legalMove({ kind: "card", card: "KKK" }, { kind: "lane", coatl: 0 }, choices)).toBe("1:KKK");
    expect(legalMove({ kind: "space", space: "b3" }, { kind: "board" }, choices)).toBe("take b3");
    expect(legalMove({ kind: "row", at: 2, card: "YG" }, { kind: "hand" }, choices)).toBe("pick YG@3");
    expect(legalMove({ kind: "deck" }, { kind: "hand" }, choices)).toBe("draw");
    expect(legalMove({ kind: "temple", card: "R=Y/12", pile: 2 }, { kind: "hand" }, choices)).toBe("token priest 2");
    expect(legalMove({ kind: "temple", card: "R=Y/12", pile: 2 }, { kind: "lane", coatl: 1 }, completing)).toBe("2:R=Y/12@2");
  });

  it("finds none where there is none", () => {
    expect(legalMove(piece("<K"), end(1, "right"), choices)).toBeUndefined();
    expect(legalMove(piece("R"), { kind: "hand" }, choices)).toBeUndefined();
    expect(legalMove({ kind: "space", space: "b4" }, { kind: "board" }, choices)).toBeUndefined();
    expect(legalMove({ kind: "temple", card: "noK/8", pile: 1 }, { kind: "lane", coatl: 0 }, completing)).toBeUndefined();
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
  const final = ["take b1", "draw", "done", "token future", "1:noK/8"];
  it("asks before what cannot be taken back, but not before the end of a turn", () => {
    expect(["draw", "token future", "1:noK/8"].every((move) => asksFirst(move, final))).toBe(true);
    expect(["done", "take b1", "1+R", "1:KKK"].some((move) => asksFirst(move, final))).toBe(false);
  });
});

describe("isStillThere", () => {
  const view = { row: table.row, piles: table.piles } as unknown as ViewData;
  const own = { board: ["<K", "R"], hand: ["KKK"], temples: ["B=K/9"] } as unknown as SeatView;
  const is = (held: Held) => isStillThere(held, view, own);

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
    expect(isStillThere({ kind: "card", card: "KKK" }, view, undefined)).toBe(false);
    expect(is({ kind: "space", space: "b3" })).toBe(false);
  });
});
