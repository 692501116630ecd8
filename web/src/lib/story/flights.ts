/** What travels between two pictures of the table, as plain data. */

import type { GameEvent, ViewData } from "../protocol";

export interface Flight {
  readonly kind: "piece" | "prophecy" | "temple";
  readonly what: string | null; // null: hidden
  readonly from: string; // places as in events
  readonly to: string;
  readonly at: number | null; // position in a serpent
  readonly delay: number; // ms
}

export const STAGGER = 40;
const MOST = 24;

/** From the events in between; where there are none, or one was taken back, from the views alone. */
export function flightsOf(events: readonly GameEvent[], before: ViewData | null, after: ViewData | null): Flight[] {
  const told = events.some((event) => event.kind === "undo") ? null : fromEvents(events);
  const flights = told ?? (before && after ? fromViews(before, after) : []);
  return flights.length > MOST ? [] : flights;
}

const MOVES = new Set(["piece", "prophecy", "temple"]);

function fromEvents(events: readonly GameEvent[]): Flight[] {
  const found: Flight[] = [];
  for (const event of events) {
    if (!MOVES.has(event.kind) || !event.source || !event.target) continue;
    const flight = {
      kind: event.kind as Flight["kind"],
      what: event.what ?? null,
      from: event.source,
      to: event.target,
      at: event.target.startsWith("coatl") && event.kind === "piece" ? (event.value ?? 0) : null,
      delay: 0,
    };
    const earlier = found.findLastIndex((one) => one.kind === flight.kind && one.what === flight.what && one.to === flight.from && one.from !== one.to);
    const way = found[earlier];
    if (way) found[earlier] = { ...flight, from: way.from, delay: way.delay };
    else found.push(flight);
  }
  return staggered(found.filter((flight) => flight.from !== flight.to || flight.kind === "temple"));
}

/** What falls from the bags and the deck comes one after another. */
function staggered(flights: readonly Flight[]): Flight[] {
  let refill = 0;
  return flights.map((flight) => {
    const falls = (flight.from === "bag" && flight.to.startsWith("supply")) || (flight.from === "deck" && flight.to.startsWith("row"));
    return falls ? { ...flight, delay: STAGGER * (refill += 1) } : flight;
  });
}

type Places = Map<string, string[]>; // "piece K" -> places, one for each of them

function fromViews(before: ViewData, after: ViewData): Flight[] {
  const [old, now] = [placesOf(before), placesOf(after)];
  const flights: Flight[] = [];
  for (const [thing, places] of old) {
    const left = [...places];
    const come = [...(now.get(thing) ?? [])];
    for (const place of places) {
      const at = come.indexOf(place);
      if (at < 0) continue;
      come.splice(at, 1);
      left.splice(left.indexOf(place), 1);
    }
    const [kind = "", what = ""] = thing.split(" ");
    for (const [i, from] of left.entries()) {
      const to = come[i];
      if (to) flights.push({ kind: kind as Flight["kind"], what, from, to, at: null, delay: 0 });
    }
  }
  return flights;
}

function placesOf(view: ViewData): Places {
  const places: Places = new Map();
  const put = (thing: string, place: string) => places.set(thing, [...(places.get(thing) ?? []), place]);
  for (const [space, colours] of Object.entries(view.supply))
    for (const colour of colours) put(`piece ${shaped(space, colour)}`, `supply.${space}`);
  view.row.forEach((card, i) => card && put(`prophecy ${card}`, `row.${i}`));
  view.piles.forEach((pile, i) => pile.top && put(`temple ${pile.top}`, `pile.${i}`));
  view.seats.forEach((seat, s) => {
    for (const piece of seat.board) put(`piece ${piece}`, `board.${s}`);
    for (const card of seat.hand) put(`prophecy ${card}`, `hand.${s}`);
    for (const card of seat.temples) put(`temple ${card}`, `temples.${s}`);
    seat.coatls.forEach((coatl, i) => {
      for (const piece of piecesOf(coatl.pieces)) put(`piece ${piece}`, `coatl.${s}.${i}`);
      for (const card of coatl.cards ?? []) put(`prophecy ${card.card}`, `coatl.${s}.${i}`);
      if (coatl.temple) put(`temple ${coatl.temple.card}`, `coatl.${s}.${i}`);
    });
  });
  view.adam?.cards.forEach((card, i) => {
    for (const piece of card.pieces) put(`piece ${piece}`, `adam.${i}`);
  });
  return places;
}

const shaped = (space: string, colour: string): string =>
  space.startsWith("h") ? `<${colour}` : space.startsWith("t") ? `${colour}>` : colour;

function piecesOf(coatl: string): string[] {
  return coatl.match(/<?[KRBYG]>?/g) ?? [];
}
