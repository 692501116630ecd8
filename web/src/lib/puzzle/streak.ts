/** Days on which the puzzle was solved, one after another. Days are dates in UTC, as the server names them. */

export const WEEK = 7;

/** The date so many days later, or (negative) earlier. */
export function shiftDay(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}

/** How many days in a row: up to today, or to yesterday while today's puzzle is not solved. */
export function daysInRow(solved: ReadonlySet<string>, today: string): number {
  let day = solved.has(today) ? today : shiftDay(today, -1);
  let count = 0;
  for (; solved.has(day); day = shiftDay(day, -1)) count += 1;
  return count;
}

export interface Day {
  readonly day: string;
  readonly solved: boolean;
}

/** The last seven days, today last. */
export const lastDays = (solved: ReadonlySet<string>, today: string): Day[] =>
  Array.from({ length: WEEK }, (_, at) => shiftDay(today, at - WEEK + 1)).map((day) => ({ day, solved: solved.has(day) }));
