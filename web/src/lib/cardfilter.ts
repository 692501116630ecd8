/** Which cards are shown: by card colour, colours they ask for, number of pieces, best points, and words. */

import type { ProphecyInfo, TempleInfo } from "./protocol";
import { colourOf, levelsOf, patternOf, requirementOf, type CardColour, type Colour } from "../parts/pieces";
import { hasWords, wordsIn } from "./wordsearch";

export interface CardFilter {
  /** of the cards; none: all */
  readonly colours: readonly CardColour[];
  /** all of them have to be asked for */
  readonly needs: readonly Colour[];
  readonly pieces: number | null;
  readonly best: number | null;
  readonly promo: boolean;
  readonly query: string;
}

export const EVERY_CARD: CardFilter = { colours: [], needs: [], pieces: null, best: null, promo: true, query: "" };

/** What a card is like, for the filters. */
export interface CardTraits {
  readonly name: string;
  readonly colour: CardColour;
  /** colours that it asks for */
  readonly needs: readonly Colour[];
  /** pieces in its pattern; null: a Temple card has none */
  readonly pieces: number | null;
  /** points at its highest level */
  readonly best: number;
  readonly promo: boolean;
}

export function prophecyTraits(card: ProphecyInfo): CardTraits {
  const shape = patternOf(card.pattern);
  const asked = shape.kind === "any" ? shape.amounts : shape.cells.filter((cell) => !cell.crossed).map((cell) => [cell.colour, 1] as const);
  return {
    name: card.name,
    colour: colourOf(card.colour),
    needs: [...new Set(asked.map(([colour]) => colour))].filter((colour): colour is Colour => colour !== "W"),
    pieces: asked.reduce((sum, [, n]) => sum + n, 0),
    best: levelsOf(card.levels).at(-1)?.[1] ?? 0,
    promo: card.promo,
  };
}

export function templeTraits(card: TempleInfo): CardTraits {
  const needs = card.requirements.map(requirementOf).flatMap((asked) => (asked.kind === "equal" ? asked.colours : []));
  return { name: card.name, colour: "T", needs: [...new Set(needs)], pieces: null, best: card.levels.at(-1) ?? 0, promo: card.promo };
}

/** The text is what the query is searched in. */
export function isShown(card: CardTraits, filter: CardFilter, text: string): boolean {
  return (
    (filter.promo || !card.promo) &&
    (!filter.colours.length || filter.colours.includes(card.colour)) &&
    filter.needs.every((colour) => card.needs.includes(colour)) &&
    (filter.pieces === null || card.pieces === filter.pieces) &&
    (filter.best === null || card.best === filter.best) &&
    hasWords(wordsIn(filter.query), `${card.name} ${text}`)
  );
}

/** The numbers that a filter may choose from, each once, the smallest first. */
export const numbersIn = (numbers: readonly (number | null)[]): number[] =>
  [...new Set(numbers.filter((n): n is number => n !== null))].sort((a, b) => a - b);

/** With a value switched on or off. */
export const switched = <T>(all: readonly T[], one: T): T[] => (all.includes(one) ? all.filter((other) => other !== one) : [...all, one]);
