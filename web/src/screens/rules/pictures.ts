/** What the pictures of the rules show where the book only names them: a full supply, A.D.A.M.'s cards. */

import type { RulePictureName } from "../../lib/protocol";

/** The supply, full. */
export const SUPPLY: Readonly<Record<string, string>> = { b1: "KB", b2: "RR", b3: "YG", b4: "BY", b5: "GR", b6: "KY", h1: "R", h2: "G", t1: "B", t2: "Y" };

/** Cards of the sliding row, from left to right. */
export const ROW = ["YG", "{B}", "KKYY", "RB", "!YY!", "RGRG"] as const;

/** A card of A.D.A.M.'s, with the pieces on it and the colours that it lacks. */
export interface AdamPictureCard {
  readonly card: string;
  readonly pieces: readonly string[];
  readonly missing: string;
}

export interface AdamScene {
  readonly cards: readonly AdamPictureCard[];
  /** pieces on their way, and the number of the card that they go to */
  readonly moving?: readonly string[];
  readonly to?: number;
  /** the card that he looks at, or that is full */
  readonly at: number | null;
  /** a card of the row that he takes */
  readonly taken?: string;
}

const FIRST = { card: "RGRG", pieces: ["R", "G"], missing: "RG" };
const SECOND = { card: "BBYY", pieces: ["B"], missing: "BYY" };

export const ADAM: Readonly<Partial<Record<RulePictureName, AdamScene>>> = {
  adam_looks: { cards: [FIRST, SECOND], at: 0 },
  adam_takes: { cards: [], at: null },
  adam_lays: { cards: [{ ...FIRST, pieces: ["R", "G", "R"], missing: "G" }, SECOND], moving: ["R"], to: 0, at: null },
  adam_fulfils: { cards: [{ ...FIRST, pieces: ["R", "R", "G", "G"], missing: "" }, { card: "GGRR", pieces: ["R"], missing: "GGR" }], moving: ["G", "R"], to: 1, at: 0 },
  adam_draws: { cards: [{ card: "GGRR", pieces: ["R"], missing: "GGR" }], at: null, taken: "!YY!" },
};

export const isAdamPicture = (name: RulePictureName): boolean => name in ADAM;
