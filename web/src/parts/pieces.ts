/**
 * Texts of the notation (docs/notation.md) turned into what can be drawn. No rule of the game is
 * in here: what a card is worth, or where a piece may go, only the server knows.
 */

/** head, body segment, tail */
export type Kind = "h" | "b" | "t";
/** black, red, blue, yellow, green */
export type Colour = "K" | "R" | "B" | "Y" | "G";
/** the colour of a card; T: a Temple card */
export type CardColour = Colour | "T";

export interface PieceData {
  readonly kind: Kind;
  readonly colour: Colour;
}

export const COLOURS: readonly Colour[] = ["K", "R", "B", "Y", "G"];

/** Widths of the boxes in which the pieces are drawn, 64 high. */
export const WIDTHS: Readonly<Record<Kind, number>> = { h: 78, b: 46, t: 88 };

const CARD_COLOURS: Readonly<Record<string, Colour>> = {
  black: "K",
  red: "R",
  blue: "B",
  yellow: "Y",
  green: "G",
};

function isColour(text: string): text is Colour {
  return text.length === 1 && "KRBYG".includes(text);
}

function colour(text: string | undefined): Colour {
  if (text === undefined || !isColour(text)) throw new Error(`not a colour: ${text}`);
  return text;
}

/** `red` → R: the word for a card's colour as the server sends it. */
export function colourOf(word: string): Colour {
  const found = CARD_COLOURS[word];
  if (found === undefined) throw new Error(`not a card colour: ${word}`);
  return found;
}

/** `<KRB` → a black head, a red and a blue segment. Head to tail; either end may be open. */
export function parseCoatl(text: string): PieceData[] {
  const [, head, colours, tail] = /^(<?)([KRBYG]*)(>?)$/.exec(text) ?? [];
  if (colours === undefined || (colours.length < 2 && head && tail) || (!colours && (head || tail)))
    throw new Error(`not a Cóatl: ${text}`);
  return [...colours].map((letter, i) => ({
    kind: head && i === 0 ? "h" : tail && i === colours.length - 1 ? "t" : "b",
    colour: colour(letter),
  }));
}

/** `<K`, `K` or `K>`. */
export function parsePiece(text: string): PieceData {
  const [piece, ...more] = parseCoatl(text);
  if (piece === undefined || more.length > 0) throw new Error(`not a piece: ${text}`);
  return piece;
}

/** One step of a pattern that is read from head to tail. */
export interface Cell {
  /** W: any colour */
  readonly colour: Colour | "W";
  /** such a piece must not be there */
  readonly crossed: boolean;
  /** one or more of them */
  readonly repeat: boolean;
}

export type PatternShape =
  | { readonly kind: "line"; readonly cells: readonly Cell[] }
  | { readonly kind: "any"; readonly amounts: readonly (readonly [Colour, number])[] };

/**
 * What a Prophecy card asks for: `Y K+ R` is a line of cells, `{YYGGR}` an amount of each colour.
 * `{Y}`, which a card counts, is a line of one.
 */
export function patternOf(text: string): PatternShape {
  const anywhere = /^\{([KRBYG]+)\}$/.exec(text)?.[1];
  if (anywhere !== undefined && anywhere.length > 1) {
    const amounts = new Map<Colour, number>();
    for (const letter of anywhere)
      amounts.set(colour(letter), (amounts.get(colour(letter)) ?? 0) + 1);
    return { kind: "any", amounts: [...amounts] };
  }
  return { kind: "line", cells: (anywhere ?? text).trim().split(/\s+/).map(cellOf) };
}

function cellOf(text: string): Cell {
  const [, not, what, more] = /^(!?)([KRBYG*])(\+?)$/.exec(text) ?? [];
  if (what === undefined) throw new Error(`not a step of a pattern: ${text}`);
  return { colour: what === "*" ? "W" : colour(what), crossed: not === "!", repeat: more === "+" };
}

export type Requirement =
  | { readonly kind: "none"; readonly colour: Colour }
  | { readonly kind: "equal"; readonly colours: readonly [Colour, Colour] }
  | { readonly kind: "length"; readonly pieces: number }
  | { readonly kind: "noCard"; readonly colour: Colour };

/** A requirement of a Temple card: `noK`, `R=Y`, `12` or `noblue`. */
export function requirementOf(text: string): Requirement {
  const equal = /^([KRBYG])=([KRBYG])$/.exec(text);
  if (equal) return { kind: "equal", colours: [colour(equal[1]), colour(equal[2])] };
  if (/^\d+$/.test(text)) return { kind: "length", pieces: Number(text) };
  const not = /^no\s*(\w+)$/.exec(text)?.[1];
  if (not === undefined) throw new Error(`not a requirement: ${text}`);
  return isColour(not)
    ? { kind: "none", colour: not }
    : { kind: "noCard", colour: colourOf(not) };
}

/** The levels of a card in order: how many times it is met, and the points for that. */
export function levelsOf(levels: Readonly<Record<string, number>>): (readonly [number, number])[] {
  return Object.entries(levels)
    .map(([times, points]) => [Number(times), points] as const)
    .sort((a, b) => a[0] - b[0]);
}

export interface Fit {
  /** room for further segments: places where a piece may go, or air beside it */
  readonly spare?: number;
  /** heights in units */
  readonly most?: number;
  readonly least?: number;
}

const openEnds = (coatl: string): number => 2 - coatl.replace(/[^<>]/g, "").length;
/** How many pieces it has. */
export const lengthOf = (coatl: string): number => coatl.replace(/[<>]/g, "").length;

function heightFor(width: number, length: number, { most = 54, least = 22 }: Fit): number {
  const between = Math.max(0, length - 2); // a head and a tail beside them
  const units = WIDTHS.h + WIDTHS.t + 28 + WIDTHS.b * between; // 28: what stands out at the ends
  return Math.max(least, Math.min(most, (width * 64) / units));
}

/** The height at which a serpent in the notation (`<KRB`), whole or not, fits into a width. */
export function fitHeight(width: number, coatl: string, fit: Fit = {}): number {
  return heightFor(width, Math.max(2, lengthOf(coatl)) + (fit.spare ?? 0), fit);
}

/** Lengths are rounded up to a multiple of this, so that a piece more seldom changes the scale. */
const STEP = 4;

/**
 * One height for all serpents that are shown together: the longest decides. Each open end has
 * room for `spare` further segments.
 */
export function sharedHeight(width: number, coatls: readonly string[], fit: Fit = {}): number {
  const lengths = coatls.map((coatl) => lengthOf(coatl) + openEnds(coatl) * (fit.spare ?? 0));
  return heightFor(width, STEP * Math.ceil(Math.max(1, ...lengths) / STEP), fit);
}
