import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Move, TableState } from "../src/lib/protocol";
import { DONE, drop, seatView, tableState, viewData } from "./making";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("localStorage", { getItem: () => null });
const { cards } = await import("../src/lib/cards.svelte");
const { Selection } = await import("../src/lib/selection.svelte");

const MOST = 3; // as the server says

/** A table where seat 0 chooses what to keep; the fake server plays what it is sent. */
class SetUp {
  readonly sent: string[] = [];
  readonly log = [];
  readonly reason = null;
  readonly selection = new Selection(this);
  state: TableState;

  constructor(private hand: readonly string[], private readonly solo = false) {
    this.state = this.made(1);
  }

  private made(version: number, more: Partial<TableState> = {}): TableState {
    const drops: Move[] = this.solo && this.hand.length <= MOST ? [] : [...new Set(this.hand)].map(drop);
    const moves = this.hand.length <= MOST ? [...drops, DONE] : drops;
    const seats = [seatView({ hand: this.hand, hand_size: this.hand.length }), seatView()];
    const adam = this.solo ? { adam: { points: 0 } as never } : {};
    return tableState({ version, view: viewData({ phase: "setup", seats, moves, ...adam }), ...more });
  }

  decide(move: string): void {
    this.sent.push(move);
  }
  why(): void {}

  hear(hand: readonly string[], more: Partial<TableState> = {}): void {
    this.hand = hand;
    this.state = this.made(this.state.version + 1, more);
    this.selection.refresh();
  }

  /** The server has played the last move. */
  answer(): void {
    const move = this.sent.at(-1) ?? "";
    const left = [...this.hand];
    if (move.startsWith("drop ")) left.splice(left.indexOf(move.slice(5)), 1);
    if (move === "done") this.over();
    else this.hear(left);
  }

  over(): void {
    const view = viewData({ phase: "setup", to_move: 1, seats: [seatView({ hand: this.hand }), seatView()] });
    this.state = tableState({ version: this.state.version + 1, view });
    this.selection.refresh();
  }

  get keeping() {
    return this.selection.keeping;
  }
}

const ticked = ({ keeping }: SetUp) => [...keeping.places].sort();

beforeEach(() => {
  cards.numbers = { ...cards.numbers, hand: 5, kept: MOST, kept_solo: MOST };
});

describe("ticks", () => {
  it("are on every card where all may be kept, and keeping all is one press", () => {
    const table = new SetUp(["A", "B", "C"]);
    expect([ticked(table), table.keeping.all, table.keeping.ready]).toEqual([[0, 1, 2], true, true]);
    table.keeping.keep();
    expect(table.sent).toEqual(["done"]);
  });

  it("are on no card where some have to go, and nothing is kept by mistake", () => {
    const table = new SetUp(["A", "B", "C", "D"]);
    expect([ticked(table), table.keeping.ready]).toEqual([[], false]);
    table.keeping.keep();
    expect(table.sent).toEqual([]);
  });

  it("may be too many, and may be taken away until none is left", () => {
    const table = new SetUp(["A", "B", "C", "D"]);
    [0, 1, 2, 3].forEach((at) => table.keeping.toggle(at));
    expect([table.keeping.count, table.keeping.ready]).toEqual([{ ticked: 4, least: 0, most: 3 }, false]);
    table.keeping.toggle(1);
    expect([ticked(table), table.keeping.ready]).toEqual([[0, 2, 3], true]);
    [0, 2, 3].forEach((at) => table.keeping.toggle(at));
    expect([ticked(table), table.keeping.ready]).toEqual([[], true]);
  });

  it("have to be three in the solo game", () => {
    const table = new SetUp(["A", "B", "C", "D", "E"], true);
    const ready = [0, 1, 2, 3].map((at) => {
      table.keeping.toggle(at);
      return table.keeping.ready;
    });
    expect(ready).toEqual([false, false, true, false]);
    expect(table.keeping.count).toEqual({ ticked: 4, least: 3, most: 3 });
  });

  it("cannot be set on an empty place, nor where it is somebody else's turn", () => {
    const table = new SetUp(["A", "B", "C", "D"]);
    table.keeping.toggle(7);
    expect(ticked(table)).toEqual([]);
    table.over();
    table.keeping.toggle(0);
    expect([table.keeping.open, ticked(table)]).toEqual([false, []]);
  });

  it("belong to one seat: the next person at this device begins anew", () => {
    const table = new SetUp(["A", "B", "C", "D"]);
    table.keeping.toggle(0);
    const seats = [seatView(), seatView({ hand: ["E", "F", "G", "H"] })];
    table.state = tableState({ version: 2, place: 1, seat: 1, view: viewData({ phase: "setup", seat: 1, to_move: 1, seats }) });
    expect([ticked(table), table.keeping.ready]).toEqual([[], false]);
  });
});

describe("keeping", () => {
  const keepTwo = () => {
    const table = new SetUp(["A", "A", "B", "C", "D"]);
    [0, 3].forEach((at) => table.keeping.toggle(at));
    table.keeping.keep();
    return table;
  };

  it("discards the others one after another, each when the state before it came, and ends", () => {
    const table = keepTwo();
    expect([table.sent, table.keeping.busy]).toEqual([["drop A"], true]);
    table.selection.refresh(); // the same state: the answer is still on its way
    table.keeping.keep();
    table.keeping.toggle(1);
    expect(table.sent).toHaveLength(1);
    for (let n = 0; n < 4; n += 1) table.answer();
    expect(table.sent).toEqual(["drop A", "drop B", "drop D", "done"]);
    expect([table.keeping.busy, table.keeping.open]).toEqual([false, false]);
  });

  it("sends a move again that came too late: the hand is as it was, in a newer state", () => {
    const table = keepTwo();
    table.hear(["A", "A", "B", "C", "D"]);
    expect(table.sent).toEqual(["drop A", "drop A"]);
    table.answer();
    expect(table.sent.at(-1)).toBe("drop B");
  });

  it("stops where somebody undid or another window played", () => {
    const table = keepTwo();
    table.answer();
    table.hear(["A", "A", "B", "C", "D"]); // one of the two discards was undone
    expect([table.sent, table.keeping.busy]).toEqual([["drop A", "drop B"], false]);
    expect([ticked(table), table.keeping.ready]).toEqual([[0, 3], true]);
  });

  it("stops where it is refused: what is discarded stays discarded", () => {
    const table = keepTwo();
    table.answer();
    table.keeping.stop();
    expect(table.keeping.busy).toBe(false);
    table.answer();
    expect(table.sent).toEqual(["drop A", "drop B"]);
  });

  it("stops where a bot plays for this seat", () => {
    const table = keepTwo();
    const { places } = tableState();
    table.hear(["A", "B", "C", "D"], { places: [{ ...places[0]!, bot: "greedy" }, places[1]!] });
    expect([table.sent, table.keeping.busy]).toEqual([["drop A"], false]);
  });

  it("goes on by hand after a reload: what is left of the hand is ticked if it may be kept", () => {
    const table = new SetUp(["A", "B", "C"], true);
    expect([ticked(table), table.keeping.ready]).toEqual([[0, 1, 2], true]);
    table.keeping.keep();
    expect(table.sent).toEqual(["done"]);
  });
});
