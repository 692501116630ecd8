/** Cards read aloud: what they ask for, their points, and how the Cóatl stand to them, as the view tells it. */

import { cards } from "../cards.svelte";
import { prophecyProgress, templeProgress } from "../progress";
import type { CardProgress, CoatlView, SeatView, TempleProgress } from "../protocol";
import { capital, cardSentence, requirementWords } from "../sentences";
import { colourOf, COLOURS, type Colour } from "../../parts/pieces";
import { m } from "../../paraglide/messages";
import { segmentColour } from "./coatl";
import { clauses, headed, sentences } from "./joined";

/** "A red-green sequence, from head to tail: 5 points. Green card." and what else is to be said. */
export function spokenCard(name: string, ...more: readonly string[]): string {
  const prophecy = cards.prophecies.get(name);
  const colour = prophecy && capital(m.card_of_colour({ colour: colourOf(prophecy.colour) }));
  return sentences(cardSentence(name), colour, ...more.map(capital));
}

/** A card against every open Cóatl of a seat. */
export function spokenCardFor(own: SeatView | undefined, name: string, ...more: readonly string[]): string {
  return spokenCard(name, ...standings(own, name), ...more);
}

/** "Cóatl 1: not met yet; for 5 points lacks green on the right", one for each open Cóatl. */
function standings(own: SeatView | undefined, name: string): string[] {
  const on = (coatl: number, words: string) => headed(m.coatl_number({ number: coatl + 1 }), words);
  const isOpen = ({ coatl }: { readonly coatl: number }) => !own?.coatls[coatl]?.complete;
  return [
    ...prophecyProgress(own, name).filter(isOpen).map(({ coatl, progress }) => on(coatl, prophecyStanding(progress))),
    ...templeProgress(own, name).filter(isOpen).map(({ coatl, progress }) => on(coatl, templeStanding(progress))),
  ];
}

/** A Prophecy card that lies on a Cóatl, or is held against it. */
export function spokenOn(progress: CardProgress, ...more: readonly string[]): string {
  return spokenCard(progress.card, prophecyStanding(progress), ...more);
}

/** The same for a Temple card. */
export function spokenTempleOn(progress: TempleProgress, ...more: readonly string[]): string {
  return spokenCard(progress.card, templeStanding(progress), ...more);
}

/** Any card that lies on a Cóatl, by its name; one on a complete Cóatl stays as it is. */
export function spokenLaid(coatl: CoatlView, name: string): string {
  const prophecy = coatl.cards?.find(({ card }) => card === name);
  const laid = prophecy ?? (coatl.temple?.card === name ? coatl.temple : undefined);
  if (!laid) return spokenCard(name);
  if (coatl.complete) return spokenCard(name, m.card_points({ points: laid.points }));
  return prophecy ? spokenOn(prophecy) : spokenCard(name, templeStanding(laid as TempleProgress));
}

export function prophecyStanding({ points, next_points: next, lacks }: CardProgress): string {
  const now = points ? m.worth_now({ points }) : m.not_met();
  if (typeof next !== "number") return now;
  return lacks ? clauses(now, m.lacks_for({ points: next, what: missing(lacks) })) : sentences(now, m.no_next_level());
}

/** "red, green on the left and blue on the right": in the order in which they would lie. */
function missing([left, right]: readonly [string, string]): string {
  const colours = (text: string) => [...text].filter((letter): letter is Colour => COLOURS.includes(letter as Colour)).map(segmentColour).join(", ");
  const [atLeft, atRight] = [colours(left), colours(right)];
  if (!atRight) return m.lacks_left({ pieces: atLeft });
  const onTheRight = m.lacks_right({ pieces: atRight });
  return atLeft ? m.list_and({ pieces: m.lacks_left({ pieces: atLeft }), next: onTheRight }) : onTheRight;
}

export function templeStanding({ card, met, points }: TempleProgress): string {
  const asked = cards.temples.get(card)?.requirements ?? [];
  const unmet = asked.filter((_, at) => !met[at]).map(requirementWords);
  const now = points ? m.worth_now({ points }) : m.not_met();
  return clauses(now, points > 0 && unmet.length > 0 && m.unmet({ list: unmet.join(", ") }));
}
