import { beforeEach, describe, expect, it, vi } from "vitest";
import { ghostPieces } from "../src/lib/hintghosts";
import type { Advice, CoatlView, Fact, HintGiven, SeatView, TableState } from "../src/lib/protocol";
import { addLeft, addRight, begin, DONE, DRAW, FUTURE, fulfil, PASS, pick, seatView, tableState, take, viewData } from "./making";
import { makeStorage } from "./storage";

vi.stubGlobal("localStorage", makeStorage());
const { cards } = await import("../src/lib/cards.svelte");
const { factParts, percent, spokenHint, titleOf } = await import("../src/lib/hintwords");
const { hintPlaces } = await import("../src/lib/hintplaces");
const { Hinting } = await import("../src/lib/hinting.svelte");
const { plain } = await import("../src/lib/words");

const state = tableState({ hints: true, view: viewData({ supply: { b1: "GY" }, moves: [take("b1"), take("b2")] }) });
const advise = (...moves: Advice["moves"]): Advice => ({ moves, facts: [], chance: 0.486 });

describe("a hint in words", () => {
  it("says what to do first", () => {
    const titles = [take("b1"), DRAW, begin("<K"), addRight(1, "K>"), FUTURE, PASS, DONE].map((move) => titleOf(advise(move), state));
    expect(titles).toEqual([
      "Take green segment, yellow segment", "Draw the top card of the deck", "Begin a Cóatl with black head",
      "Add black tail to Cóatl 2", "Sacrifice: See the Future", "Pass", "End turn",
    ]);
    const pair = { decision: 0, text: "token pick GG", kind: "token", token: "pick", pieces: ["G", "G"] } as const;
    expect(titleOf(advise(pair), state)).toBe("Sacrifice: Perfect Pick, green segment, green segment");
    const priest = { decision: 0, text: "token priest 2", kind: "token", token: "priest", pile: 1 } as const;
    const piles = [{ top: null, size: 0 }, { top: "noK/8", size: 3 }];
    expect(titleOf(advise(priest), { ...state, view: viewData({ piles }) })).toMatch(/^Sacrifice: Priest Commitment, “.+”$/);
  });

  it("has a sentence for every kind of fact", () => {
    const facts: readonly Fact[] = [
      { kind: "completes", coatl: 0, points: 14 },
      { kind: "closing", coatl: 1, points: 5 },
      { kind: "closing", coatl: 1, points: 14, before: 9 },
      { kind: "nearer", coatl: 0, card: "RB", missing: 0, before: 1 },
      { kind: "nearer", coatl: 0, card: "RB", missing: 1, before: 2 },
      { kind: "nearer", card: "RB", missing: 2, before: 3 },
      { kind: "grows", coatl: 0, card: "RB", missing: 1, before: 2 },
      { kind: "needs", coatl: 0, card: "RB", missing: 1 },
      { kind: "needs", card: "RB", missing: 0 },
      { kind: "end", coatl: 1, pieces: ["K>"] },
      { kind: "end", pieces: ["<K"] },
      { kind: "room", count: 5, before: 2 },
      { kind: "no_card_met" },
      { kind: "few_cards", count: 1 },
      { kind: "few_cards", count: 0 },
      { kind: "fits", coatl: 0, card: "RB", points: 1 },
      { kind: "fulfils", coatl: 0, card: "RB", points: 3 },
      { kind: "takes_from", seat: 1, card: "RB", pieces: ["K>"] },
      { kind: "suits_next", seat: 1, card: "RB", points: 2 },
      { kind: "keeps_from_adam", card: "RB", pieces: ["G"] },
      { kind: "nearer_row", coatl: 0, card: "RB", missing: 1, before: 2 },
      { kind: "nothing_to_lay" },
      { kind: "later", coatl: 1, card: "RB" },
      { kind: "gets_end", coatl: 1, pieces: ["<K"] },
      { kind: "gets_end", coatl: 1, pieces: ["K>"] },
      { kind: "row_far", missing: 2 },
      { kind: "drops_farthest", card: "RB", missing: 5, before: 3 },
      { kind: "share_colour", count: 2, pieces: ["B"] },
      { kind: "temples", count: 2, before: 1 },
      { kind: "ends_needed", pieces: ["<B"], count: 2, before: 1 },
      { kind: "ends_needed", pieces: ["B>"], count: 1, before: 0 },
      { kind: "last_pieces", pieces: ["<B", "G"] },
      { kind: "hand_full" },
      { kind: "few_pieces", count: 2 },
      { kind: "few_pieces", count: 0 },
      { kind: "equal" },
    ];
    const told = facts.map((fact) => plain(factParts(fact, state)).replace(/“[^”]*”/, "RB"));
    expect(told).toEqual([
      "Cóatl 1 is complete then: 14 points.",
      "Cóatl 2 could be closed then: 5 points.",
      "Closing Cóatl 2 would score 14 then, not 9.",
      "You would have all pieces that RB needs on Cóatl 1.",
      "For RB on Cóatl 1 you would lack 1 piece, not 2.",
      "For RB on a new Cóatl you would lack 2 pieces, not 3.",
      "RB would lack 1 piece on Cóatl 1, not 2.",
      "For RB on Cóatl 1 you lack 1 piece.",
      "You have all pieces that RB needs on a new Cóatl.",
      "Cóatl 2 has no tail yet.",
      "There is no head on your board yet.",
      "Your board would have room for 5 pieces, not 2.",
      "No Cóatl of yours meets a card of the row.",
      "There is only 1 card in your hand.",
      "Your hand is empty.",
      "Cóatl 1 meets RB already: 1 point.",
      "RB is met on Cóatl 1: 3 points.",
      "Ben needs black tail for RB.",
      "A Cóatl of Ben meets RB already: 2 points.",
      "A.D.A.M. needs green segment for RB.",
      "RB is open to choose and would lack 1 piece on Cóatl 1, not 2.",
      "No card can be laid on a Cóatl now.",
      "RB can still be laid when Cóatl 2 is completed.",
      "Cóatl 2 gets its head.",
      "Cóatl 2 gets its tail.",
      "Each card that lies open still lacks at least 2 pieces.",
      "RB lacks 5 pieces, the cards that you keep 3 at most.",
      "Cards that you keep have a colour in common: blue.",
      "You would have 2 Temple cards in hand.",
      "Your Cóatl still need 2 heads; your board has 1.",
      "Your Cóatl still need 1 tail; your board has 0.",
      "The last in the supply: blue head, green segment.",
      "Your hand is full.",
      "There are only 2 pieces on your board.",
      "Your board is empty.",
      "Hardly anything depends on this move.",
    ]);
  });

  it("is read aloud with the chances, and does not mention the end of the turn", () => {
    expect(spokenHint(advise(take("b1"), DONE), 0.41, state)).toBe("Take green segment, yellow segment. Chance of winning: 41 percent now, 49 percent then.");
    expect(spokenHint({ moves: [DONE] }, null, state)).toBe("End turn. There is nothing else to do.");
    expect([percent(0.486), percent(0), percent(null)]).toEqual([49, 0, null]);
  });
});

describe("where a hint points", () => {
  const own = (...coatls: readonly CoatlView[]) => seatView({ coatls });
  const open = (pieces: string, more: Partial<CoatlView> = {}): CoatlView => ({ pieces, complete: false, value: 0, ...more });
  const two = own(open("<KR"), open("RGR"));

  it("goes from what is taken to the Cóatl that it serves, else to the board", () => {
    const near: Fact = { kind: "nearer", coatl: 1, card: "RGRG", missing: 1, before: 2 };
    expect(hintPlaces({ ...advise(take("b1")), facts: [near] }, two)).toEqual({
      steps: [{ from: { kind: "space", name: "b1" }, nth: 0, to: { kind: "lane", name: "2" } }], ghosts: [], cards: ["RGRG"],
    });
    expect(hintPlaces(advise(take("b1")), two).steps[0]?.to).toEqual({ kind: "board", name: "" });
    expect(hintPlaces(advise(DONE), two)).toEqual({ steps: [], ghosts: [], cards: [] });
  });

  it("points at every step of a line, and tells pieces apart that are alike", () => {
    const { steps } = hintPlaces(advise(begin("K"), addRight(2, "K"), fulfil(0, "RB"), DONE), two);
    expect(steps).toEqual([
      { from: { kind: "piece", name: "K" }, nth: 0, to: { kind: "lane", name: "3" } },
      { from: { kind: "piece", name: "K" }, nth: 1, to: { kind: "lane", name: "3" } },
      { from: { kind: "hand", name: "RB" }, nth: 0, to: { kind: "lane", name: "1" } },
    ]);
    const row = hintPlaces({ ...advise(pick("RB", 0), pick("YYY", 1), DONE), facts: [{ kind: "needs", card: "RB", missing: 1 }] }, two);
    expect(row.steps.map(({ from }) => from)).toEqual([{ kind: "row", name: "RB" }, { kind: "row", name: "YYY" }]);
    expect(row.cards).toEqual([]); // it is one of those
    const second = hintPlaces({ ...advise(pick("RB", 0), pick("YYY", 1), DONE), facts: [{ kind: "fits", coatl: 1, card: "YYY", points: 3 }] }, two);
    expect(second.steps.map(({ to }) => to)).toEqual([null, { kind: "lane", name: "2" }]);
  });

  it("shows the pieces as they will lie", () => {
    const added = hintPlaces(advise(begin("K"), addLeft("G", 1), addRight(1, "B"), addRight(2, "K>"), DONE), two);
    expect(added.ghosts).toEqual([
      { coatl: 2, left: [], right: ["K", "K>"] },
      { coatl: 1, left: ["G"], right: ["B"] },
    ]);
  });

  it("shows which of the pieces that are taken goes where", () => {
    const lacking = (lacks: readonly [string, string]) => own(open("RGR", { hand: [{ card: "RGRG", times: 0, points: 0, lacks }] }));
    const near: Fact = { kind: "nearer", coatl: 0, card: "RGRG", missing: 0, before: 1 };
    const ghosts = (seat: ReturnType<typeof own>, fact: Fact, ...pieces: string[]) => hintPlaces({ ...advise(take("b1")), facts: [fact] }, seat, pieces).ghosts;
    expect(ghosts(lacking(["", "GY"]), near, "Y", "G")).toEqual([{ coatl: 0, left: [], right: ["G"] }]);
    expect(ghosts(lacking(["YG", ""]), near, "Y", "G")).toEqual([{ coatl: 0, left: ["G"], right: [] }]);
    expect(ghosts(lacking(["", "GY"]), near, "Y", "Y")).toEqual([]); // not the next one
    expect(ghosts(two, { kind: "end", coatl: 1, pieces: ["<K"] }, "<K")).toEqual([{ coatl: 1, left: ["<K"], right: [] }]);
    expect(ghosts(two, { kind: "end", coatl: 0, pieces: ["K>"] }, "K>")).toEqual([{ coatl: 0, left: [], right: ["K>"] }]);
  });

  it("lays ghosts beside the ends of the serpent, as far as there is room", () => {
    const room = { left: 178, top: 10, width: 92, height: 64 }; // two segments, after 78 for what may come at the left
    const run = { left: 100, top: 0, width: 400, height: 80 };
    const ends = { coatl: 0, left: ["B", "<K"], right: ["R", "Y>"] };
    const lying = ghostPieces(room, "GG", ends, run).map(({ i, left }) => [i, left]);
    expect(lying).toEqual([[2, 270], [3, 316], [-1, 132]]); // the head would lie over the tag
    expect(ghostPieces({ ...room, width: 0 }, "", { coatl: 2, left: [], right: ["K"] }, run)).toMatchObject([{ i: 0, left: 178, top: 10, height: 64, kind: "b", colour: "K" }]);
  });
});

const answer = (given: unknown, ok = true) =>
  vi.stubGlobal("fetch", () => Promise.resolve({ ok, headers: new Headers({ "content-type": "application/json" }), json: () => Promise.resolve(given) }));

describe("asking for a hint", () => {
  let now: TableState;
  let played: string[];
  const hinting = () => new Hinting({ table: "t", shown: "token", isLesson: false, get state() { return now; }, decide: (move) => played.push(move) });
  const given: HintGiven = { version: 2, hint: { seat: 0, chance: 0.4, best: advise(take("b1"), take("b2"), DONE), second: { ...advise(take("b2")), chance: 0.45 } } };

  beforeEach(() => {
    [now, played] = [state, []];
    answer(given);
  });

  it("opens the best, a second press shows the second best, a third the best again", async () => {
    const asked = hinting();
    const looking = asked.press();
    expect([asked.busy, asked.isOpen]).toEqual([true, true]);
    await looking;
    expect(asked.advice).toBe(given.hint.best);
    await asked.press();
    expect(asked.advice).toBe(given.hint.second);
    await asked.press();
    expect(asked.advice).toBe(given.hint.best);
  });

  it("is forgotten when the table has moved on", async () => {
    const asked = hinting();
    await asked.press();
    now = { ...state, version: 2 }; // the note that there was a hint
    asked.refresh();
    expect(asked.isOpen).toBe(true);
    now = { ...state, version: 3 };
    asked.refresh();
    expect([asked.isOpen, asked.advice]).toEqual([false, null]);
  });

  it("plays its line move by move, as long as the moves are legal", async () => {
    const asked = hinting();
    await asked.press();
    asked.play();
    expect([played, asked.isOpen]).toEqual([["take b1"], false]);
    now = { ...state, version: 3 };
    asked.refresh();
    expect(played).toEqual(["take b1", "take b2"]);
    now = { ...state, version: 4 }; // `done` is not legal there
    asked.refresh();
    now = { ...state, version: 5, view: viewData({ moves: [DONE] }) };
    asked.refresh();
    expect(played).toEqual(["take b1", "take b2"]);
  });

  it("leaves the end of a turn in which nothing is left to choose to the page, which sends it by itself", async () => {
    answer({ ...given, hint: { ...given.hint, best: advise(take("b1"), DONE) } });
    const asked = hinting();
    await asked.press();
    asked.play();
    const complete = Array.from({ length: cards.numbers.coatls }, () => ({ pieces: "<K>", complete: true, value: 0 }));
    now = { ...state, version: 3, view: viewData({ phase: "assemble", seats: [seatView({ coatls: complete as SeatView["coatls"] })], moves: [DONE] }) };
    asked.refresh();
    expect(played).toEqual(["take b1"]);
  });

  it("is not shown when it comes after it was closed", async () => {
    const asked = hinting();
    const looking = asked.press();
    asked.close();
    await looking;
    expect([asked.busy, asked.isOpen, asked.hint]).toEqual([false, false, null]);
  });

  it("tells why there is none", async () => {
    answer({ code: "no_weights", text: "" }, false);
    const asked = hinting();
    await asked.press();
    expect([asked.problem, asked.isOpen, asked.hint]).toEqual(["no_weights", true, null]);
  });

  it("is for one's own turn, where there are hints", () => {
    const asked = hinting();
    expect(asked.mayAsk).toBe(true);
    for (const other of [{ hints: false }, { place: null, seat: null }, { status: "over" as const }, { view: viewData({ to_move: 1 }) }]) {
      now = { ...state, ...other };
      expect(asked.mayAsk).toBe(false);
    }
  });
});
