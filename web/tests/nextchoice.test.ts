import { describe, expect, it } from "vitest";
import { readChoices } from "../src/lib/choices";
import { nextChoices } from "../src/lib/nextchoice";
import type { Move } from "../src/lib/protocol";
import { addLeft, begin, DONE, DRAW, fromPile, fulfil, PASS, pick, take } from "./making";

const next = (moves: readonly Move[], more: { keeping?: boolean; inSheet?: boolean } = {}) =>
  nextChoices({ choices: readChoices(moves), keeping: false, inSheet: false, ...more });

describe("where the next choice is", () => {
  it("at the start of a turn: the supply before the cards, then the own board and hand", () => {
    expect(next([fulfil(0, "KKK"), begin("<K"), DRAW, pick("YG", 0), take("b3")])).toEqual(["supply", "market", "board", "hand"]);
  });

  it("while choosing or assembling: more of the same, then the end of the turn", () => {
    expect(next([DRAW, DONE])).toEqual(["market", "end"]);
    expect(next([addLeft("R", 0), fulfil(0, "KKK"), DONE])).toEqual(["board", "hand", "end"]);
    expect(next([PASS])).toEqual(["end"]);
  });

  it("in a sheet: its cards", () => {
    expect(next([fulfil(0, "KKK"), DONE], { inSheet: true })).toEqual(["sheet-hand", "end"]);
    expect(next([fromPile(1, "noK/8", 0)], { inSheet: true })).toEqual(["sheet-temples", "end"]);
  });

  it("at set-up: the hand", () => {
    expect(next([DONE], { keeping: true })).toEqual(["hand"]);
  });

  it("while others play: nowhere", () => {
    expect(next([])).toEqual([]);
  });
});
