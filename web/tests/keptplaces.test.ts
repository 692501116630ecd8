import { describe, expect, it } from "vitest";
import { keepPlaces, LaidOrder } from "../src/lib/keptplaces";

describe("keepPlaces", () => {
  it("begins in the order that the server sent", () => {
    expect(keepPlaces([], ["<K", "R", "R"])).toEqual(["<K", "R", "R"]);
  });

  it("leaves a hole where something was, and fills the first hole with what comes", () => {
    const less = keepPlaces(["<K", "R", "G"], ["R", "G"]);
    expect(less).toEqual([null, "R", "G"]);
    expect(keepPlaces(less, ["B", "G", "R"])).toEqual(["B", "R", "G"]);
    expect(keepPlaces(less, ["B", "G", "R", "Y"])).toEqual(["B", "R", "G", "Y"]);
  });

  it("takes the one that was picked up of several that look the same, or else the last", () => {
    expect(keepPlaces(["R", "R", "R"], ["R", "R"], 1)).toEqual(["R", null, "R"]);
    expect(keepPlaces(["R", "R", "R"], ["R", "R"])).toEqual(["R", "R", null]);
    expect(keepPlaces(["R", "R", "B"], ["B"], 0)).toEqual([null, null, "B"]);
    expect(keepPlaces(["R", "B"], ["R"], 0)).toEqual(["R", null]); // another one left
  });

  it("changes nothing when nothing changed", () => {
    const places = ["R", null, "B"];
    expect(keepPlaces(places, ["B", "R"])).toEqual(places);
  });

  it("gives back the place of what is taken back", () => {
    const laid = keepPlaces(["KKK", "YG", "RGRG"], ["KKK", "RGRG"]);
    expect(keepPlaces(laid, ["KKK", "RGRG", "YG"])).toEqual(["KKK", "YG", "RGRG"]);
  });
});

describe("LaidOrder", () => {
  it("leaves cards where they were laid, however they are sent", () => {
    const order = new LaidOrder();
    const names = (...cards: string[]) => order.sort(cards.map((card) => ({ card }))).map(({ card }) => card);
    expect(names("KK")).toEqual(["KK"]);
    expect(names("BB", "KK")).toEqual(["KK", "BB"]);
    expect(names("BB")).toEqual(["BB"]);
    expect(names("AA", "BB")).toEqual(["BB", "AA"]);
  });
});
