/** The outlines of what a lesson points at, in px of the window: a space of the stone is a wedge, a card is stepped. */

import { WELLS } from "../../parts/disc";
import type { Box } from "../popplace";

export interface Shape {
  readonly d: string;
  /** of a drawing with units of its own: how it comes to lie in the window */
  readonly transform: string | undefined;
  readonly box: Box;
}

const STONE = 400; // units of the stone's drawing
const CARD = 112; // units of a card's width, of which a step takes 5
const STEP = 5;
const ROOM = 3; // px around what is no card
const CARD_ROOM = 4;

/** A box with two steps of `q` at each corner. */
export function steppedPath({ left, top, width, height }: Box, q: number): string {
  const across = width - 4 * q;
  const down = height - 4 * q;
  return `M${left + 2 * q} ${top}h${across}v${q}h${q}v${q}h${q}v${down}h${-q}v${q}h${-q}v${q}h${-across}v${-q}h${-q}v${-q}h${-q}v${-down}h${q}v${-q}h${q}Z`;
}

/** The roofline of a Temple card: how far in from the side, and how far down, in sevenths of a card's unit. */
const ROOF = [[0, 3.2], [1.6, 3.2], [1.6, 2.1], [3.2, 2.1], [3.2, 1], [4.8, 1], [4.8, 0]] as const;
const ROOF_UNIT = 7;

export function templePath({ left, top, width, height }: Box): string {
  const z = (width / CARD) * ROOF_UNIT;
  const rise = ROOF.map(([x, y]) => [left + x * z, top + y * z] as const);
  const fall = ROOF.map(([x, y]) => [left + width - x * z, top + y * z] as const).reverse();
  const feet = [[left + width, top + height], [left, top + height]] as const;
  return `M${[...rise, ...fall, ...feet].map(([x, y]) => `${x} ${y}`).join("L")}Z`;
}

export function roundedPath({ left, top, width, height }: Box, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  const arc = (x: number, y: number) => `a${r} ${r} 0 0 1 ${x} ${y}`;
  return `M${left + r} ${top}h${width - 2 * r}${arc(r, r)}v${height - 2 * r}${arc(-r, r)}h${2 * r - width}${arc(-r, -r)}v${2 * r - height}${arc(r, -r)}Z`;
}

const grown = ({ left, top, width, height }: Box, by: number): Box => ({ left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by });

function boxOn(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

export function shapeOf(element: HTMLElement): Shape {
  const box = boxOn(element);
  const well = WELLS.find(({ space }) => space === element.dataset["space"]);
  const stone = well && element.closest(".disc");
  if (stone) {
    const { left, top, width } = boxOn(stone);
    return { d: well.outline, transform: `translate(${left} ${top}) scale(${width / STONE})`, box };
  }
  if (element.matches(".card")) {
    const room = grown(box, CARD_ROOM);
    const d = element.matches(".temple") ? templePath(room) : steppedPath(room, (room.width / CARD) * STEP);
    return { d, transform: undefined, box: room };
  }
  const room = grown(box, ROOM);
  const radius = Number.parseFloat(getComputedStyle(element).borderTopLeftRadius) || 0;
  return { d: roundedPath(room, radius + ROOM), transform: undefined, box: room };
}
