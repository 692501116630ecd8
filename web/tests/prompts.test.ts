import { beforeEach, describe, expect, it, vi } from "vitest";
import { readChoices } from "../src/lib/choices";
import type { CoatlView, Move, SeatView, TableState, ViewData } from "../src/lib/protocol";
import type { Situation } from "../src/lib/prompts";
import { addLeft, begin, DONE, DRAW, drop, fromHand, fulfil, PASS, pick, seatView, tableState, take, viewData } from "./making";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("localStorage", { getItem: () => null });
const { cards } = await import("../src/lib/cards.svelte");
const { completionHint, promptText } = await import("../src/lib/prompts");
const { m } = await import("../src/paraglide/messages");

const NOTHING = { ticked: 0, least: 0, most: 3 };
const OPEN = { pieces: "<KR", complete: false, value: 0 };

interface Given { own?: Partial<SeatView>; view?: Partial<ViewData>; table?: Partial<TableState>; more?: Partial<Situation> }

function prompt(moves: readonly Move[], { own = {}, view = {}, table = {}, more = {} }: Given = {}): string {
  const seats = [seatView(own), seatView()];
  const shown = viewData({ row: ["KKK", null, null, null, null, null], seats, moves: [...moves], ...view });
  return promptText({
    table: tableState({ view: shown, ...table }), view: shown, mine: true, own: seats[0], choices: readChoices(moves),
    held: null, keeping: NOTHING, adam: null, ...more,
  });
}

beforeEach(() => {
  cards.numbers = { ...cards.numbers, board: 8, hand: 5, kept: 3, kept_solo: 3 };
});

describe("in a turn", () => {
  const [taking, choosing, assembling] = [take("b1"), DRAW, begin("<K")];

  it("only what is legal is named", () => {
    expect(prompt([taking, choosing, assembling])).toBe("Take pieces, choose prophecies, or assemble.");
    expect(prompt([taking, pick("KKK", 0)])).toBe("Take pieces or choose prophecies.");
    expect(prompt([choosing, addLeft("R", 0)])).toBe("Choose prophecies or assemble.");
    expect(prompt([choosing])).toBe("Choose prophecies.");
    const empty = { view: { row: [null, null, null, null, null, null] } };
    expect(prompt([taking, fulfil(0, "KKK")], empty)).toBe("Take pieces or assemble.");
    expect(prompt([taking], empty)).toBe("Take pieces.");
    expect(prompt([assembling], empty)).toBe("Assemble.");
  });

  it("a full board and a full hand are told", () => {
    const board = Array.from({ length: 8 }, () => "R");
    expect(prompt([choosing, assembling], { own: { board } })).toBe("Your board is full. Choose prophecies or assemble.");
    expect(prompt([taking, assembling])).toBe("Your hand is full. Take pieces or assemble.");
    expect(prompt([assembling], { own: { board } })).toBe("Your board is full. Your hand is full. Assemble.");
  });

  it("a board that is not full is not called so, where nothing can be taken", () => {
    expect(prompt([choosing, assembling], { own: { board: ["R"] } })).toBe("Choose prophecies or assemble.");
  });

  it("there is nothing to do but pass, or to end the turn", () => {
    const empty = { view: { row: [null, null, null, null, null, null] } };
    expect(prompt([PASS], empty)).toBe(m.prompt_pass());
    expect(prompt([DONE], empty)).toBe(m.prompt_done());
  });

  it("the phases of an action", () => {
    const phase = (name: ViewData["phase"], ...moves: Move[]) => prompt(moves, { view: { phase: name } });
    expect(phase("pick", pick("KKK", 0), DONE)).toBe(m.prompt_pick());
    expect(phase("pick", pick("KKK", 0))).toBe("Choose prophecies.");
    expect(phase("pick", DONE)).toBe("Your hand is full. End your turn.");
    expect(phase("assemble", addLeft("R", 0), DONE)).toBe(m.prompt_assemble());
    expect(phase("assemble", DONE)).toBe("End your turn.");
    expect(phase("future", drop("KKK"), DONE)).toBe(m.prompt_future());
  });

  it("a completion", () => {
    const phase = (name: ViewData["phase"], ...moves: Move[]) => prompt(moves, { view: { phase: name } });
    expect(phase("fulfil", fulfil(0, "KKK"))).toBe(m.prompt_fulfil());
    expect(phase("fulfil", DONE)).toBe(m.prompt_fulfil_done());
    expect(phase("temple", fromHand(0, "noK/8"), DONE)).toBe(m.prompt_temple());
    expect(phase("temple", DONE)).toBe(m.prompt_temple_none());
    expect(phase("temple", fromHand(0, "noK/8"))).toBe("This Cóatl must get a Temple card.");
  });

  it("the foot of a completion names what can still be laid", () => {
    const on = { card: "KKK", times: 1, points: 2, matches: [] };
    const temple = { card: "noK/8", met: [true, false], points: 3 };
    const hint = (phase: ViewData["phase"], more: Partial<CoatlView>, ...moves: Move[]) =>
      completionHint({ ...OPEN, ...more }, phase, readChoices(moves));
    expect(hint("fulfil", {}, fulfil(0, "KKK"))).toBe(m.complete_hint());
    expect(hint("fulfil", { cards: [on], temples: [temple] }, fulfil(0, "KKR"), DONE)).toBe(m.temple_after());
    expect(hint("fulfil", { cards: [on], temples: [temple] }, DONE)).toBe(m.temple_next());
    expect(hint("fulfil", { cards: [on], temples: [{ ...temple, points: 0 }] }, DONE)).toBe(m.prompt_fulfil_done());
    expect(hint("temple", { cards: [on] }, fromHand(0, "noK/8"), DONE)).toBe(m.pile_warning());
    expect(hint("temple", {}, fromHand(0, "noK/8"))).toBe(m.prompt_temple_must());
  });
});

describe("with something in hand", () => {
  const red = { kind: "piece", at: 0, piece: "R" } as const;
  const card = { kind: "card", card: "KKK" } as const;

  it("a piece has a place, or none", () => {
    expect(prompt([begin("R")], { more: { held: red } })).toBe("Place the red segment where it glows, or pick another.");
    expect(prompt([DRAW], { more: { held: red } })).toBe("The red segment cannot be placed now.");
  });

  it("a card goes on a Cóatl, or not now, or there is none", () => {
    const [own, more] = [{ coatls: [OPEN] }, { held: card }];
    expect(prompt([fulfil(0, "KKK")], { own, more })).toBe(m.prompt_card());
    expect(prompt([DRAW], { own, more })).toBe(m.prompt_card_not_now());
    expect(prompt([DRAW], { more })).toBe("You have no open Cóatl to lay it on.");
    expect(prompt([DRAW], { own: { coatls: [{ ...OPEN, complete: true }] }, more })).toBe(m.no_open_coatl());
  });
});

describe("at set-up", () => {
  const keep = (ticked: number, least = 0) =>
    prompt([drop("KKK")], { view: { phase: "setup" }, more: { keeping: { ticked, least, most: 3 } } });

  it("as many may be kept as the server says", () => {
    expect([0, 2, 3].map((n) => keep(n))).toEqual(Array(3).fill("Keep up to three of these. The rest is discarded."));
    expect(keep(4)).toBe("Keep up to three of these. 1 card too many.");
  });

  it("in the solo game three have to be", () => {
    expect([keep(0, 3), keep(3, 3)]).toEqual(Array(2).fill("Keep three of these. The rest is discarded."));
    expect(keep(1, 3)).toBe("Keep three of these. Tick 2 more.");
    expect(keep(5, 3)).toBe("Keep three of these. 2 cards too many.");
  });
});

describe("when others decide", () => {
  const bot = (more: object) => {
    const { places } = tableState();
    return prompt([], { table: { places: [{ ...places[0]!, bot: "greedy", ...more }, places[1]!] }, more: { mine: false } });
  };

  it("it is told who plays, and that a bot plays for me", () => {
    expect(prompt([], { view: { to_move: 1 }, more: { mine: false } })).toBe("Ben is playing.");
    expect(bot({})).not.toBe(bot({ gave_up: true }));
    expect(prompt([], { table: { status: "over" }, more: { mine: false } })).toBe(m.prompt_over());
  });

  it("A.D.A.M.'s turn is told while it lasts", () => {
    const adam = {
      step: 2, done: false, looks: [], searching: false, space: "b1", taken: [], laid: [], fulfilled: [], passed: [], drawn: [],
    } as const;
    const text = prompt([], { view: { to_move: null }, more: { mine: false, adam } });
    expect(text).not.toBe(prompt([], { view: { to_move: null }, more: { mine: false, adam: { ...adam, done: true } } }));
  });
});
