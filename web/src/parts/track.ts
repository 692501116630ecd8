/** The score track (C6): 50 spaces in two rows of 25, there and back. */

export const LAP = 50;
export const SPACES = Array.from({ length: LAP }, (_, i) => i + 1);

/** Row and column of a space, counted from 1. */
export function place(space: number): { row: number; column: number } {
  return space <= 25 ? { row: 1, column: space } : { row: 2, column: 51 - space };
}

/** Where so many points stand: 0 is before the first space; past 50 it goes on from 1. */
export function standing(points: number): { space: number; beside: number } {
  if (points <= 0) return { space: 0, beside: 0 };
  const laps = Math.floor((points - 1) / LAP);
  return { space: points - laps * LAP, beside: laps * LAP };
}
