/** What an analysis tells: where its points lie on the replay's axis, and its words. */

import { piecesIn, readChance, readLine } from "./analysismoves";
import type { Axis } from "./course";
import { moveParts, percent } from "./hintwords";
import { isYou, seatName } from "./names";
import type { BetterMove, ChancePoint, JudgedTurn, Move, ReplayMove, Report, SeatGrade, TableState, TurningPoint } from "./protocol";
import { columnName } from "./replaying";
import { piecesAs, rich, type Part } from "./words";
import { m } from "../paraglide/messages";
import { getLocale } from "../paraglide/runtime";

export interface Marked { readonly x: number; readonly point: ChancePoint }

/** Each point lies where its turn ends, as a part of the width. */
export function marked(report: Report, axis: Axis): Marked[] {
  return report.course.map((point, at) => {
    const next = report.course[at + 1]?.turn ?? axis.first + axis.length;
    return { x: Math.min(1, Math.max(0, (next - axis.first) / axis.length)), point };
  });
}

/** The chances of one column in a box of 1 by 1. */
export const line = (points: readonly Marked[], column: number): string =>
  points.map(({ x, point }, at) => `${at ? "L" : "M"}${x.toFixed(4)} ${(1 - (point.chances[column] ?? 0)).toFixed(4)}`).join("");

/** The last point that a step of the replay has come to. */
export function pointAt(report: Report, moves: readonly ReplayMove[], step: number): ChancePoint | undefined {
  const [turn, next] = [moves[step - 1]?.turn ?? 0, moves[step]?.turn];
  const reached = next === turn ? turn - 1 : turn; // in the middle of a turn it is the one before
  return report.course.findLast((point) => point.turn <= reached) ?? report.course[0];
}

/** The step with which a turn of a seat ends. */
export function stepOfTurn(moves: readonly ReplayMove[], turn: number): number {
  return moves.findLastIndex((move) => move.turn === turn) + 1;
}

/** What a seat did in the turn to which a step belongs, judged. */
export function judgedAt(report: Report, moves: readonly ReplayMove[], step: number): JudgedTurn | undefined {
  const move = moves[Math.max(step - 1, 0)];
  return move && report.turns.find((judged) => judged.turn === move.turn && judged.seat === move.seat);
}

// ---------------------------------------------------------------- words

export function deedParts(report: Report, table: TableState, { turn, seat }: TurningPoint): Part[] {
  const point = report.course.find((one) => one.turn === turn && one.seat === seat);
  return rich((slot) => {
    const name = slot({ name: columnName(table, seat) });
    switch (point?.action) {
      case "take": return m.analysis_deed_take({ name, pieces: slot(piecesAs(piecesIn(point.taken ?? ""))) });
      case "choose": return m.analysis_deed_choose({ name });
      case "complete": return m.analysis_deed_complete({ name, points: (point.completed ?? []).join(" + ") });
      case "token": return m.analysis_deed_token({ name });
      case "pass": return m.analysis_deed_pass({ name });
      default: return m.analysis_deed_assemble({ name });
    }
  });
}

/** `+21` or `−9`: what a turning point changed; of a missed one what it lost. */
export function swing({ kind, change, loss }: TurningPoint): string {
  const value = Math.round(100 * (kind === "missed" ? -(loss ?? 0) : change));
  return value < 0 ? `−${-value}` : `+${value}`;
}

const asPart = (moves: readonly Move[], table: TableState): Part[] =>
  moves.flatMap((move, at) => [...(at ? [{ text: " · " }] : []), ...moveParts(move, table)]);

export const betterParts = (better: BetterMove, table: TableState): Part[] =>
  rich((slot) => m.analysis_better({ line: slot(asPart(readLine(better), table)) }));

/** Only what it begins with, where there is little room. */
export function brieflyBetter(better: BetterMove, table: TableState): Part[] {
  const [first, ...more] = readLine(better);
  const parts = first ? moveParts(first, table) : [];
  return rich((slot) => m.analysis_better({ line: slot(more.length ? [...parts, { text: " …" }] : parts) }));
}

/** The next best after the best, if anything was looked at as closely. */
export function secondParts(better: BetterMove, table: TableState): Part[] | null {
  const [other] = better.others;
  if (!other || other.chance <= better.played.chance) return null;
  return rich((slot) => m.analysis_second({ line: slot(moveParts(readChance(other), table)), chance: percent(other.chance) ?? 0 }));
}

export function byWhat(better: BetterMove, name: string): string {
  return m.analysis_by_what({ name, best: percent(better.best.chance) ?? 0, played: percent(better.played.chance) ?? 0 });
}

/** Who was ahead since when, if a single seat won and was so at last. */
export function leadText(report: Report, table: TableState): string {
  const leaders = report.course.map(({ turn, chances }) => ({ turn, seat: chances.indexOf(Math.max(...chances)) }));
  if (report.winners.length !== 1 || !leaders.length) return "";
  const [winner] = report.winners;
  const who = { name: seatName(table, winner), who: isYou(table, winner) ? "you" : "they" };
  const changes = leaders.filter((one, at) => at > 0 && one.seat !== leaders[at - 1]!.seat);
  const last = changes.at(-1);
  return last ? m.analysis_lead_since({ ...who, turn: last.turn, n: changes.length }) : m.analysis_lead_always(who);
}

export interface GradeWords { readonly name: string; readonly lost: string; readonly best: string; readonly points: string }

export function gradeWords(grade: SeatGrade, table: TableState): GradeWords {
  const { turns } = grade;
  const name = seatName(table, grade.seat);
  if (!turns) return { name, lost: m.analysis_no_choice(), best: "", points: "" };
  return {
    name,
    lost: m.analysis_of_percent({ share: tenths(100 * grade.mean_loss) }),
    best: m.analysis_best_turns({ n: Math.round(grade.best_share * turns), turns }),
    points: pointsLost(grade),
  };
}

/** With half the 95 % interval; empty if that was not estimated. */
function pointsLost({ points_lost: lost, points_margin: margin }: SeatGrade): string {
  return typeof lost === "number" && typeof margin === "number" ? `${tenths(lost)}\u00a0±\u00a0${tenths(margin)}` : "";
}

const TENTHS = { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "negative" } as const; // no -0.0

const tenths = (value: number): string => value.toLocaleString(getLocale(), TENTHS).replace("-", "−");

const DEPTH_NAMES: Readonly<Record<string, () => string>> = {
  quick: m.analysis_depth_quick, normal: m.analysis_depth_normal, deep: m.analysis_depth_deep,
};
export const depthName = (depth: string): string => (DEPTH_NAMES[depth] ?? m.analysis_depth_normal)();
