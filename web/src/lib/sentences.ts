/** Cards in words, made from their patterns, in the reader's language. */

import { cards } from "./cards.svelte";
import { colourName } from "./names";
import type { ProphecyInfo, TempleInfo } from "./protocol";
import { requirementOf } from "../parts/pieces";
import { m } from "../paraglide/messages";

export function prophecySentence(card: ProphecyInfo): string {
  const levels = Object.entries(card.levels).map(([times, points]) => m.level({ times: Number(times), points }));
  return `${prophecyRequirement(card.pattern)}${m.colon()}${levels.join(", ")}.`;
}

/** What it asks for, without its points. */
export function prophecyRequirement(pattern: string): string {
  if (pattern.startsWith("{")) return anywhere(pattern.slice(1, -1));
  const words = pattern.split(" ");
  const parts = words.filter((word) => !word.startsWith("!")).map(item);
  const alone = words.find((word) => word.startsWith("!"));
  const text = m.in_a_row({ pieces: parts.join(", ") });
  return alone ? m.alone({ pieces: text, colour: colourName(alone.slice(1)) }) : text;
}

function item(word: string): string {
  if (word === "*+") return m.any_pieces();
  const colour = word.startsWith("*") ? m.colour_any() : colourName(word[0] ?? "");
  return word.endsWith("+") ? m.one_or_more({ colour }) : colour;
}

function anywhere(letters: string): string {
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const parts = [...counts].map(([letter, n]) => (n > 1 ? `${n} ${colourName(letter)}` : colourName(letter)));
  return m.anywhere({ pieces: parts.join(", ") });
}

export function templeSentence(card: TempleInfo): string {
  return `${templeRequirements(card)}${m.colon()}${card.levels.map((points, at) => m.temple_level({ met: at + 1, points })).join(", ")}.`;
}

export function templeRequirements(card: TempleInfo): string {
  const words = card.requirements.map(requirementWords).join("; ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function requirementWords(text: string): string {
  const requirement = requirementOf(text);
  if (requirement.kind === "length") return m.exactly({ n: requirement.pieces });
  if (requirement.kind === "equal") {
    const [a, b] = requirement.colours;
    return m.as_many({ a: colourName(a), b: colourName(b) });
  }
  const colour = colourName(requirement.colour);
  return requirement.kind === "none" ? m.none_of({ colour }) : m.no_card_of({ colour });
}

/** What each level of a card brings: "1× 2 points, 2× 5 points". */
export function levelWords(card: ProphecyInfo): string {
  return Object.entries(card.levels).map(([times, points]) => m.level_points({ times: Number(times), points })).join(", ");
}

export function templeLevelWords(card: TempleInfo): string {
  return card.levels.map((points, at) => m.temple_points({ met: at + 1, points })).join(", ");
}

/** Any card by its name. */
export function cardSentence(name: string): string {
  const [prophecy, temple] = [cards.prophecies.get(name), cards.temples.get(name)];
  return prophecy ? prophecySentence(prophecy) : temple ? templeSentence(temple) : name;
}
