import { describe, expect, test } from "vitest";
import { lastTurns } from "../src/lib/finalturns";
import type { GameEvent, TableState, ViewData } from "../src/lib/protocol";
import { byTurn, deedsOf, notationOf, tell } from "../src/lib/telling";
import { plain, rich } from "../src/lib/words";
import { overwriteGetLocale } from "../src/paraglide/runtime";

const state = {
  seat: 0, seating: [0, 1],
  places: [{ kind: "person", name: "Ana" }, { kind: "bot", name: "Teo", bot: "greedy" }],
} as unknown as TableState;

const piece = (seat: number, what: string, source: string, target: string, value?: number): GameEvent =>
  ({ kind: "piece", seat, what, source, target, ...(value === undefined ? {} : { value }) });
const words = (events: readonly GameEvent[]) => tell(state, events).map((line) => line.text);

describe("events in words", () => {
  test("what went together is told together, to you and about others", () => {
    const take = (seat: number) => [piece(seat, "R", "supply.b3", `board.${seat}`), piece(seat, "Y", "supply.b3", `board.${seat}`)];
    expect(words(take(0))).toEqual(["You take red segment, yellow segment"]);
    expect(words(take(1))).toEqual(["Teo takes red segment, yellow segment"]);
  });

  test("in French and German too, with their verbs", () => {
    const take = [piece(1, "R", "supply.b3", "board.1")];
    overwriteGetLocale(() => "fr");
    expect(words(take)[0]).toMatch(/^Teo prend /);
    expect(words([piece(0, "R", "supply.b3", "board.0")])[0]).toMatch(/^Vous prenez /);
    overwriteGetLocale(() => "de");
    expect(words(take)[0]).toMatch(/^Teo nimmt /);
    expect(words([{ kind: "coatl", seat: 0, what: "<KRB>", target: "coatl.0.0", value: 1 }])[0]).toContain("für 1 Punkt");
    overwriteGetLocale(() => "en");
  });

  test("refills are not worth a line, and a token is told with what it brought", () => {
    expect(words([piece(1, "R", "bag", "supply.b1")])).toEqual([]);
    const pick = [{ kind: "token", seat: 1, what: "pick" }, piece(1, "R", "bag", "board.1"), piece(1, "G", "bag", "board.1")];
    expect(words(pick)).toEqual(["Teo uses Perfect Pick: red segment, green segment"]);
  });

  test("a Cóatl is begun, then grows", () => {
    const events = [piece(1, "R", "board.1", "coatl.1.0"), piece(1, "G", "board.1", "coatl.1.0", 1), piece(1, "B", "board.1", "coatl.1.0", 0)];
    expect(words(events)).toEqual(["Teo begins a Cóatl with red segment", "Teo adds green segment, blue segment to Cóatl 1"]);
    expect(tell(state, events).map((line) => line.notation)).toEqual(["new R", "1+G B+1"]);
  });

  test("A.D.A.M.'s search is one line, whatever it went past", () => {
    const search: GameEvent[] = [
      { kind: "turn", value: 4 },
      { kind: "look", what: "KKK", source: "adam.0" },
      { kind: "look", what: "!KK!", source: "adam.1", target: "supply.h1" },
    ];
    expect(words(search)).toEqual([]); // still looking
    const adams = (what: string, source: string, target: string): GameEvent => ({ kind: "piece", what, source, target });
    search.push(adams("R", "supply.b3", "adam.holding"), adams("K", "supply.b3", "adam.holding"));
    expect(words(search)).toEqual(["A.D.A.M.: space 3, red segment, black segment"]);
    search.push(adams("B", "bag", "supply.b3"), adams("R", "adam.holding", "gone"), adams("K", "adam.holding", "adam.1"));
    expect(words(search)).toEqual(["A.D.A.M.: space 3, red segment out of the game, black segment on card 2"]);
    search.push({ kind: "prophecy", what: "!KK!", source: "adam.1", target: "adam.fulfilled" });
    expect(words(search)).toHaveLength(2);
  });

  test("lines are grouped by turn, and a seat's last turn can be found", () => {
    const events: GameEvent[] = [
      { kind: "turn", seat: 0, value: 1 }, { kind: "pass", seat: 0 },
      { kind: "turn", seat: 1, value: 2 }, piece(1, "R", "supply.b3", "board.1"), { kind: "turn", seat: 0, value: 3 }, { kind: "undo", seat: 0 },
    ];
    expect(byTurn(tell(state, events)).map(({ turn, lines }) => [turn, lines.length])).toEqual([[1, 1], [2, 1], [3, 1]]);
    expect(deedsOf(1, events)).toHaveLength(2);
    expect(deedsOf(2, events)).toEqual([]);
  });

  test.each([
    [[piece(0, "R", "supply.b3", "board.0")], "take b3"],
    [[piece(0, "<R", "board.0", "coatl.0.1", 0)], "<R+2"],
    [[piece(0, "R>", "board.0", "coatl.0.1", 4)], "2+R>"],
    [[{ kind: "prophecy", seat: 0, what: "KKK", source: "row.1", target: "hand.0" }], "pick KKK"],
    [[{ kind: "prophecy", seat: 1, source: "deck", target: "hand.1" }], "draw"],
    [[{ kind: "prophecy", seat: 0, what: "KKK", source: "hand.0", target: "coatl.0.0" }], "1:KKK"],
    [[{ kind: "temple", seat: 0, what: "noK/8", source: "pile.1", target: "temples.0" }], "token priest 2"],
    [[{ kind: "prophecy", seat: 0, what: "KKK", source: "hand.0", target: "discard" }], "drop KKK"],
    [[{ kind: "look", what: "KKK", source: "adam.0" }], ""],
  ] as [GameEvent[], string][])("%j is written %s", (events, text) => expect(notationOf(events)).toBe(text));

  test("parts stand where the language wants them", () => {
    const parts = rich((slot) => `a ${slot({ piece: "K" })} b ${slot([{ piece: "R" }, { piece: "G" }])}`);
    expect(parts).toEqual([{ text: "a " }, { piece: "K" }, { text: " b " }, { piece: "R" }, { piece: "G" }]);
    expect(plain(parts)).toBe("a black segment b red segment, green segment");
  });
});

describe("the last turns", () => {
  const view = (end: string | null) => ({ players: 3, end, to_move: 1 }) as ViewData;

  test("from who ended it to the last", () => {
    const third = lastTurns({ view: view("third"), turns: { had: [0], to_come: [2] } });
    expect(third.map(({ seat, state: when }) => `${seat} ${when}`)).toEqual(["0 was", "1 cur", "2 fut"]);
    expect(lastTurns({ view: view("bodies"), turns: { to_come: [2, 0] } }).map(({ seat }) => seat)).toEqual([1, 2, 0]);
    expect(lastTurns({ view: view(null), turns: { to_come: [2] } })).toEqual([]);
  });
});
