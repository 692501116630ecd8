import { describe, expect, it } from "vitest";
import { choicesOf, readChoices } from "../src/lib/choices";
import { addLeft, addRight, begin, DONE, DRAW, drop, fromHand, fromPile, fulfil, FUTURE, PASS, perfect, pick, priest, take } from "./making";

describe("choicesOf", () => {
  it("reads a list of moves once", () => {
    const moves = [take("b3"), DONE];
    expect(choicesOf(moves)).toEqual(readChoices(moves));
    expect(choicesOf(moves)).toBe(choicesOf(moves));
    expect(choicesOf([...moves])).not.toBe(choicesOf(moves));
  });
});

describe("readChoices", () => {
  it("sorts moves by what a person touches", () => {
    const [one, two, three] = [pick("YG", 0, "pick YG@1"), pick("YG", 2, "pick YG@3"), pick("YK+R", 1)];
    const choices = readChoices([
      take("b3"), one, two, three, DRAW, begin("<K"), addLeft("R", 0), addRight(0, "R"), addRight(1, "K>"),
      fulfil(0, "KKK"), fulfil(1, "KKK"), perfect("B", "G"), perfect("<K"), FUTURE, priest(1), drop("YG"), DONE, PASS,
    ]);
    expect([...choices.takes]).toEqual([["b3", take("b3")]]);
    expect([...choices.picks]).toEqual([[0, one], [2, two], [1, three]]);
    expect(choices.draw).toBe(DRAW);
    expect([...choices.begins]).toEqual([["<K", begin("<K")]]);
    expect([...choices.adds]).toEqual([["R", [addLeft("R", 0), addRight(0, "R")]], ["K>", [addRight(1, "K>")]]]);
    expect([...choices.lays]).toEqual([["KKK", [fulfil(0, "KKK"), fulfil(1, "KKK")]]]);
    expect(choices.perfect).toEqual([perfect("B", "G"), perfect("<K")]);
    expect(choices.future).toBe(FUTURE);
    expect([...choices.priest]).toEqual([[1, priest(1)]]);
    expect([...choices.drops]).toEqual([["YG", drop("YG")]]);
    expect([choices.done, choices.pass]).toEqual([DONE, PASS]);
  });

  it("keeps Temple cards apart from Prophecy cards", () => {
    const moves = [fromPile(0, "noK/8", 0), fromHand(0, "B=K/9"), fulfil(0, "YK+R")];
    const choices = readChoices(moves);
    expect(choices.temples).toEqual(moves.slice(0, 2));
    expect([...choices.lays.keys()]).toEqual(["YK+R"]);
  });

  it("has nothing where there are no moves", () => {
    const { draw, future, done, pass, ...many } = readChoices([]);
    expect([draw, future, done, pass]).toEqual([null, null, null, null]);
    for (const found of Object.values(many)) expect([...(found as Iterable<unknown>)]).toEqual([]);
  });
});
