import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Held } from "../src/lib/intent";
import type { Reason, TableState, ViewData } from "../src/lib/protocol";
import { addLeft, addRight, begin, DRAW, fulfil, hand, pick, prophecy, row, seatView, tableState, take, viewData } from "./making";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("localStorage", { getItem: () => null });
const { boxOf, boxOfEnd, Selection } = await import("../src/lib/selection.svelte");
const { settings } = await import("../src/lib/settings.svelte");

const HERE = { left: 1, top: 2, width: 3, height: 4 };
const THERE = { left: 5, top: 6, width: 7, height: 8 };

const view = viewData({
  supply: { b1: "KR", b2: "GG" }, row: ["YG", "YK+R", null, null, null, null],
  seats: [seatView({ board: ["<K", "R", "R"], hand: ["KKK", "YG"], hand_size: 2 }), seatView()],
  moves: [take("b1"), pick("YG", 0), DRAW, begin("<K"), addLeft("R", 0), addRight(1, "R"), fulfil(0, "KKK")],
  final: ["take b1", "draw"],
});

class FakeTable {
  log: readonly ReturnType<typeof prophecy>[] = [];
  reason: Reason | null = null;
  decided: string[] = [];
  asked: string[] = [];
  constructor(public state: TableState | undefined) {}
  decide(move: string): void {
    this.decided.push(move);
  }
  why(move: string): void {
    this.asked.push(move);
  }
}

function select(more: Partial<TableState> = {}) {
  const table = new FakeTable(tableState({ view, ...more }));
  const selection = new Selection(table);
  /** As the table screen does when a state comes. */
  const hear = (change: Partial<ViewData>) => {
    table.state = tableState({ view: { ...view, ...change } });
    selection.refresh();
  };
  return { table, selection, hear };
}

const red: Held = { kind: "piece", at: 1, piece: "R" };
const card: Held = { kind: "card", card: "KKK" };
const open: Held = { kind: "row", at: 0, card: "YG" };
const space: Held = { kind: "space", space: "b1" };
const DECK_CARD: Held = { kind: "deck" };

beforeEach(() => {
  settings.set({ confirmTakes: true, confirmFinal: true, confirmEnd: false });
});

describe("explaining", () => {
  it("a card says what it is, and its places are lit", () => {
    const { selection, table } = select();
    for (const held of [card, open]) {
      selection.explain(held, HERE);
      expect([selection.held, selection.pop]).toMatchObject([held, { kind: "card", from: held }]);
    }
    expect(table.decided).toEqual([]);
  });

  it("a space and the deck are asked about, also by those who want no questions", () => {
    settings.set({ confirmTakes: false });
    const { selection, table } = select();
    selection.explain(space, HERE);
    expect(selection.pop).toEqual({ kind: "take", space: "b1", anchor: HERE });
    selection.explain(DECK_CARD, HERE);
    expect(selection.pop).toEqual({ kind: "confirm", move: DRAW, anchor: HERE });
    expect(table.decided).toEqual([]);
  });

  it("what may go nowhere says why", () => {
    const { selection, table } = select({ view: { ...view, moves: [] } });
    for (const held of [{ kind: "space", space: "b2" }, DECK_CARD, red] as const) selection.explain(held, HERE);
    expect(table.asked).toEqual(["take b2", "draw", "new R"]);
    expect(selection.pop?.kind).toBe("why");
  });

  it("a piece lights the places that take it", () => {
    const { selection } = select();
    selection.explain(red, HERE);
    expect([selection.held, selection.pop]).toEqual([red, null]);
  });
});

describe("picking up", () => {
  it("a piece lights the places that take it, and puts it back when it is picked again", () => {
    const { selection, table } = select();
    selection.pick(red, HERE);
    expect([selection.held, selection.pop, selection.piece, selection.pieceText]).toEqual([red, null, 1, "R"]);
    expect([...selection.targets].sort()).toEqual(["end 0 left", "end 1 right"]);
    selection.pick({ ...red }, HERE);
    expect([selection.held, selection.piece, selection.pieceText]).toEqual([null, null, null]);
    expect([...selection.targets]).toEqual([]);
    expect(table.decided).toEqual([]);
  });

  it("another piece, though it looks the same, takes the place of the first", () => {
    const { selection } = select();
    selection.pick(red, HERE);
    selection.pick({ ...red, at: 2 }, HERE);
    expect(selection.piece).toBe(2);
  });

  it("a card of the hand explains it meanwhile", () => {
    const { selection } = select();
    selection.pick(card, HERE);
    expect(selection.held).toEqual(card);
    expect(selection.pop).toEqual({ kind: "card", card: "KKK", from: card, anchor: HERE });
    expect(selection.reading).toBe("KKK");
    selection.pick(card, HERE);
    expect([selection.held, selection.pop, selection.reading]).toEqual([null, null, null]);
  });

  it("an open card takes it when it is picked a second time", () => {
    const { selection, table } = select();
    selection.pick(open, HERE);
    expect([selection.reading, table.decided]).toEqual(["YG", []]);
    selection.pick(open, HERE);
    expect([selection.held, selection.pop, table.decided]).toEqual([null, null, ["pick YG"]]);
  });

  it("an open card that may not be taken asks why when it is picked a second time", () => {
    const { selection, table } = select();
    const other: Held = { kind: "row", at: 1, card: "YK+R" };
    selection.pick(other, HERE);
    selection.pick(other, HERE);
    expect([table.asked, table.decided]).toEqual([["pick YK+R@2"], []]);
  });

  it("a supply space asks first; picked again, it is taken", () => {
    const { selection, table } = select();
    selection.pick(space, HERE);
    expect([selection.space, selection.pop]).toEqual(["b1", { kind: "take", space: "b1", anchor: HERE }]);
    expect(table.decided).toEqual([]);
    selection.pick(space, HERE);
    expect([selection.space, selection.pop, table.decided]).toEqual([null, null, ["take b1"]]);
  });

  it("a supply space takes it at once for those who want no question", () => {
    settings.set({ confirmTakes: false });
    const { selection, table } = select();
    selection.pick(space, HERE);
    expect([selection.held, table.decided]).toEqual([null, ["take b1"]]);
  });

  it("a supply space that may not be taken asks why, and holds nothing", () => {
    const { selection, table } = select();
    selection.pick({ kind: "space", space: "b2" }, HERE);
    expect([selection.held, table.asked, table.decided]).toEqual([null, ["take b2"], []]);
    expect(selection.pop).toEqual({ kind: "why", move: "take b2", anchor: HERE });
  });

  it("the deck gives its card at once to those who want no question", () => {
    settings.set({ confirmFinal: false });
    const { selection, table } = select();
    selection.pick(DECK_CARD, HERE);
    expect([selection.pop, table.decided]).toEqual([null, ["draw"]]);
  });

  it("the end of a turn is asked about where that is wanted and something is left to do", () => {
    const end = { text: "done", decision: 0, kind: "done" } as const;
    const { selection, table, hear } = select();
    selection.end(end, HERE);
    expect(table.decided).toEqual(["done"]);
    settings.set({ confirmEnd: true });
    selection.end(end, HERE);
    expect([selection.pop, table.decided.length]).toEqual([{ kind: "confirm", move: end, anchor: HERE }, 1]);
    selection.end(end, HERE); // pressed again
    expect([selection.pop, table.decided.length]).toEqual([null, 2]);
    hear({ moves: [end] });
    selection.end(end, HERE);
    expect(table.decided.length).toBe(3);
  });

  it("the deck asks before a card is drawn, which cannot be taken back", () => {
    const { selection, table } = select();
    selection.pick(DECK_CARD, HERE);
    expect(selection.pop).toEqual({ kind: "confirm", move: DRAW, anchor: HERE });
    expect(table.decided).toEqual([]);
    selection.decide(DRAW);
    expect([selection.pop, table.decided]).toEqual([null, ["draw"]]);
  });
});

describe("putting down", () => {
  it("plays the move the server sent, and holds nothing any more", () => {
    const { selection, table } = select();
    selection.pick(red, HERE);
    selection.put(red, { kind: "end", coatl: 1, side: "right" }, THERE);
    selection.put(card, { kind: "lane", coatl: 0 }, THERE);
    expect([selection.held, selection.pop, table.decided, table.asked]).toEqual([null, null, ["2+R", "1:KKK"], []]);
  });

  it("asks the server why where it may not go", () => {
    const { selection, table } = select();
    selection.pick(red, HERE);
    selection.put(red, { kind: "begin" }, THERE);
    expect([selection.held, table.asked, table.decided]).toEqual([null, ["new R"], []]);
    expect(selection.pop).toEqual({ kind: "why", move: "new R", anchor: THERE });
  });

  it("says nothing where it makes no sense", () => {
    const { selection, table } = select();
    selection.pick(card, HERE);
    selection.put(card, { kind: "board" }, THERE);
    expect([selection.held, selection.pop, table.asked, table.decided]).toEqual([null, null, [], []]);
  });

  it("asks before a dragged space is taken, unless nobody wants that", () => {
    const { selection, table } = select();
    selection.put(space, { kind: "board" }, THERE);
    expect([selection.space, selection.pop?.kind, table.decided]).toEqual(["b1", "take", []]);
    settings.set({ confirmTakes: false });
    selection.put(space, { kind: "board" }, THERE);
    expect([selection.space, selection.pop, table.decided]).toEqual([null, null, ["take b1"]]);
  });

  it("is told without asking that it is not one's turn", () => {
    const { selection, table } = select({ view: { ...view, to_move: 1, moves: [] } });
    selection.pick({ kind: "space", space: "b1" }, HERE);
    expect(selection.pop).toEqual({ kind: "why", move: null, anchor: HERE });
    expect([table.asked, table.decided]).toEqual([[], []]);
  });
});

describe("a new state", () => {
  it("leaves what is held where it still lies, and takes away what has gone", () => {
    const { selection, hear } = select();
    selection.pick(red, HERE);
    hear({ turn: 2, to_move: 1, moves: [] });
    expect(selection.held).toEqual(red);
    hear({ seats: [seatView({ board: ["<K", "G"] }), seatView()] });
    expect(selection.held).toBeNull();
  });

  it("leaves a card open that is still there", () => {
    const { selection, hear } = select();
    selection.pick(open, HERE);
    hear({ turn: 2 });
    expect([selection.held, selection.reading]).toEqual([open, "YG"]);
    hear({ row: ["KKK", "YK+R", "YG", null, null, null] });
    expect([selection.held, selection.pop]).toEqual([null, null]);
  });

  it("leaves a card open that is only read, wherever it lies", () => {
    const { selection, hear } = select();
    selection.read("noK/8", HERE);
    hear({ row: [null, null, null, null, null, null] });
    expect(selection.reading).toBe("noK/8");
  });

  it("ends questions: what they asked about may be something else now", () => {
    const { selection, hear } = select();
    selection.pick(space, HERE);
    hear({ turn: 2 });
    expect([selection.held, selection.pop]).toEqual([null, null]);
    selection.pick(DECK_CARD, HERE);
    hear({ turn: 3 });
    expect(selection.pop).toBeNull();
    selection.useToken("pick", HERE);
    hear({ turn: 4 });
    expect(selection.pop).toBeNull();
  });

  it("without a game leaves nothing", () => {
    const { selection, table } = select();
    selection.pick(card, HERE);
    table.state = tableState({ view: null });
    selection.refresh();
    expect([selection.held, selection.pop, selection.own, selection.mine]).toEqual([null, null, undefined, false]);
  });
});

describe("what is open", () => {
  it("closes when it is opened again, and makes room for another", () => {
    const { selection } = select();
    selection.pick(red, HERE);
    selection.read("YG", HERE);
    expect([selection.held, selection.pop]).toEqual([null, { kind: "card", card: "YG", from: null, among: [], anchor: HERE }]);
    selection.read("YG", HERE);
    expect(selection.pop).toBeNull();
    selection.useToken("priest", HERE);
    selection.useToken("future", THERE);
    expect(selection.pop).toEqual({ kind: "token", token: "future", anchor: THERE });
    selection.useToken("future", THERE);
    expect(selection.pop).toBeNull();
  });

  it("leads from a small card to those beside it, round and round", () => {
    const { selection } = select();
    selection.read("YG", HERE, ["YG", "{R}", "!YY!"]);
    const seen = [1, 1, 1, -1].map((step) => {
      selection.readBeside(step as 1 | -1);
      return selection.reading;
    });
    expect(seen).toEqual(["{R}", "!YY!", "YG", "!YY!"]);
  });
});

describe("an empty lane", () => {
  it("tells why no piece may begin a Cóatl there", () => {
    const { selection, table, hear } = select();
    selection.askBegin(HERE); // one may begin
    expect([selection.pop, table.asked]).toEqual([null, []]);
    hear({ moves: [DRAW] });
    selection.askBegin(HERE);
    expect([selection.pop, table.asked]).toEqual([{ kind: "why", move: "new <K", anchor: HERE }, ["new <K"]]);
  });

  it("says nothing with an empty board, or where it is somebody else's turn", () => {
    const { selection, table, hear } = select();
    hear({ moves: [DRAW], seats: [seatView(), seatView()] });
    selection.askBegin(HERE);
    hear({ moves: [], to_move: 1 });
    selection.askBegin(HERE);
    expect([selection.pop, table.asked]).toEqual([null, []]);
  });
});

describe("whose it is", () => {
  it("has a seat, a turn and choices", () => {
    const { selection } = select();
    expect(selection.own).toBe(view.seats[0]);
    expect(selection.mine).toBe(true);
    expect([...selection.choices.takes.keys()]).toEqual(["b1"]);
  });

  it("has no choices where it is somebody else's turn to decide: a bot's, or a spectator looks", () => {
    const { places } = tableState();
    const bot = select({ places: [{ ...places[0]!, bot: "greedy" }, places[1]!] }).selection;
    expect(bot.choices.takes.size).toBe(0);
    const watching = select({ place: null, seat: null }).selection;
    expect([watching.own, watching.mine, watching.choices.draw]).toEqual([undefined, false, null]);
    const over = select({ view: { ...view, to_move: null }, seat: null }).selection;
    expect(over.mine).toBe(false);
  });

  it("knows what this seat has done in this turn", () => {
    const { selection, table } = select();
    table.log = [prophecy(0, "YG", row(0), hand(0)), prophecy(1, "KKK", row(1), hand(1))];
    expect(selection.steps.map(({ kind, what }) => `${kind} ${what}`)).toEqual(["picked YG"]);
  });
});

describe("boxes on the page", () => {
  const element = (left: number, width: number, inside: Element | null = null) => ({
    getBoundingClientRect: () => ({ left, top: 20, width, height: 30 }), querySelector: () => inside,
  }) as unknown as Element;

  it("move with the page, and an end is a part of the serpent", () => {
    vi.stubGlobal("scrollX", 100);
    vi.stubGlobal("scrollY", 1000);
    expect(boxOf(element(10, 300))).toEqual({ left: 110, top: 1020, width: 300, height: 30 });
    const lane = element(0, 900, element(10, 300));
    expect(boxOfEnd(lane, "left")).toEqual({ left: 110, top: 1020, width: 40, height: 30 });
    expect(boxOfEnd(lane, "right")).toMatchObject({ left: 370, width: 40 });
    expect(boxOfEnd(element(10, 30), "right")).toMatchObject({ left: 110, width: 30 });
  });
});
