/** The options of a game against bots, in words. */

import type { Choice } from "./lastchoice";
import { m } from "../paraglide/messages";

/** "With Sacrifice tokens, promo cards."; empty for the base game. */
export function optionsText({ tokens, promo, fewerBodies }: Pick<Choice, "tokens" | "promo" | "fewerBodies">): string {
  const names = [tokens && m.option_tokens(), promo && m.option_promo(), fewerBodies && m.option_fewer()].filter((name) => name !== false);
  return names.length ? m.opponents_with({ options: names.join(", ") }) : "";
}
