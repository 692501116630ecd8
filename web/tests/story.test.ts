import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GameEvent, TableState, ViewData } from "../src/lib/protocol";
import { Table } from "../src/lib/story/apply";
import { flightsOf } from "../src/lib/story/flights";
import { isSame, placeKey } from "../src/lib/places";
import { passedBy, scenesOf, type Scene } from "../src/lib/story/scenes";
import { adamCard, BAG, board, coatl, decided, DONE, HOLDING, piece, supply, take } from "./making";

interface Recording {
  readonly first: ViewData;
  readonly steps: readonly { readonly events: readonly GameEvent[]; readonly view: ViewData }[];
}

const read = (name: string): Recording =>
  JSON.parse(readFileSync(new URL(`./data/${name}.json`, import.meta.url), "utf-8")) as Recording;

/** What events can tell: where everything lies. */
function lies(view: ViewData): unknown {
  const bag = Object.fromEntries(Object.entries(view.bag).filter(([, n]) => n > 0));
  const seats = view.seats.map((seat) => ({
    board: seat.board,
    hand: [...seat.hand].sort(),
    size: seat.hand_size,
    temples: [...seat.temples].sort(),
    temple_count: seat.temple_count,
    tokens: seat.tokens,
    coatls: seat.coatls.map((coatl) => [coatl.pieces, coatl.value, (coatl.cards ?? []).map((card) => card.card), coatl.temple?.card]),
  }));
  const adam = view.adam && { ...view.adam, step: "" };
  const supply = Object.fromEntries(Object.entries(view.supply).filter(([, colours]) => colours));
  return { supply, bag, row: view.row, deck: view.deck, piles: view.piles, gone: view.gone ?? [], seats, adam: adam ?? null, turn: view.turn };
}

const state = (view: ViewData, events: readonly GameEvent[] = [], first = 0): TableState => ({
  type: "state", table: "t", version: 1, status: "playing", place: 0, seat: 0, places: [], seating: [0, 1, 2],
  promise: "", can_undo: true, events, first_event: first, view,
});

const NOBODY: ReadonlySet<number> = new Set([0]);

describe.each(["solo", "three"])("a real game (%s)", (name) => {
  const { first, steps } = read(name);

  test("the events lead from each view to the next", () => {
    let view = first;
    for (const step of steps) {
      const table = new Table(view, step.view);
      step.events.forEach((event) => table.apply(event));
      expect(lies(table.settle().view())).toEqual(lies(step.view));
      view = step.view;
    }
  });

  test("the last scene is the state itself, and no event is told twice or left out", () => {
    let view = first;
    for (const step of steps) {
      const scenes = scenesOf(state(view), state(step.view, step.events, 7), NOBODY);
      expect(scenes.at(-1)?.state.view).toBe(step.view);
      expect(scenes.flatMap((scene) => scene.events)).toEqual(step.events);
      expect(scenes.at(-1)?.told).toBe(7 + step.events.length);
      for (const scene of scenes.slice(0, -1)) expect(scene.state.view?.moves).toEqual([]);
      view = step.view;
    }
  });

  test("whatever flies has two different places, and few enough fly", () => {
    const numbers = steps.map((step, at) => {
      const flights = flightsOf(step.events, steps[at - 1]?.view ?? first, step.view);
      for (const { from, to, kind } of flights)
        if (kind !== "temple") expect(isSame(from, to)).toBe(false); // a pile may turn up its next card
      return flights.length;
    });
    expect(numbers.filter(Boolean).length).toBeGreaterThan(steps.length / 2);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(24);
  });
});

describe("A.D.A.M.'s turn", () => {
  const { first, steps } = read("solo");
  const views = [first, ...steps.map((step) => step.view)];
  const turns = steps.map((step, at) => scenesOf(state(views[at] as ViewData), state(step.view, step.events), NOBODY));
  const told = turns.map((scenes) => scenes.filter((scene) => scene.adam)).filter((scenes) => scenes.length);
  /** The first of his turns in which something happens. */
  const findTurn = (happens: (scenes: readonly Scene[]) => unknown): readonly Scene[] => {
    const found = told.find(happens);
    if (!found) throw new Error("the recording has no such turn");
    return found;
  };

  test("goes through its steps in order, and ends done", () => {
    expect(told.length).toBeGreaterThan(5);
    for (const scenes of told) {
      const numbers = scenes.map((scene) => scene.adam?.step ?? 0).filter((step) => step > 2);
      expect(numbers).toEqual([...numbers].sort());
      expect(numbers[0]).toBe(3);
      expect(scenes.at(-1)?.adam).toMatchObject({ done: true, step: 5 });
    }
  });

  test("tells what he looks for before it tells what he finds", () => {
    const scenes = findTurn((one) => (one.at(-1)?.adam?.looks.length ?? 0) > 1);
    const [one, two, three, four] = scenes.map((scene) => scene.adam);
    expect(one).toMatchObject({ step: 1, searching: true, looks: [{ card: 0, space: null }] });
    expect(one?.looks[0]?.wants).toMatch(/^[KRBYG]+$/);
    expect(two).toMatchObject({ step: 2, searching: false, looks: [{ card: 0, space: null }] });
    expect(three).toMatchObject({ step: 1, searching: true, looks: [{ card: 0 }, { card: 1 }] });
    expect(four?.looks[1]?.space).toMatch(/^[bht]\d$/);
  });

  test("while he plays the supply still holds what he has not taken, then it does not", () => {
    const scenes = findTurn((one) => one.some((scene) => scene.adam?.space));
    const take = scenes.findIndex((scene) => scene.adam?.step === 3);
    const space = scenes[take]?.adam?.space ?? "";
    const before = scenes[take - 1]?.state.view?.supply[space] ?? "";
    expect(before.length).toBe(scenes[take]?.adam?.taken.length);
    expect(scenes[take]?.adam?.taken).not.toEqual([]);
    expect(scenes[take]?.state.view?.adam?.holding).toEqual(scenes[take]?.adam?.taken);
    expect(scenes[take]?.state.view?.supply[space]).toBe("");
    expect(scenes[take]?.state.view?.to_move).toBeNull();
  });

  test("a fulfilled card leaves with all it had", () => {
    const scenes = findTurn((one) => one.at(-1)?.adam?.fulfilled.length);
    const last = scenes.at(-1)?.adam;
    expect(last?.drawn.length).toBeGreaterThan(0);
    expect(last?.passed.length).toBeGreaterThan(0);
  });

  test("he passes the spaces before the one he finds, or all of them", () => {
    expect(passedBy({ card: 0, wants: "K", space: "b3" })).toEqual(["b1", "b2"]);
    expect(passedBy({ card: 0, wants: "K", space: null })).toHaveLength(10);
  });
});

describe("the pace of a scene", () => {
  const { first } = read("three");
  const pace = (...events: GameEvent[]) => scenesOf(state(first), state(first, events), NOBODY).map((scene) => scene.pace);

  test("is that of what can be seen: a decision alone takes no time", () => {
    expect(pace(decided(1, DONE), { kind: "turn", seat: 0, turn: 3 })).toEqual(["none"]);
    expect(pace(decided(1, take("b2")), piece(1, "K", supply("b2"), board(1)))).toEqual(["other"]);
    expect(pace(decided(0, take("b2")), piece(0, "K", supply("b2"), board(0)))).toEqual(["own"]);
  });
});

describe("places", () => {
  test("have a key each", () => {
    const places = [supply("b1"), supply("b2"), board(0), board(1), coatl(0, 1), coatl(1, 0), adamCard(0), HOLDING, BAG];
    expect(new Set(places.map(placeKey)).size).toBe(places.length);
    expect(isSame(coatl(0, 1), { seat: 0, at: 1, kind: "coatl", space: null })).toBe(true);
    expect(isSame(undefined, BAG)).toBe(false);
  });
});

describe("flights", () => {
  test("a piece that went on at once flies once, the whole way", () => {
    const flights = flightsOf([piece(null, "K", supply("b2"), HOLDING), piece(null, "K", HOLDING, adamCard(1))], null, null);
    expect(flights).toMatchObject([{ from: supply("b2"), to: adamCard(1), what: "K" }]);
  });

  test("two alike fly apart", () => {
    const flights = flightsOf([piece(0, "K", supply("b2"), board(0)), piece(0, "K", supply("b2"), board(0))], null, null);
    expect(flights).toHaveLength(2);
  });

  test("a refill falls in one after another", () => {
    const flights = flightsOf([piece(null, "K", BAG, supply("b1")), piece(null, "R", BAG, supply("b1")), piece(null, "R", BAG, supply("b2"))], null, null);
    expect(flights.map((flight) => flight.delay)).toEqual([40, 80, 120]);
  });

  test("the end of the serpent it joins is told", () => {
    expect(flightsOf([piece(0, "K", board(0), coatl(0, 1), 0)], null, null)[0]?.at).toBe(0);
    expect(flightsOf([piece(0, "K", board(0), coatl(0, 1), 4)], null, null)[0]?.at).toBe(4);
  });

  test("a step taken back flies back, as the two views tell", () => {
    const { steps } = read("three");
    const at = steps.findIndex((step) => step.events.some((event) => event.target?.kind === "coatl"));
    const [old, now] = [steps[at]?.view, steps[at - 1]?.view];
    const event = steps[at]?.events.find(({ target }) => target?.kind === "coatl");
    expect(event?.piece).toBeTruthy();
    const flights = flightsOf([{ kind: "undo", seat: 0 }], old ?? null, now ?? null);
    expect(flights).toContainEqual(expect.objectContaining({ from: event?.target, to: event?.source, what: event?.piece }));
  });
});
