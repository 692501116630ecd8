/** Why something is not allowed, by cause (src/coatl/rules/causes.py), in the reader's words. */

import { m } from "../paraglide/messages";

/** By clause: for the clauses that have one cause only, and for a cause that this page does not know. */
export const WHY: Readonly<Record<string, () => string>> = {
  S5: m.why_S5, S6: m.why_S6, T0: m.why_T0, T1: m.why_T1, T2: m.why_T2, P1: m.why_P1, P2: m.why_P2,
  P4: m.why_P4, A1: m.why_A1, A2: m.why_A2, A3: m.why_A3, A4: m.why_A4, A6: m.why_A6, A7: m.why_A7,
  A8: m.why_A8, A9: m.why_A9, A10: m.why_A10, K1: m.why_K1, K2: m.why_K2, K3: m.why_K3, E4: m.why_E4,
  D1: m.why_D1, D2: m.why_D2, D10: m.why_D10, R3: m.why_R3, R5: m.why_R5, R7: m.why_R7, R9: m.why_R9,
};

/** By cause, where a clause has several. */
export const CAUSES: Readonly<Record<string, () => string>> = {
  "S5.first": m.why_S5_first, "S5.too_many": m.why_S5_too_many, "S5.hand": m.why_S5_hand,
  "T0.unknown": m.why_T0_unknown, "T0.picking": m.why_T0_picking, "T0.assembling": m.why_T0_assembling,
  "T0.nothing": m.why_T0_nothing, "T0.step": m.why_T0_step, "T0.undo": m.why_T0_undo,
  "P1.empty": m.why_P1_empty, "P1.none_taken": m.why_P1_none_taken, "P2.full": m.why_P2_full,
  "P2.level_2": m.why_P2_level_2, "A1.piece": m.why_A1_piece, "A1.incomplete": m.why_A1_incomplete,
  "A1.three": m.why_A1_three, "A2.piece": m.why_A2_piece, "A2.coatl": m.why_A2_coatl,
  "A3.hand": m.why_A3_hand, "A3.coatl": m.why_A3_coatl, "A3.unsatisfied": m.why_A3_unsatisfied,
  "A4.head_there": m.why_A4_head_there, "A4.tail_there": m.why_A4_tail_there,
  "A4.head_side": m.why_A4_head_side, "A4.tail_side": m.why_A4_tail_side, "A6.four": m.why_A6_four,
  "A6.identical": m.why_A6_identical, "A9.first": m.why_A9_first, "A9.prophecies": m.why_A9_prophecies,
  "A9.one_card": m.why_A9_one_card, "A9.no_completion": m.why_A9_no_completion, "A9.unmet": m.why_A9_unmet,
  "A9.pile": m.why_A9_pile, "A9.hand": m.why_A9_hand, "K2.used": m.why_K2_used,
  "K2.unfinished": m.why_K2_unfinished, "K2.hand": m.why_K2_hand, "K3.used": m.why_K3_used,
  "K3.pile": m.why_K3_pile, "D2.too_many": m.why_D2_too_many, "D2.too_few": m.why_D2_too_few,
  "D2.adam": m.why_D2_adam, "D10.level_1": m.why_D10_level_1, "D10.level_3": m.why_D10_level_3,
  "R5.possible": m.why_R5_possible, "R5.second": m.why_R5_second, "R7.end": m.why_R7_end,
  "R7.pair": m.why_R7_pair, "R9.not_four": m.why_R9_not_four, "R9.level_1": m.why_R9_level_1,
  "R9.level_4": m.why_R9_level_4, "R9.levels_1_4": m.why_R9_levels_1_4,
  "R9.levels_3_4": m.why_R9_levels_3_4, "R9.levels_1_3_4": m.why_R9_levels_1_3_4,
};

/** A refusal as one sentence, with the clause of the rules. */
export const refusalText = (reason: { readonly clause?: string | null; readonly cause?: string | null }): string =>
  reason.clause ? m.refused_rule({ text: whyText(reason), clause: reason.clause }) : m.error_other();

export function whyText(reason: { readonly clause?: string | null; readonly cause?: string | null }): string {
  return (CAUSES[reason.cause ?? ""] ?? WHY[reason.clause ?? ""] ?? m.error_other)();
}
