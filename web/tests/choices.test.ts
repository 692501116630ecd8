import { describe, expect, it } from "vitest";
import { readChoices } from "../src/lib/choices";

const table = {
  row: ["YG", "YK+R", "YG", null, "{R}", "KBKB"],
  piles: [{ top: "noK/8" }, { top: "R=Y/12" }],
  temples: ["B=K/9"],
};

describe("readChoices", () => {
  it("sorts moves by what a person touches", () => {
    const choices = readChoices(
      ["take b3", "pick YG@1", "pick YG@3", "pick YK+R", "draw", "new <K", "R+1", "1+R", "2+K>",
        "1:KKK", "2:KKK", "token pick BG", "token pick <K", "token future", "token priest 2",
        "drop YG", "done", "pass"],
      table,
    );
    expect(choices.takes.get("b3")).toBe("take b3");
    expect([...choices.picks]).toEqual([[0, "pick YG@1"], [2, "pick YG@3"], [1, "pick YK+R"]]);
    expect(choices.draw).toBe("draw");
    expect(choices.begins.get("<K")).toBe("new <K");
    expect(choices.adds.get("R")).toEqual([
      { coatl: 0, side: "left", move: "R+1" },
      { coatl: 0, side: "right", move: "1+R" },
    ]);
    expect(choices.adds.get("K>")).toEqual([{ coatl: 1, side: "right", move: "2+K>" }]);
    expect(choices.lays.get("KKK")).toEqual([
      { coatl: 0, move: "1:KKK" },
      { coatl: 1, move: "2:KKK" },
    ]);
    expect(choices.perfect.get("BG")).toBe("token pick BG");
    expect(choices.future).toBe("token future");
    expect(choices.priest.get(1)).toBe("token priest 2");
    expect(choices.drops.get("YG")).toBe("drop YG");
    expect([choices.done, choices.pass]).toEqual(["done", "pass"]);
  });

  it("knows Temple cards by where they lie", () => {
    const choices = readChoices(["1:noK/8", "1:B=K/9", "1:R=Y/12@2"], table);
    expect(choices.temples).toEqual([
      { card: "noK/8", pile: 1, move: "1:noK/8" },
      { card: "B=K/9", pile: 0, move: "1:B=K/9" },
      { card: "R=Y/12", pile: 2, move: "1:R=Y/12@2" },
    ]);
    expect(choices.lays.size).toBe(0);
  });

  it("does not mistake a pattern with a plus for an addition", () => {
    const choices = readChoices(["1:YK+R", "1:KY*+YK"], table);
    expect([...choices.lays.keys()]).toEqual(["YK+R", "KY*+YK"]);
    expect(choices.adds.size).toBe(0);
  });
});
