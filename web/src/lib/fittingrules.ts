/** Which clauses of the rules fit what is going on at a table, by the phase that the view names. */

import type { ViewData } from "./protocol";

const CLAUSES: Readonly<Record<string, readonly string[]>> = {
  setup: ["S5", "R13", "P4"],
  main: ["T0", "T1", "P1", "A1", "A3"],
  pick: ["P1", "P2", "P3"],
  future: ["K2", "R6"],
  assemble: ["A1", "A2", "A3", "A4", "A6", "A8"],
  fulfil: ["A9", "A6", "Q8"],
  temple: ["A9", "R8", "Q7"],
  adam: ["adam-turn"],
  over: ["F1", "F2", "F3"],
};
const SOLO: Readonly<Record<string, readonly string[]>> = { setup: ["D2"], main: ["T0", "T1", "P1", "A1", "D8"], over: ["D9", "F1"] };
const LAST: readonly string[] = ["E2", "E3", "R14"];

export function fittingRules(view: ViewData, isLast: boolean): readonly string[] {
  const clauses = (view.adam && SOLO[view.phase]) || CLAUSES[view.phase] || ["T0"];
  return isLast && view.phase !== "over" ? [...LAST, ...clauses] : clauses;
}
