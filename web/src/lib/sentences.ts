/** Cards in words, made from their patterns, in the reader's language. */

import { cards } from "./cards.svelte";
import type { ProphecyInfo, TempleInfo } from "./protocol";
import { COLOURS, levelsOf, patternOf, requirementOf, type Cell, type Colour } from "../parts/pieces";
import { m } from "../paraglide/messages";

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "3 black pieces anywhere: 2 points; 4: 3 points; …" */
export function prophecySentence(card: ProphecyInfo): string {
  const [[times, points] = [1, 0], ...more] = levelsOf(card.levels);
  const colour = countedColour(card.pattern);
  const asked = colour ? capital(m.anywhere({ pieces: m.pieces_of_colour({ n: times, colour }) })) : prophecyRequirement(card.pattern);
  const levels = more.map(([n, worth], at) => (at + 1 < more.length ? m.level_next : m.level_last)({ n, worth: m.card_points({ points: worth }) }));
  return `${asked}${m.colon()}${[m.card_points({ points }), ...levels].join(m.semicolon())}.`;
}

/** The colour of a card that counts the pieces of one colour: `{K}`. */
const countedColour = (pattern: string): Colour | undefined => COLOURS.find((colour) => pattern === `{${colour}}`);

/** What it asks for, without its points. */
export function prophecyRequirement(pattern: string): string {
  const colour = countedColour(pattern);
  if (colour) return capital(m.anywhere_of_colour({ colour }));
  const shape = patternOf(pattern);
  if (shape.kind === "any") return capital(m.anywhere({ pieces: amountsInWords(shape.amounts) }));
  const inside = shape.cells.filter((cell) => !cell.crossed);
  const first = inside[0]?.colour;
  if (inside.length < shape.cells.length && first && first !== "W") return capital(m.lone_pair({ colour: first }));
  const text = inARow(inside);
  const words = pattern.split(" ");
  const isMirrored = words.join() === [...words].reverse().join();
  return capital(isMirrored ? text : m.from_head({ pieces: text }));
}

/** Pieces that stand side by side: a sequence of colours, or how many there are of each. */
function inARow(cells: readonly Cell[]): string {
  const parts = stretches(cells);
  const text = parts.map(stretchWords).reduce((pieces, next) => m.list_then({ pieces, next }));
  return parts.some((part) => "sequence" in part) ? text : m.in_a_row({ pieces: text });
}

type Stretch =
  | { readonly sequence: readonly Colour[] } // one piece each of several colours
  | { readonly colour: Colour; readonly n: number }
  | { readonly many: Colour | "W" }; // one or more; W: of any colours

function stretches(cells: readonly Cell[]): Stretch[] {
  const found: Stretch[] = [];
  for (const { colour, repeat } of cells) {
    const last = found.at(-1);
    if (repeat || colour === "W") found.push({ many: colour });
    else if (last && "n" in last && last.colour === colour) found.splice(-1, 1, { colour, n: last.n + 1 });
    else found.push({ colour, n: 1 });
  }
  return found.reduce<Stretch[]>(joinSingles, []);
}

/** Single pieces of different colours that follow each other make a sequence. */
function joinSingles(found: Stretch[], next: Stretch): Stretch[] {
  const last = found.at(-1);
  if (last && "n" in next && next.n === 1) {
    if ("sequence" in last) return [...found.slice(0, -1), { sequence: [...last.sequence, next.colour] }];
    if ("n" in last && last.n === 1) return [...found.slice(0, -1), { sequence: [last.colour, next.colour] }];
  }
  return [...found, next];
}

function stretchWords(part: Stretch, at: number): string {
  if ("sequence" in part) return m.sequence({ colours: part.sequence.map((colour) => m.colour_name({ colour })).join("-") });
  if ("n" in part) return (at ? m.more_of_colour : m.pieces_of_colour)(part);
  return part.many === "W" ? m.any_pieces() : m.one_or_more({ colour: part.many });
}

/** "2 black pieces and a red one" */
export function amountsInWords(amounts: readonly (readonly [Colour, number])[]): string {
  const parts = amounts.map(([colour, n], at) => (at ? m.more_of_colour : m.pieces_of_colour)({ colour, n }));
  const last = parts.pop() ?? "";
  return parts.length ? m.list_and({ pieces: parts.join(", "), next: last }) : last;
}

export function templeSentence(card: TempleInfo): string {
  return `${templeRequirements(card)}. ${templeLevelWords(card)}.`;
}

export function templeRequirements(card: TempleInfo): string {
  return capital(card.requirements.map(requirementWords).join(m.semicolon()));
}

export function requirementWords(text: string): string {
  const asked = requirementOf(text);
  switch (asked.kind) {
    case "none": return m.none_of({ colour: asked.colour });
    case "noCard": return m.no_card_of({ colour: asked.colour });
    case "length": return m.exactly({ n: asked.pieces });
    case "equal": {
      const [a, b] = asked.colours;
      return m.as_many({ first: m.as_many_first({ colour: a }), second: m.as_many_second({ colour: b }) });
    }
  }
}

/** What each level of a card brings: "1×: 2 points, 2×: 5 points". */
export function levelWords(card: ProphecyInfo): string {
  return levelsOf(card.levels).map(([times, points]) => m.level_points({ times, points })).join(", ");
}

export function templeLevelWords(card: TempleInfo): string {
  return card.levels.map((points, at) => m.temple_level({ met: at + 1, worth: m.card_points({ points }) })).join(m.semicolon());
}

/** Any card by its name. */
export function cardSentence(name: string): string {
  const [prophecy, temple] = [cards.prophecies.get(name), cards.temples.get(name)];
  return prophecy ? prophecySentence(prophecy) : temple ? templeSentence(temple) : name;
}

/** What any card asks for, without its points. */
export function cardRequirement(name: string): string {
  const [prophecy, temple] = [cards.prophecies.get(name), cards.temples.get(name)];
  return prophecy ? prophecyRequirement(prophecy.pattern) : temple ? templeRequirements(temple) : name;
}
