/** Cards in words, made from their patterns, in the reader's language. */

import { cards } from "./cards.svelte";
import { colourName } from "./names";
import type { ProphecyInfo, TempleInfo } from "./protocol";
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
  const equal = /^([KRBYG])=([KRBYG])$/.exec(text);
  if (equal) return m.as_many({ a: colourName(equal[1] ?? ""), b: colourName(equal[2] ?? "") });
  if (/^\d+$/.test(text)) return m.exactly({ n: Number(text) });
  const none = /^no([KRBYG])$/.exec(text);
  if (none) return m.none_of({ colour: colourName(none[1] ?? "") });
  const letters: Record<string, string> = { black: "K", red: "R", blue: "B", yellow: "Y", green: "G" };
  return m.no_card_of({ colour: colourName(letters[text.slice(2)] ?? "") });
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
