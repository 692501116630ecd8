/** Puzzles in words: the question, who is to be beaten, and what an answer was worth. */

import { botName } from "../names";
import type { PuzzleInfo, PuzzleKind, PuzzleState, PuzzleVerdict } from "../protocol";
import { m } from "../../paraglide/messages";

const QUESTIONS: Readonly<Record<PuzzleKind, readonly [() => string, () => string]>> = {
  close: [m.puzzle_close, m.puzzle_close_text],
  cards: [m.puzzle_cards, m.puzzle_cards_text],
  win: [m.puzzle_win, m.puzzle_win_text],
  adam: [m.puzzle_adam, m.puzzle_adam_text],
};

export const questionOf = (kind: PuzzleKind): string => QUESTIONS[kind][0]();
export const questionText = (kind: PuzzleKind): string => QUESTIONS[kind][1]();

/** Who is to be beaten, and by how much they lead; empty where nobody is. */
export function rivalText({ kind, view }: PuzzleState): string {
  const mine = view.seats[0]?.points ?? 0;
  if (view.adam) return m.puzzle_rival_adam({ mine, theirs: view.adam.points });
  const theirs = Math.max(...view.seats.slice(1).map(({ points }) => points));
  return kind === "win" ? m.puzzle_rival({ mine, theirs }) : "";
}

export function verdictText({ solved, complete, wins = false, points, short, unmet = 0 }: PuzzleVerdict): string {
  if (unmet) return m.puzzle_unmet({ n: unmet });
  if (!complete) return m.puzzle_open();
  if (solved) return m.puzzle_solved({ n: points ?? 0 });
  return (wins ? m.puzzle_wins_short : m.puzzle_short)({ n: points ?? 0, short: short ?? 0 });
}

export const foundText = ({ found }: PuzzleInfo): string =>
  found.length ? m.puzzle_found({ names: found.map(botName).join(", ") }) : m.puzzle_found_none();
