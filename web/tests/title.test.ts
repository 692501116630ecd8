import { afterEach, expect, test } from "vitest";
import { device } from "../src/lib/device.svelte";
import type { TableState } from "../src/lib/protocol";
import { isYourTurn, replayTitle, tableTitle, windowTitle } from "../src/lib/title";
import { overwriteGetLocale } from "../src/paraglide/runtime";
import { tableState, viewData } from "./making";

afterEach(() => {
  overwriteGetLocale(() => "en");
  device.people = 1;
});

const bens = tableState({ view: viewData({ to_move: 1 }) });
const standing = [{ rank: 1, place: 1, points: 20, cards: 5, best_coatl: 9 }];

test.each<[string, TableState, string]>([
  ["my turn", tableState(), "Your turn · Cóatl"],
  ["another's", bens, "Ben’s turn · Cóatl"],
  ["A.D.A.M.'s", tableState({ view: viewData({ to_move: null }) }), "A.D.A.M.’s turn · Cóatl"],
  ["set-up", tableState({ view: viewData({ phase: "setup" }) }), "Choose the cards you keep · Cóatl"],
  ["before the game", tableState({ status: "waiting", view: null }), "Waiting for everybody · Cóatl"],
  ["its end", tableState({ status: "over", standing }), "End: Ben wins with 20 points · Cóatl"],
  ["a spectator", tableState({ seat: null, place: null }), "Ana’s turn · Cóatl"],
])("the title of a table: %s", (_, state, expected) => {
  expect(windowTitle(tableTitle(state))).toBe(expected);
});

test("in the reader's language", () => {
  overwriteGetLocale(() => "fr");
  expect([tableTitle(tableState()), tableTitle(bens)]).toEqual(["À vous de jouer", "Au tour de Ben"]);
  overwriteGetLocale(() => "de");
  expect([tableTitle(tableState()), tableTitle(bens)]).toEqual(["Du bist dran", "Ben ist dran"]);
});

test("at a shared device people are named, and a bot that plays for you is not you", () => {
  device.people = 2;
  expect(tableTitle(tableState())).toBe("Ana’s turn");
  device.people = 1;
  const away = tableState({ places: [{ kind: "person", name: "Ana", ready: true, connected: true, bot: "greedy" }] });
  expect([isYourTurn(away), tableTitle(away)]).toEqual([false, "Ana’s turn"]);
  expect(isYourTurn(tableState())).toBe(true);
});

test("a replay says who played; the start has the game's name", () => {
  const overview = { players: 2, seats: ["Ana", "Ben"], moves: [], over: true };
  expect(replayTitle(overview as unknown as Parameters<typeof replayTitle>[0])).toBe("Replay: Ana, Ben");
  expect([replayTitle(null), windowTitle()]).toEqual(["Replay", "Cóatl"]);
});
