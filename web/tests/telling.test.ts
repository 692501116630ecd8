import { describe, expect, test } from "vitest";
import { lastTurns } from "../src/lib/finalturns";
import type { GameEvent, TableState, ViewData } from "../src/lib/protocol";
import { byTurn, deedsOf, lastLine, tell } from "../src/lib/telling";
import { plain, rich } from "../src/lib/words";
import { overwriteGetLocale } from "../src/paraglide/runtime";
import {
  adamCard, addLeft, addRight, BAG, begin, board, coatl, decided, DECK, DISCARD, DONE, DRAW, drop, fromPile, FULFILLED, fulfil,
  FUTURE, GONE, hand, HOLDING, PASS, perfect, pick, piece, pile, priest, prophecy, row, supply, take,
} from "./making";

const state = {
  seat: 0, seating: [0, 1],
  places: [{ kind: "person", name: "Ana" }, { kind: "bot", name: "Teo", bot: "greedy" }],
} as unknown as TableState;

const words = (events: readonly GameEvent[]) => tell(state, events).map((line) => line.text);

describe("events in words", () => {
  test("what went together is told together, to you and about others", () => {
    const taking = (seat: number) => [piece(seat, "R", supply("b3"), board(seat)), piece(seat, "Y", supply("b3"), board(seat))];
    expect(words(taking(0))).toEqual(["You take red segment, yellow segment"]);
    expect(words(taking(1))).toEqual(["Teo takes red segment, yellow segment"]);
  });

  test("in French and German too, with their verbs", () => {
    const taking = [piece(1, "R", supply("b3"), board(1))];
    overwriteGetLocale(() => "fr");
    expect(words(taking)[0]).toMatch(/^Teo prend /);
    expect(words([piece(0, "R", supply("b3"), board(0))])[0]).toMatch(/^Vous prenez /);
    overwriteGetLocale(() => "de");
    expect(words(taking)[0]).toMatch(/^Teo nimmt: /);
    expect(words([{ kind: "coatl", seat: 0, pieces: "<KRB>", target: coatl(0, 0), points: 1 }])[0]).toContain("für 1 Punkt");
    overwriteGetLocale(() => "en");
  });

  test("the supply is filled in a line of its own, whoever made it necessary", () => {
    const filling = [piece(null, "R", BAG, supply("b1")), piece(null, "K", BAG, supply("b1")), piece(null, "<G", BAG, supply("h1"))];
    expect(words(filling)).toEqual(["The supply is filled: red segment, black segment, green head"]);
    const taking = [decided(1, take("b3")), piece(1, "R", supply("b3"), board(1)), ...filling];
    expect(tell(state, taking).map(({ seat, kind, notation }) => [seat, kind, notation])).toEqual([[1, "piece", "take b3"], [null, "refill", ""]]);
  });

  test("open cards are named, unseen ones are counted", () => {
    const choosing = [prophecy(1, "KKK", row(1), hand(1)), prophecy(1, "YG", row(4), hand(1)), prophecy(1, null, DECK, hand(1))];
    expect(words(choosing)).toEqual(["Teo chooses “KKK”, “YG”", "Teo draws 1 card unseen"]);
    expect(tell(state, choosing)[0]?.parts.filter((part) => "card" in part)).toEqual([{ card: "KKK" }, { card: "YG" }]);
  });

  test("a token is told with what it brought", () => {
    const picking: GameEvent[] = [{ kind: "token", seat: 1, token: "pick" }, piece(1, "R", BAG, board(1)), piece(1, "G", BAG, board(1))];
    expect(words(picking)).toEqual(["Teo uses Perfect Pick: red segment, green segment"]);
  });

  test("a Cóatl is begun, then grows", () => {
    const events = [
      decided(1, begin("R")), piece(1, "R", board(1), coatl(1, 0)), decided(1, addRight(0, "G")), piece(1, "G", board(1), coatl(1, 0), 1),
      decided(1, addLeft("B", 0)), piece(1, "B", board(1), coatl(1, 0), 0),
    ];
    expect(words(events)).toEqual(["Teo begins a Cóatl with red segment", "Teo adds green segment, blue segment to Cóatl 1"]);
    expect(tell(state, events).map((line) => line.notation)).toEqual(["new R", "1+G B+1"]);
  });

  test("what went to another place is told apart", () => {
    const adding = (at: number) => piece(0, "R", board(0), coatl(0, at), 2);
    expect(words([adding(0), adding(0), adding(1)])).toEqual([
      "You add red segment, red segment to Cóatl 1", "You add red segment to Cóatl 2",
    ]);
  });

  test("A.D.A.M.'s search is one line, whatever it went past", () => {
    const search: GameEvent[] = [
      { kind: "turn", turn: 4 },
      { kind: "look", card: "KKK", source: adamCard(0) },
      { kind: "look", card: "!KK!", source: adamCard(1), target: supply("h1") },
    ];
    expect(words(search)).toEqual([]); // still looking
    search.push(piece(null, "R", supply("b3"), HOLDING), piece(null, "K", supply("b3"), HOLDING));
    expect(words(search)).toEqual(["A.D.A.M. takes from space 3: red segment, black segment"]);
    search.push(piece(null, "B", BAG, supply("b3")), piece(null, "R", HOLDING, GONE), piece(null, "K", HOLDING, adamCard(1)));
    expect(words(search)).toEqual([
      "A.D.A.M. takes from space 3: red segment out of the game, black segment on card 2", "The supply is filled: blue segment",
    ]);
    search.push(prophecy(null, "!KK!", adamCard(1), FULFILLED));
    expect(words(search)).toHaveLength(3);
  });

  describe("what was taken back", () => {
    const adding = (piece_: string, at: number) => [decided(1, addRight(0, piece_)), piece(1, piece_, board(1), coatl(1, 0), at)];
    const undo = (seat = 1): GameEvent => ({ kind: "undo", seat, move: PASS });

    test("is one line, with how it went in it", () => {
      const lines = tell(state, [{ kind: "turn", seat: 1, turn: 7 }, ...adding("R", 1), ...adding("G", 2), undo(), ...adding("B", 2)]);
      expect(lines.map(({ text, turn }) => `${turn} ${text}`)).toEqual([
        "7 Teo adds red segment to Cóatl 1", "7 Teo took back 1 step", "7 Teo adds blue segment to Cóatl 1",
      ]);
      expect(lines[1]?.folded?.map(({ text, notation }) => [text, notation])).toEqual([["Teo adds green segment to Cóatl 1", "1+G"]]);
    });

    test("is one line too where several steps were taken back, in one go or one by one", () => {
      const text = ["Teo took back 2 steps"];
      expect(words([...adding("R", 1), ...adding("G", 2), undo(), undo()])).toEqual(text);
      expect(words([...adding("R", 1), undo(), ...adding("G", 1), undo()])).toEqual(text);
      const three = [...adding("R", 1), ...adding("G", 2), undo(), ...adding("B", 2), undo(), undo()];
      expect(tell(state, three).map((line) => [line.text, line.folded?.length])).toEqual([["Teo took back 3 steps", 1]]);
    });

    test("of two players is told of each", () => {
      expect(words([...adding("R", 1), undo(), decided(0, PASS), { kind: "pass", seat: 0 }, undo(0)])).toEqual([
        "Teo took back 1 step", "You took back 1 step",
      ]);
    });

    test("does not begin a turn, and is no deed", () => {
      const events = [{ kind: "turn", seat: 1, turn: 7 } as const, ...adding("R", 1), { kind: "turn", seat: 0, turn: 8 } as const, undo(), ...adding("G", 1)];
      expect(tell(state, events).map(({ turn }) => turn)).toEqual([7, 7]);
      expect(deedsOf(1, events).filter(({ kind }) => kind === "piece").map((event) => event.piece)).toEqual(["G"]);
    });

    test("is told by itself where the decision is not known", () => {
      expect(words([undo()])).toEqual(["Teo takes back a step"]);
    });
  });

  test("the last line is the last thing done, also at the beginning of a turn", () => {
    const taking = [piece(1, "R", supply("b3"), board(1)), piece(null, "K", BAG, supply("b3"))];
    const events: GameEvent[] = [{ kind: "turn", seat: 1, turn: 2 }, ...taking, { kind: "turn", seat: 0, turn: 3 }];
    expect(lastLine(state, events)?.text).toBe("Teo takes red segment");
    expect(lastLine(state, [...events, piece(0, "G", supply("b1"), board(0))])?.text).toBe("You take green segment");
    expect(lastLine(state, [])).toBeUndefined();
  });

  test("lines are grouped by turn, and a seat's last turn can be found", () => {
    const events: GameEvent[] = [
      { kind: "turn", seat: 0, turn: 1 }, { kind: "pass", seat: 0 },
      { kind: "turn", seat: 1, turn: 2 }, piece(1, "R", supply("b3"), board(1)), { kind: "turn", seat: 0, turn: 3 }, { kind: "undo", seat: 0 },
    ];
    expect(byTurn(tell(state, events)).map(({ turn, lines }) => [turn, lines.length])).toEqual([[1, 1], [2, 1], [3, 1]]);
    expect(deedsOf(1, events)).toHaveLength(2);
    expect(deedsOf(2, events)).toEqual([]);
  });

  test.each([
    ["one move for all it moved", [decided(0, take("b3")), piece(0, "R", supply("b3"), board(0)), piece(0, "K", supply("b3"), board(0))], ["take b3"]],
    ["each end of a Cóatl", [decided(0, addLeft("<R", 1)), piece(0, "<R", board(0), coatl(0, 1), 0)], ["<R+2"]],
    ["cards that are told together", [
      decided(0, pick("KKK", 1)), prophecy(0, "KKK", row(1), hand(0)), decided(0, pick("YG", 4, "pick YG@5")), prophecy(0, "YG", row(4), hand(0)),
    ], ["pick KKK, pick YG@5"]],
    ["the same move twice", [decided(1, DRAW), prophecy(1, null, DECK, hand(1)), decided(1, DRAW), prophecy(1, null, DECK, hand(1))], ["draw, draw"]],
    ["a card laid", [decided(0, fulfil(0, "KKK")), prophecy(0, "KKK", hand(0), coatl(0, 0))], ["1:KKK"]],
    ["a Temple card, and the Cóatl it completes", [
      decided(0, fromPile(0, "noK/8", 1)), { kind: "temple", seat: 0, card: "noK/8", source: pile(1), target: coatl(0, 0) },
      { kind: "coatl", seat: 0, pieces: "<KRB>", target: coatl(0, 0), points: 1 },
    ], ["1:noK/8@2", ""]],
    ["no word for the end of a completion", [decided(0, DONE), { kind: "coatl", seat: 0, pieces: "<KRB>", target: coatl(0, 0), points: 1 }], [""]],
    ["tokens", [
      decided(0, perfect("K", "G")), { kind: "token", seat: 0, token: "pick" }, piece(0, "K", BAG, board(0)), piece(0, "G", BAG, board(0)),
      decided(1, FUTURE), { kind: "token", seat: 1, token: "future" }, prophecy(1, "YG", row(0), DISCARD),
      decided(0, priest(1)), { kind: "token", seat: 0, token: "priest" }, { kind: "temple", seat: 0, card: "noK/8", source: pile(1), target: { kind: "temples", seat: 0 } },
    ], ["token pick KG", "token future", "token priest 2", ""]],
    ["what is discarded, unless it is hidden", [
      decided(0, drop("KKK")), prophecy(0, "KKK", hand(0), DISCARD), decided(1), prophecy(1, null, hand(1), DISCARD), decided(1), prophecy(1, null, hand(1), DISCARD),
    ], ["drop KKK", "drop, drop"]],
    ["passing, and taking back", [{ kind: "pass", seat: 0 }, { kind: "undo", seat: 0, move: PASS }, decided(0, PASS), { kind: "pass", seat: 0 }], ["", "undo", "pass"]],
    ["nothing of A.D.A.M.'s", [decided(0, take("b3")), { kind: "turn", turn: 2 }, prophecy(null, "KKK", row(5), adamCard(0))], [""]],
  ] as [string, GameEvent[], string[]][])("the notation has %s", (_, events, texts) =>
    expect(tell(state, events).map((line) => line.notation)).toEqual(texts));

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
