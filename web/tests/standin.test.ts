import { describe, expect, it } from "vitest";
import { botFor, hasStandIn, mayTakeOver } from "../src/lib/standin";
import { tableState } from "./making";

const [person] = tableState().places;

describe("a bot that plays for a person", () => {
  it("is one at a person's place only", () => {
    const state = tableState({ places: [{ ...person!, bot: "greedy" }, { ...person!, kind: "bot", bot: "random" }] });
    expect([botFor(state), botFor(state, 1), botFor(tableState())]).toEqual(["greedy", null, null]);
    expect([mayTakeOver(state), mayTakeOver(state, 1), mayTakeOver(tableState())]).toEqual([true, false, false]);
  });

  it("plays its turn to the end for who has asked to take over", () => {
    const state = tableState({ places: [{ ...person!, bot: "greedy", returns: true }] });
    expect([hasStandIn(state), mayTakeOver(state)]).toEqual([true, false]);
  });

  it("cannot be relieved by who gave up, nor by a spectator, nor after the end", () => {
    const places = [{ ...person!, bot: "greedy", gave_up: true }, { ...person!, bot: "greedy" }];
    expect(mayTakeOver(tableState({ places }))).toBe(false);
    expect(mayTakeOver(tableState({ places, place: 1 }))).toBe(true);
    expect(mayTakeOver(tableState({ places, place: null }))).toBe(false);
    expect(mayTakeOver(tableState({ places, place: 1, status: "over" }))).toBe(false);
  });
});
