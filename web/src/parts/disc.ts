/** The geometry of the supply stone, in a square of 400 units. Angles in degrees, 0 = 3 o'clock. */
import { SPACES, type Space } from "../lib/supply";
import type { Kind } from "./pieces";

export interface Well {
  readonly space: Space;
  readonly kind: Kind;
  /** the number A.D.A.M. goes by (R10) */
  readonly number: number;
  /** the sunk area, a sector of the ring */
  readonly outline: string;
  /** a little larger than the outline, for the focus */
  readonly ring: string;
  /** where its pieces are centred, and how they are turned */
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  /** the two pieces stand one above the other */
  readonly upright: boolean;
  /** the height of its pieces, and of the engraved outline when it is empty */
  readonly height: number;
  readonly hollow: number;
  /** where its number stands */
  readonly at: readonly [number, number];
  readonly hit: HitArea;
}

/** A box in per cent of the stone, and a polygon in per cent of the box. They tile the stone. */
export interface HitArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly clip: string;
}

type Point = readonly [number, number];

function polar(r: number, angle: number): Point {
  const a = (angle * Math.PI) / 180;
  return [200 + r * Math.cos(a), 200 + r * Math.sin(a)];
}

/** A sector of a ring with rounded corners. */
export function sector(r0: number, r1: number, centre: number, span: number): string {
  const corner = 7;
  const [g0, g1] = [(corner / r0) * 57.3, (corner / r1) * 57.3];
  const [a, b] = [centre - span / 2, centre + span / 2];
  const p = (r: number, angle: number) =>
    polar(r, angle)
      .map((v) => v.toFixed(1))
      .join(" ");
  return (
    `M${p(r1, a + g1)}A${r1} ${r1} 0 0 1 ${p(r1, b - g1)}Q${p(r1, b)} ${p(r1 - corner, b)}` +
    `L${p(r0 + corner, b)}Q${p(r0, b)} ${p(r0, b - g0)}A${r0} ${r0} 0 0 0 ${p(r0, a + g0)}` +
    `Q${p(r0, a)} ${p(r0 + corner, a)}L${p(r1 - corner, a)}Q${p(r1, a)} ${p(r1, a + g1)}Z`
  );
}

function hitArea(r0: number, r1: number, centre: number, span: number): HitArea {
  const steps = Array.from({ length: 11 }, (_, i) => centre - span / 2 + (span * i) / 10);
  const points = [...steps.map((a) => polar(r1, a)), ...steps.reverse().map((a) => polar(r0, a))];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const percent = (v: number) => `${(v * 100).toFixed(1)}%`;
  const corners = points.map(
    ([x, y]) => `${percent((x - left) / width)} ${percent((y - top) / height)}`,
  );
  return {
    left: left / 4,
    top: top / 4,
    width: width / 4,
    height: height / 4,
    clip: `polygon(${corners.join(",")})`,
  };
}

const OUTER = [-120, -60, 0, 60, 120, 180];
const TURNS = [-30, 30, 0, -30, 30, 0];

function outer(angle: number, i: number): Omit<Well, "space" | "number"> {
  const [x, y] = polar(141, angle);
  const upright = angle % 180 === 0;
  const height = upright ? 58 : 60;
  return {
    kind: "b",
    outline: sector(107, 175, angle, 56),
    ring: sector(103, 179, angle, 59),
    ...{ x, y, turn: TURNS[i] ?? 0, upright, height, hollow: height * 0.8 },
    at: polar(187, angle),
    hit: hitArea(103, 191, angle, 60),
  };
}

function inner(kind: Kind, angle: number, number: number): Omit<Well, "space" | "number"> {
  return {
    kind,
    outline: sector(33, 96, angle, 83),
    ring: sector(29, 100, angle, 88),
    x: kind === "h" ? 151 : 250,
    y: angle < 0 ? 158 : 247,
    ...{ turn: 0, upright: false, height: 49, hollow: 42 },
    at: polar(101, number),
    hit: hitArea(24, 103, angle, 90),
  };
}

/** In the order of their numbers. */
export const WELLS: readonly Well[] = [
  ...OUTER.map(outer),
  inner("h", -135, -167),
  inner("h", 135, 167),
  inner("t", -45, -13),
  inner("t", 45, 13),
].map((well, i) => ({ ...well, space: SPACES[i] as Space, number: i + 1 }));
