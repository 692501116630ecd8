/** What travels between two pictures of the table, as plain data. */

import { isAt, isSame } from "../places";
import type { GameEvent, Spot, ViewData } from "../protocol";
import { pieceIn } from "../supply";

export interface Flight {
  readonly kind: "piece" | "prophecy" | "temple";
  readonly what: string | null; // null: hidden
  readonly from: Spot;
  readonly to: Spot;
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

function fromEvents(events: readonly GameEvent[]): Flight[] {
  const found: Flight[] = [];
  for (const event of events) {
    const { kind, source: from, target: to } = event;
    if ((kind !== "piece" && kind !== "prophecy" && kind !== "temple") || !from || !to) continue;
    const at = kind === "piece" && isAt(to, "coatl") ? (event.at ?? 0) : null;
    const flight: Flight = { kind, what: event.piece ?? event.card ?? null, from, to, at, delay: 0 };
    const leadsHere = (one: Flight) => isSame(one.to, from) && !isSame(one.from, one.to);
    const earlier = found.findLastIndex((one) => one.kind === kind && one.what === flight.what && leadsHere(one));
    const way = found[earlier];
    if (way) found[earlier] = { ...flight, from: way.from, delay: way.delay };
    else found.push(flight);
  }
  return staggered(found.filter((flight) => !isSame(flight.from, flight.to) || flight.kind === "temple"));
}

/** What falls from the bags and the deck comes one after another. */
function staggered(flights: readonly Flight[]): Flight[] {
  let refill = 0;
  return flights.map((flight) => {
    const { from, to } = flight;
    const falls = (isAt(from, "bag") && isAt(to, "supply")) || (isAt(from, "deck") && isAt(to, "row"));
    return falls ? { ...flight, delay: STAGGER * (refill += 1) } : flight;
  });
}

/** A piece or a card, and its places, one for each of those alike. */
interface Alike {
  readonly kind: Flight["kind"];
  readonly what: string;
  readonly places: Spot[];
}

function fromViews(before: ViewData, after: ViewData): Flight[] {
  const now = thingsOn(after);
  const flights: Flight[] = [];
  for (const [key, { kind, what, places }] of thingsOn(before)) {
    const come = [...(now.get(key)?.places ?? [])];
    const left = places.filter((place) => {
      const at = come.findIndex((one) => isSame(one, place));
      if (at >= 0) come.splice(at, 1);
      return at < 0;
    });
    for (const [i, from] of left.entries()) {
      const to = come[i];
      if (to) flights.push({ kind, what, from, to, at: null, delay: 0 });
    }
  }
  return flights;
}

function thingsOn(view: ViewData): Map<string, Alike> {
  const things = new Map<string, Alike>();
  const put = (kind: Alike["kind"], what: string, place: Spot) => {
    const alike = things.get(`${kind} ${what}`);
    if (alike) alike.places.push(place);
    else things.set(`${kind} ${what}`, { kind, what, places: [place] });
  };
  for (const [space, colours] of Object.entries(view.supply))
    for (const colour of colours) put("piece", pieceIn(space, colour), { kind: "supply", space });
  view.row.forEach((card, at) => card && put("prophecy", card, { kind: "row", at }));
  view.piles.forEach((pile, at) => pile.top && put("temple", pile.top, { kind: "pile", at }));
  view.seats.forEach((own, seat) => {
    for (const piece of own.board) put("piece", piece, { kind: "board", seat });
    for (const card of own.hand) put("prophecy", card, { kind: "hand", seat });
    for (const card of own.temples) put("temple", card, { kind: "temples", seat });
    own.coatls.forEach((coatl, at) => {
      const place: Spot = { kind: "coatl", seat, at };
      for (const piece of piecesOf(coatl.pieces)) put("piece", piece, place);
      for (const card of coatl.cards ?? []) put("prophecy", card.card, place);
      if (coatl.temple) put("temple", coatl.temple.card, place);
    });
  });
  view.adam?.cards.forEach((card, at) => {
    for (const piece of card.pieces) put("piece", piece, { kind: "adam_card", at });
  });
  return things;
}

function piecesOf(coatl: string): string[] {
  return coatl.match(/<?[KRBYG]>?/g) ?? [];
}
