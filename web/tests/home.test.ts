import { describe, expect, it } from "vitest";
import { readDraft, keepDraft, forgetDraft } from "../src/lib/draft";
import { oncePerTable, sortTables } from "../src/lib/mytables";
import { canHaveFewer, canHaveTokens, changeSeat, firstGame, newForm, requestOf, sitDown, turnLevel } from "../src/lib/newgame";
import type { GameEvent, TableSummary } from "../src/lib/protocol";
import { sinceLastTurn } from "../src/lib/since";
import { board, decided, piece, supply, take } from "./making";
import { KeptTexts } from "../src/lib/storage";
import { makeStorage } from "./storage";

const GAMES = { players: [1, 2, 3, 4], tokens: [2, 3, 4], fewer_bodies: [2, 3] };

describe("the form for a new game", () => {
  it("has one you: the last one who sat down", () => {
    const form = sitDown(firstGame("Ana", GAMES), 1, "you");
    expect(form.seats.map((seat) => seat.who)).toEqual(["here", "you", "empty", "empty"]);
  });

  it("turns levels on and off, in order", () => {
    const form = turnLevel(turnLevel(turnLevel(firstGame("", GAMES), 5), 2), 5);
    expect(form.levels).toEqual([2]);
    expect(turnLevel(form, 1).levels).toEqual([1, 2]);
  });

  it("asks for fewer segments only where that is offered", () => {
    const two = { ...firstGame("Ana", GAMES), fewerBodies: true };
    expect(requestOf(two, GAMES).fewer_bodies).toBe(true);
    const four = sitDown(sitDown(two, 2, "bot"), 3, "bot");
    expect([canHaveFewer(four, GAMES), requestOf(four, GAMES).fewer_bodies]).toEqual([false, false]);
    expect(canHaveFewer({ ...two, solo: true }, GAMES)).toBe(false);
    expect(canHaveFewer(two, { ...GAMES, fewer_bodies: [3] })).toBe(false);
  });

  it("offers tokens where there are any, and as many seats as there may be players", () => {
    const form = firstGame("Ana", { ...GAMES, players: [1, 2, 3] });
    expect(form.seats.map((seat) => seat.who)).toEqual(["you", "bot", "empty"]);
    expect([canHaveTokens(form, GAMES), canHaveTokens({ ...form, solo: true }, GAMES)]).toEqual([true, false]);
  });

  it("survives a change of the language, and nothing broken", () => {
    const browser = makeStorage();
    const store = new KeptTexts(() => browser);
    const form = changeSeat({ ...sitDown(firstGame("Ana", GAMES), 2, "link"), tokens: true }, 2, { name: "Ben" });
    keepDraft("friends", form, store);
    expect(readDraft("friends", "Zoe", GAMES, store)).toEqual(form);
    expect(readDraft("device", "Zoe", GAMES, store)).toEqual(newForm("device", "Zoe", GAMES));
    store.set("coatl.newgame", '{"seats": 3}');
    expect(readDraft("friends", "Zoe", GAMES, store)).toEqual(newForm("friends", "Zoe", GAMES));
    forgetDraft(store);
    expect(readDraft("friends", "Zoe", GAMES, store)).toEqual(newForm("friends", "Zoe", GAMES));
  });

  it("is found where it belongs if an earlier version of the page kept it", () => {
    const browser = makeStorage();
    const store = new KeptTexts(() => browser);
    const first = firstGame("Ana", GAMES);
    const kinds = (form: object) => {
      store.set("coatl.newgame", JSON.stringify({ ...first, tokens: true, ...form }));
      return (["friends", "device", "solo"] as const).filter((kind) => readDraft(kind, "Zoe", GAMES, store).tokens);
    };
    expect(kinds({ solo: true })).toEqual(["solo"]);
    expect(kinds(sitDown({ ...first, tokens: true }, 1, "here"))).toEqual(["device"]);
    expect(kinds(sitDown({ ...first, tokens: true }, 1, "link"))).toEqual(["friends"]);
  });

  it("begins with one more person, or solo", () => {
    const who = (kind: "friends" | "device" | "solo") => newForm(kind, "Ana", GAMES).seats.map((seat) => seat.who);
    expect([who("friends")[1], who("device")[1]]).toEqual(["link", "here"]);
    expect(newForm("solo", "Ana", GAMES).solo).toBe(true);
  });
});

describe("your tables", () => {
  const table = (name: string, status: TableSummary["status"], created: number, your_turn = false): TableSummary =>
    ({ table: name, role: "seat", place: 0, status, your_turn, turn: 1, names: [], created, token: 0 });

  it("stand in the order of what you can do there", () => {
    const tables = [table("over", "over", 9), table("old", "playing", 1), table("new", "playing", 5), table("wait", "waiting", 8), table("mine", "playing", 0, true)];
    expect(sortTables(tables).map((one) => one.table)).toEqual(["mine", "new", "old", "wait", "over"]);
  });

  it("are told once, as the seat whose turn it is", () => {
    const found = oncePerTable([table("a", "playing", 1), table("a", "playing", 1, true), table("b", "over", 1)]);
    expect(found.map((one) => [one.table, one.your_turn])).toEqual([["a", true], ["b", false]]);
  });
});

describe("the curtain", () => {
  const turn = (seat: number | null, number: number): GameEvent => ({ kind: "turn", seat, turn: number });
  const takes = (seat: number): GameEvent[] => [decided(seat, take("b1")), piece(seat, "R", supply("b1"), board(seat))];

  it("tells what others did since your last turn", () => {
    const log = [turn(0, 1), ...takes(0), turn(1, 2), ...takes(1), turn(2, 3), ...takes(2), turn(0, 4)];
    expect(sinceLastTurn(log, 0).filter((event) => event.kind === "piece").map((event) => event.seat)).toEqual([1, 2]);
    expect(sinceLastTurn(log.slice(0, 4), 1).filter((event) => event.kind === "piece").map((event) => event.seat)).toEqual([0]);
    expect(sinceLastTurn([], 0)).toEqual([]);
  });
});
