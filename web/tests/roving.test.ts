import { describe, expect, it } from "vitest";
import { goal, type Spot } from "../src/lib/roving";

/** So many things in a row of so many, each 40 px wide and high, 10 px apart. */
const grid = (count: number, columns: number): Spot[] =>
  Array.from({ length: count }, (_, at) => ({ left: (at % columns) * 50, top: Math.floor(at / columns) * 50, width: 40, height: 40 }));

const from = (spots: readonly Spot[]) => (key: string, at: number) => goal(key, at, () => spots, spots.length);

describe("arrows in a group", () => {
  it("go along the order of the items, and round", () => {
    const go = from(grid(3, 3));
    expect(go("ArrowRight", 0)).toBe(1);
    expect(go("ArrowRight", 2)).toBe(0);
    expect(go("ArrowLeft", 1)).toBe(0);
    expect(go("ArrowLeft", 0)).toBe(2);
  });

  it("Home and End go to the first and the last", () => {
    const go = from(grid(5, 3));
    expect(go("Home", 3)).toBe(0);
    expect(go("End", 1)).toBe(4);
  });

  it("up and down go to what lies there, and stay where nothing does", () => {
    const go = from(grid(8, 4));
    expect(go("ArrowDown", 1)).toBe(5);
    expect(go("ArrowUp", 6)).toBe(2);
    expect(go("ArrowUp", 2)).toBe(2);
    expect(go("ArrowDown", 7)).toBe(7);
  });

  it("in a shorter row they go to what is nearest", () => {
    expect(from(grid(5, 3))("ArrowDown", 2)).toBe(4);
  });

  it("a Cóatl and what lies in its lane are one row", () => {
    const lane = (top: number): Spot[] => [{ left: 0, top, width: 800, height: 80 }, { left: 700, top: top + 10, width: 60, height: 60 }];
    const go = from([...lane(0), ...lane(90), ...lane(180)]);
    expect(go("ArrowDown", 0)).toBe(2);
    expect(go("ArrowDown", 1)).toBe(3);
    expect(go("ArrowUp", 4)).toBe(2);
  });

  it("other keys are none of theirs", () => {
    for (const key of ["Enter", " ", "Tab", "Escape", "a"]) expect(from(grid(3, 3))(key, 1)).toBeNull();
  });
});
