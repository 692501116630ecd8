/** The faces of opponents, by the name of the bot: the game's own heads; the plumes grow with the rank. */

import type { Colour } from "./pieces";

export interface Plume {
  readonly colour: Colour;
  readonly turn: number;
  readonly scale: number;
}

export interface FaceData {
  readonly colour: Colour;
  /** the hindmost first */
  readonly plumes: readonly Plume[];
  /** the first has just hatched, the last stands before the sun */
  readonly extra?: "shell" | "sun";
}

const plumes = (...list: [Colour, number, number][]): Plume[] => list.map(([colour, turn, scale]) => ({ colour, turn, scale }));

export const FACES: Readonly<Record<string, FaceData>> = {
  novice: { colour: "G", plumes: [], extra: "shell" },
  apprentice: { colour: "B", plumes: plumes(["Y", 12, 1]) },
  artisan: { colour: "Y", plumes: plumes(["G", 36, 0.98], ["R", -14, 0.98], ["B", 11, 1.04]) },
  priest: { colour: "R", plumes: plumes(["B", 56, 0.98], ["G", -32, 0.96], ["K", 34, 1.02], ["Y", -10, 1.02], ["G", 12, 1.07]) },
  "high-priest": {
    colour: "K",
    plumes: plumes(["K", 74, 0.98], ["R", -50, 0.96], ["G", 53, 1.02], ["B", -30, 1], ["R", 32, 1.06], ["G", -10, 1.05], ["B", 11, 1.1]),
    extra: "sun",
  },
};
