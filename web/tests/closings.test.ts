import { beforeEach, describe, expect, it, vi } from "vitest";
import { Closings, closingsKey } from "../src/lib/closings.svelte";
import type { CoatlView, TableState } from "../src/lib/protocol";
import { seatView, tableState, viewData } from "./making";

const coatl = (pieces: string, complete = false): CoatlView => ({ pieces, complete, value: 0 });
const state = (version: number, board: readonly string[], coatls: readonly CoatlView[] = [coatl("<KR")], more: Partial<TableState> = {}): TableState =>
  tableState({ version, view: viewData({ seats: [seatView({ board: [...board], coatls: [...coatls] }), seatView()] }), ...more });
const found = (version: number, values: (number | null)[] | null) => ({ type: "closings_found", reply: "", version, values }) as const;

describe("for how much a Cóatl could be closed", () => {
  let closings: Closings;
  const ask = vi.fn();
  beforeEach(() => {
    closings = new Closings();
    ask.mockClear();
  });

  it("is asked once for what one has, and known again after an undo", () => {
    const [before, after, again] = [state(1, ["R"]), state(2, []), state(3, ["R"])];
    closings.refresh(before, ask);
    expect([ask.mock.calls.length, closings.of(before)]).toEqual([1, undefined]);
    closings.hear(found(1, [14]), before);
    expect(closings.of(before)).toEqual([14]);
    closings.refresh(after, ask);
    expect([ask.mock.calls.length, closings.of(after)]).toEqual([2, undefined]);
    closings.hear(found(2, [null]), after);
    closings.refresh(again, ask);
    expect([ask.mock.calls.length, closings.of(again), closings.of(after)]).toEqual([2, [14], [null]]);
  });

  it("is forgotten if it is for another state, or not known yet", () => {
    closings.hear(found(1, [14]), state(2, []));
    closings.hear(found(2, null), state(2, []));
    closings.hear(found(2, [14]), undefined);
    expect(closings.of(state(2, []))).toBe(undefined);
  });

  it("is not asked where there is nothing to close", () => {
    const none = [state(1, [], []), state(1, [], [coatl("<KR>", true)]), state(1, [], undefined, { seat: null }), state(1, [], undefined, { status: "over" })];
    none.forEach((one) => closings.refresh(one, ask));
    expect(ask).not.toHaveBeenCalled();
    expect(none.map(closingsKey)).toEqual([null, null, null, null]);
  });

  it("depends on cards, Temple cards and the step of a completion, and not on what others do", () => {
    const base = state(1, ["R"]);
    const own = base.view!.seats[0]!;
    const change = (more: Partial<NonNullable<TableState["view"]>>) => closingsKey({ ...base, version: 9, view: { ...base.view!, ...more } });
    const as = (more: object) => change({ seats: [{ ...own, ...more }, seatView()] });
    const same = closingsKey(base);
    expect(change({ seats: [own, seatView({ board: ["K"] })] })).toBe(same);
    const others = [as({ hand: ["RB"] }), as({ temples: ["noK/8"] }), as({ coatls: [coatl("<KRR")] }), change({ piles: [{ top: "noK/8", size: 1 }, { top: null, size: 0 }] }), change({ phase: "fulfil", pending: 0 })];
    expect(new Set([same, ...others]).size).toBe(6);
  });

  it("keeps the latest only", () => {
    const states = Array.from({ length: 20 }, (_, at) => state(at, Array.from({ length: at }, () => "R")));
    states.forEach((one, at) => closings.hear(found(at, [at]), one));
    expect(states.map((one) => closings.of(one)?.[0])).toEqual([...Array.from({ length: 8 }), 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });
});
