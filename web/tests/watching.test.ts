import { expect, test } from "vitest";
import { laneSizes } from "../src/lib/watching";

const used = (players: number, lane: number) => players * (34 + 3 * (5 + lane)) + (players - 1) * 12;

test("two players have lanes of the full size", () => {
  const { lane, serpent, cards } = laneSizes(980, 810, 2, 3, 82);
  expect(lane).toBe(82);
  expect(serpent).toBeGreaterThanOrEqual(54);
  expect(cards).toBeGreaterThan(0.8);
});

test.each([2, 3, 4])("the lanes of %i players fit into a window of 1440 × 900", (players) => {
  const { lane, serpent } = laneSizes(980, 810, players, 3, 82);
  expect(used(players, lane)).toBeLessThanOrEqual(810);
  expect(serpent).toBeLessThan(lane);
});

test("in a low window they stay readable, and the page scrolls", () => {
  expect(laneSizes(980, 300, 4, 3, 82).lane).toBe(44);
  expect(laneSizes(700, 300, 4, 0, 82).lane).toBeGreaterThanOrEqual(44); // before the numbers of the rules came
});

test("cards leave room for a long serpent", () => {
  expect(laneSizes(700, 1200, 2, 3, 82).cards).toBe(0.66);
  expect(laneSizes(1400, 1200, 2, 3, 92).cards).toBe(1.12);
});
