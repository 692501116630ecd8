/** Why something is not allowed, by clause of the rules (src/coatl/reasons.py), in the reader's words. */

import { m } from "../paraglide/messages";

export const WHY: Readonly<Record<string, () => string>> = {
  S5: m.why_S5, S6: m.why_S6, T0: m.why_T0, T1: m.why_T1, T2: m.why_T2, P1: m.why_P1, P2: m.why_P2,
  P4: m.why_P4, A1: m.why_A1, A2: m.why_A2, A3: m.why_A3, A4: m.why_A4, A6: m.why_A6, A7: m.why_A7,
  A8: m.why_A8, A9: m.why_A9, A10: m.why_A10, K1: m.why_K1, K2: m.why_K2, K3: m.why_K3, E4: m.why_E4,
  D1: m.why_D1, D2: m.why_D2, D10: m.why_D10, R3: m.why_R3, R5: m.why_R5, R7: m.why_R7, R9: m.why_R9,
};

export function whyText(clause: string): string {
  return (WHY[clause] ?? m.error_other)();
}
