/**
 * Ghosts of pieces and cards that fly from where they were to where they are now. A ghost is a copy of
 * what lies at the end of the way (or at its start, where it leaves the table). The page tells only
 * where places are: `data-place="board.0"`, and `data-name` of a card that lies there with others.
 */

import { isAdams, isAt, placeKey } from "../places";
import type { GameEvent, Spot } from "../protocol";
import { settings } from "../settings.svelte";
import { inPx } from "../units.svelte";
import type { Flight } from "./flights";
import type { Stage } from "./playback.svelte";

const MOVE = 320;
const SLOW = 560;
const FADE = 120;
const LIFT = 6;
const EASE = "cubic-bezier(.2,.7,.2,1)";
const CARDS = ".card, .chip, .flagb, .flag";

interface ScreenSpot {
  readonly element: Element;
  readonly rect: DOMRect;
  readonly isThing: boolean; // else only the place, with nothing to copy
  readonly height: number; // of the drawing, without its turning
}

interface Start extends ScreenSpot {
  readonly copy: Element | null;
}

const isSeen = (rect: DOMRect): boolean =>
  rect.width > 0 && rect.bottom > 0 && rect.top < innerHeight && rect.right > 0 && rect.left < innerWidth;

export class DomStage implements Stage {
  private readonly ghosts = new Set<() => void>();

  constructor(
    private readonly layer: HTMLElement,
    private readonly root: ParentNode = document,
  ) {}

  prepare(flights: readonly Flight[], events: readonly GameEvent[]): () => void {
    this.clear();
    const starts = this.spots(flights, "from").map(startOf);
    const serpents = settings.isStill ? [] : this.serpents(flights);
    return () => {
      const ends = this.spots(flights, "to");
      flights.forEach((flight, i) => this.fly(flight, starts[i], ends[i]));
      serpents.forEach((slither) => slither());
      for (const { kind, target } of events) if (kind === "coatl" && target) this.light(target);
    };
  }

  /** No ghost outlives the picture it belongs to. */
  clear(): void {
    for (const end of [...this.ghosts]) end();
  }

  private place(place: Spot): Element | undefined {
    const isSized = (element: Element) => element.getBoundingClientRect().width > 0;
    // the last one: a sheet lies over the table
    const key = CSS.escape(placeKey(place));
    const found = [...this.root.querySelectorAll(`[data-place="${key}"]`)].findLast(isSized);
    if (found) return found;
    // where an opponent's things are not shown their score stands for them
    const owner = isAdams(place) ? "adam" : (place.seat ?? "");
    const pill = this.root.querySelector(`[data-pill="${owner}"]`);
    return pill && isSized(pill) ? pill : undefined;
  }

  /** What lies at one end of each way; no thing is used twice. */
  private spots(flights: readonly Flight[], end: "from" | "to"): (ScreenSpot | undefined)[] {
    const used = new Set<Element>();
    return flights.map((flight) => {
      const place = this.place(flight[end]);
      if (!place) return undefined;
      const free = thingsIn(place, flight, end).filter((thing) => !used.has(thing));
      const thing = end === "from" ? free[0] : free.at(-1);
      if (thing) used.add(thing);
      return spotOf(thing ?? place, thing !== undefined);
    });
  }

  private fly(flight: Flight, start: Start | undefined, end: ScreenSpot | undefined): void {
    if (!end) return;
    if (settings.isStill || !start || !isSeen(start.rect) || !isSeen(end.rect)) {
      if (end.isThing) end.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
      return;
    }
    const arrives = end.isThing;
    const model = arrives ? end.element.cloneNode(true) : start.copy;
    if (!(model instanceof Element)) return;
    const [here, there] = arrives ? [end, start] : [start, end];
    const ghost = ghostOf(model, here);
    this.layer.append(ghost);
    const away = wayFrom(here, there);
    const half = `translate(${away.x / 2}px, ${away.y / 2 - inPx(LIFT)}px) scale(${(1 + away.scale) / 2})`;
    const far = { transform: `translate(${away.x}px, ${away.y}px) scale(${away.scale})`, opacity: arrives && start.isThing ? 1 : 0.2 };
    const path = [far, { transform: half, opacity: 1 }, { transform: "none", opacity: 1 }];
    const frames = arrives ? path : path.reverse();
    const moving = ghost.animate(frames, { duration: MOVE, delay: flight.delay, easing: EASE, fill: "both" });
    this.whileMoving(moving, ghost, arrives ? end.element : null);
  }

  private whileMoving(moving: Animation, ghost: Element, hidden: Element | null): void {
    const style = hidden instanceof HTMLElement || hidden instanceof SVGElement ? hidden.style : null;
    style?.setProperty("visibility", "hidden");
    const end = () => {
      if (!this.ghosts.delete(end)) return;
      style?.removeProperty("visibility");
      moving.cancel();
      ghost.remove();
    };
    this.ghosts.add(end);
    moving.onfinish = end;
  }

  /** A serpent that grows moves its pieces along, by one where the new one joins on the left. */
  private serpents(flights: readonly Flight[]): (() => void)[] {
    const grown = flights.filter((flight) => flight.kind === "piece" && isAt(flight.to, "coatl"));
    return grown.map((flight) => {
      const place = this.place(flight.to);
      const old = this.serpent(flight.to).map((piece) => piece.getBoundingClientRect());
      return () => {
        if (this.place(flight.to) !== place) return; // a sheet opened or closed
        const now = this.serpent(flight.to);
        const shift = flight.at === 0 ? now.length - old.length : 0;
        old.forEach((rect, i) => {
          const piece = now[i + shift];
          if (piece) slide(piece, rect);
        });
      };
    });
  }

  private serpent(place: Spot): Element[] {
    return [...(this.place(place)?.querySelectorAll(".serp .pieces > .pc") ?? [])];
  }

  /** A Cóatl is complete: a light runs from head to tail. */
  private light(place: Spot): void {
    if (settings.isStill) return;
    const frames = [{ filter: "brightness(1)" }, { filter: "brightness(1.7)" }, { filter: "brightness(1)" }];
    this.serpent(place).forEach((piece, i) => piece.animate(frames, { duration: SLOW / 2, delay: MOVE + 30 * i }));
  }
}

function spotOf(element: Element, isThing: boolean): ScreenSpot {
  const rect = element.getBoundingClientRect();
  const drawn = Number.parseFloat(getComputedStyle(element).height);
  return { element, rect, isThing, height: element.matches(".pc") && drawn ? drawn : rect.height };
}

function startOf(spot: ScreenSpot | undefined): Start | undefined {
  return spot && { ...spot, copy: spot.isThing ? (spot.element.cloneNode(true) as Element) : null };
}

function thingsIn(place: Element, flight: Flight, end: "from" | "to"): Element[] {
  if (flight.kind !== "piece") {
    if (place.matches(CARDS)) return [place];
    return flight.what ? [...place.querySelectorAll(`[data-name="${CSS.escape(flight.what)}"]`)] : [];
  }
  const pieces = [...place.querySelectorAll(".pc")].filter((piece) => !piece.closest(CARDS));
  if (end === "to" && flight.at === 0) return pieces.slice(0, 1);
  const symbol = flight.what === null ? "" : symbolOf(flight.what);
  return pieces.filter((piece) => piece.querySelector("use")?.getAttribute("href") === symbol);
}

/** `<K` is drawn by the symbol `head-K`. */
function symbolOf(piece: string): string {
  const kind = piece.startsWith("<") ? "head" : piece.endsWith(">") ? "tail" : "body";
  return `#${kind}-${piece.replace(/[<>]/g, "")}`;
}

/** A copy that can be neither touched nor read, with its centre where the spot's is. */
function ghostOf(model: Element, spot: ScreenSpot): HTMLElement {
  const ghost = document.createElement("div");
  ghost.className = "flying";
  ghost.style.left = `${spot.rect.left + spot.rect.width / 2}px`;
  ghost.style.top = `${spot.rect.top + spot.rect.height / 2}px`;
  for (const element of [model, ...model.querySelectorAll("*")])
    for (const { name } of [...element.attributes])
      if (/^(data-|aria-|id$|role$|tabindex$|title$)/.test(name)) element.removeAttribute(name);
  ghost.append(model);
  return ghost;
}

function wayFrom(here: ScreenSpot, there: ScreenSpot): { x: number; y: number; scale: number } {
  const centre = ({ rect }: ScreenSpot) => [rect.left + rect.width / 2, rect.top + rect.height / 2] as const;
  const [[x0, y0], [x1, y1]] = [centre(here), centre(there)];
  const ratio = there.height / Math.max(here.height, 1);
  return { x: x1 - x0, y: y1 - y0, scale: there.isThing ? ratio : Math.max(0.35, Math.min(1, ratio)) };
}

function slide(piece: Element, from: DOMRect): void {
  const to = piece.getBoundingClientRect();
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top - to.top];
  if (Math.abs(x) + Math.abs(y) < 1) return;
  piece.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: MOVE, easing: EASE });
}
