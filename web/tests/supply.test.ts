import { describe, expect, it } from "vitest";
import { numberOf, pieceIn, SPACES, spacePieces } from "../src/lib/supply";

describe("supply spaces", () => {
  it("are numbered from 1, as A.D.A.M. counts them", () => {
    expect(SPACES.map(numberOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(numberOf("")).toBe(0);
  });
  it("hold segments, heads or tails", () => {
    expect([pieceIn("b2", "K"), pieceIn("h1", "K"), pieceIn("t2", "K")]).toEqual(["K", "<K", "K>"]);
    expect(spacePieces({ supply: { h1: "RB" } }, "h1")).toEqual(["<R", "<B"]);
    expect(spacePieces({ supply: {} }, "b1")).toEqual([]);
  });
});
