import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Announcer } from "../src/lib/announcer.svelte";
import { tellNews } from "../src/lib/notes";
import type { GameEvent, TableState } from "../src/lib/protocol";
import { TableVoice } from "../src/lib/tablevoice";
import { tell } from "../src/lib/telling";
import { overwriteGetLocale } from "../src/paraglide/runtime";
import { adamCard, addRight, BAG, begin, board, coatl, decided, DECK, hand, HOLDING, piece, prophecy, supply, tableState, take, viewData } from "./making";

afterEach(() => overwriteGetLocale(() => "en"));

const texts = (announcer: Announcer) => announcer.lines.map(({ text }) => text);

describe("the announcer", () => {
  test("says each line once, in order, and forgets the oldest", () => {
    const announcer = new Announcer();
    for (let n = 1; n <= 30; n += 1) announcer.say(`line ${n}`);
    announcer.say("");
    expect(texts(announcer)).toEqual(Array.from({ length: 20 }, (_, at) => `line ${at + 11}`));
    expect(new Set(announcer.lines.map(({ id }) => id)).size).toBe(20);
  });

  test("the same words again are another line", () => {
    const announcer = new Announcer();
    announcer.say("Ben passes");
    announcer.warn("Ben passes");
    expect(announcer.lines.map(({ urgent }) => urgent)).toEqual([false, true]);
  });

  test("nothing is lost while the region is moved", () => {
    const announcer = new Announcer();
    announcer.say("told");
    announcer.hold();
    for (let n = 1; n <= 25; n += 1) announcer.say(`line ${n}`);
    expect(texts(announcer)).toEqual([]);
    announcer.release();
    expect(texts(announcer)).toEqual(Array.from({ length: 25 }, (_, at) => `line ${at + 1}`));
  });
});

const took = (seat: number, what: string, space: string): GameEvent[] => [decided(seat, take(space)), piece(seat, what, supply(space), board(seat))];
const search: readonly GameEvent[] = [
  { kind: "turn", turn: 4 },
  { kind: "look", card: "KKK", source: adamCard(0), target: supply("b3") },
  piece(null, "R", supply("b3"), HOLDING), piece(null, "B", BAG, supply("b3")), piece(null, "R", HOLDING, adamCard(0)),
  { kind: "turn", turn: 5, seat: 0 },
];

describe("what is new in a log", () => {
  test("is told in the words of the log, whatever it comes in", () => {
    const state = tableState();
    const log = [
      ...took(1, "R", "b1"), piece(null, "G", BAG, supply("b1")), { kind: "turn", turn: 2, seat: 0 } as GameEvent,
      ...took(0, "<K", "h1"), decided(0, begin("<K")), piece(0, "<K", board(0), coatl(0, 0)),
    ];
    for (let cut = 0; cut <= log.length; cut += 1) {
      const first = tellNews(state, log.slice(0, cut), { events: 0, notes: 0 });
      const second = tellNews(state, log, first.told);
      expect([...first.lines, ...second.lines].map(({ text }) => text)).toEqual(tell(state, log).map(({ text }) => text));
      expect(second.told.events).toBe(log.length);
    }
  });

  test("of a search of A.D.A.M.'s, whatever step it stops at, is the line of the log", () => {
    const state = tableState();
    for (let cut = 0; cut <= search.length; cut += 1) {
      const first = tellNews(state, search.slice(0, cut), { events: 0, notes: 0 });
      const second = tellNews(state, search, first.told);
      expect([...first.lines, ...second.lines].map(({ text }) => text)).toEqual([
        "A.D.A.M. takes from space 3: red segment on card 1", "The supply is filled: blue segment",
      ]);
    }
  });

  test("a note comes once, at its place", () => {
    const log = [...took(1, "R", "b1"), ...took(0, "G", "b2")];
    const state = tableState({ notes: [{ version: 3, kind: "hand", place: 1, events: 2 }, { version: 9, kind: "back", place: 1, events: 4 }] });
    const first = tellNews(state, log.slice(0, 2), { events: 0, notes: 0 });
    expect(first.lines.map(({ text }) => text)).toEqual(["Ben takes red segment", "Ben lets a bot play"]);
    const second = tellNews(state, log, first.told);
    expect(second.lines.map(({ text }) => text)).toEqual(["You take green segment", "Ben takes over again"]);
    expect(tellNews(state, log, second.told).lines).toEqual([]);
  });

  test("what another seat at this device was told is not told again", () => {
    const state = tableState();
    expect(tellNews(state, took(1, "R", "b1"), { events: 4, notes: 1 })).toEqual({ lines: [], told: { events: 4, notes: 1 } });
  });

  test("an undo of what was told before", () => {
    const log: GameEvent[] = [decided(1, addRight(0, "R")), piece(1, "R", board(1), coatl(1, 0), 1), { kind: "undo", seat: 1 }];
    expect(tellNews(tableState(), log, { events: 2, notes: 0 }).lines.map(({ text }) => text)).toEqual(["Ben takes back a step"]);
  });
});

describe("a table", () => {
  let announcer: Announcer;
  let voice: TableVoice;
  let said = 0;
  beforeEach(() => {
    announcer = new Announcer();
    voice = new TableVoice(announcer);
    said = 0;
  });
  /** What was said since the last time. */
  const news = () => texts(announcer).slice(said, (said = announcer.lines.length));
  const show = (log: readonly GameEvent[], turn: string, prompt: string, state: TableState = tableState(), left = "") => voice.show({ state, log, turn, left, prompt });

  test("tells who comes and goes, once each, and not those at this device or with a bot", () => {
    const own = new Set([0]);
    voice.presence(tableState(), [true, false], own);
    voice.presence(tableState(), [false, true], own);
    voice.presence(tableState({ version: 2 }), [true, true], own);
    expect(news()).toEqual(["Ben is here now."]);
    voice.presence(tableState(), [true, false], own);
    expect(news()).toEqual(["Ben has left, but may come back."]);
    const places = tableState().places.map((place) => ({ ...place, bot: "greedy" }));
    voice.presence(tableState({ places }), [true, true], own);
    voice.presence(tableState(), [true, true], own);
    voice.presence(tableState({ status: "over" }), [true, false], own);
    expect(news()).toEqual([]);
  });

  test("before the game tells who has taken a place", () => {
    const waiting = (ready: boolean) =>
      tableState({ status: "waiting", view: null, places: [{ kind: "person", name: "Ana", ready: true, connected: true }, { kind: "person", name: ready ? "Ben" : "", ready, connected: true }] });
    voice.presence(waiting(false), [true, true], new Set([0]));
    voice.presence(waiting(true), [true, true], new Set([0]));
    overwriteGetLocale(() => "de");
    voice.presence(tableState(), [true, false], new Set([0]));
    expect(news()).toEqual(["Ben is here now.", "Ben ist nicht mehr da, kann aber zurückkommen."]);
  });

  test("begins with what is to be done, and not with its history", () => {
    show(took(1, "R", "b1"), "Your turn.", "Take pieces.");
    expect(news()).toEqual(["Your turn. Take pieces."]);
  });

  test("tells turns and what is asked for, each once", () => {
    show([], "", "Ben is playing.");
    const log = took(1, "R", "b1");
    show(log, "", "Ben is playing.");
    show(log, "Your turn.", "Take pieces.");
    show(log, "Your turn.", "Take pieces.");
    show(log, "Your turn.", "End your turn.");
    expect(news()).toEqual(["Ben is playing.", "Ben takes red segment", "Your turn. Take pieces.", "End your turn."]);
  });

  test("tells what happens after a lesson went back", () => {
    const before = took(1, "R", "b1");
    show([], "", "Ben is playing.");
    show([...before, ...took(1, "K", "b2")], "", "Ben is playing.");
    show(before, "", "Ben is playing.");
    news();
    show([...before, ...took(1, "G", "b3")], "", "Ben is playing.");
    expect(news()).toEqual(["Ben takes green segment"]);
  });

  test("names to its owner the card that was drawn", () => {
    show([], "Your turn.", "Choose.");
    show([prophecy(0, "KKK", DECK, hand(0)), prophecy(1, null, DECK, hand(1))], "Your turn.", "Choose.");
    expect(news().slice(1)).toEqual(["You draw 1 card", "Ben draws 1 card unseen", "You drew: KKK"]);
  });

  test("tells the last turns by what began them, and the end", () => {
    show([], "Your turn.", "Take pieces.");
    const final = tableState({ view: viewData({ turn: 2 }) });
    show([{ kind: "end", end: "third" }], "Your turn.", "Take pieces.", final, "Final turns. 2 actions left.");
    show([{ kind: "end", end: "third" }], "Your turn.", "Take pieces.", final, "Final turns. 1 action left.");
    const standing = [{ rank: 1, place: 0, points: 9, cards: 2, best_coatl: 9 }, { rank: 2, place: 1, points: 8, cards: 2, best_coatl: 8 }];
    const over = tableState({
      status: "over", standing, verdict: { by: "points", between: [0, 1] }, view: viewData({ end: "third", trigger: 0, to_move: null }),
    });
    show([{ kind: "end", end: "third" }, { kind: "over" }], "", "The game is over.", over);
    expect(news().slice(1)).toEqual([
      "A third Cóatl is complete. These are the last turns.", "Your turn. Final turns. 2 actions left. Take pieces.", "Final turns. 1 action left. Take pieces.",
      "The game is over.", "You completed your third Cóatl. You win with 9 points. 1 point ahead of Ben.",
    ]);
  });

  test("says when the connection is lost and when it is back, not when it is first made", () => {
    for (const trouble of ["reconnecting", null, "sending", null, "reconnecting", "reconnecting", "sending"] as const) voice.link(trouble);
    expect(news()).toEqual(["Reconnecting\u00a0…", "Connected again."]);
  });

  test.each([
    ["fr", ["Ben joue.", "Ben prend segment rouge", "À vous. Prenez."]],
    ["de", ["Ben ist dran.", "Ben nimmt: rotes Körpersegment", "Du bist dran. Nimm Teile."]],
  ] as const)("in %s", (language, expected) => {
    overwriteGetLocale(() => language);
    show([], "", expected[0]);
    show(took(1, "R", "b1"), ...(expected[2].split(/(?<=\.) /) as [string, string]));
    expect(news()).toEqual(expected);
  });
});
