import { describe, expect, it, vi } from "vitest";
import type { NoteInfo } from "../src/lib/protocol";
import { board, piece, supply, tableState } from "./making";
import { makeStorage } from "./storage";

vi.stubGlobal("localStorage", makeStorage());
const { tellWithNotes } = await import("../src/lib/notes");

const log = [
  { kind: "turn", seat: 0, turn: 1 } as const,
  piece(0, "R", supply("b1"), board(0)),
  { kind: "turn", seat: 1, turn: 2 } as const,
  piece(1, "B", supply("b2"), board(1)),
];
const note = (kind: NoteInfo["kind"], place: number, events: number, text = ""): NoteInfo => ({ version: 1, kind, place, text, events });
const told = (notes: readonly NoteInfo[], count = log.length) =>
  tellWithNotes(tableState({ notes }), log.slice(0, count)).map(({ turn, kind, text }) => [turn, kind, text]);

describe("the log with notes", () => {
  it("is the log where there are none", () => {
    expect(told([]).map(([turn, kind]) => [turn, kind])).toEqual([[1, "piece"], [2, "piece"]]);
  });

  it("has each note where it was made, and none that is not told yet", () => {
    const notes = [note("hand", 0, 2), note("back", 0, 3), note("give_up", 1, 4)];
    expect(told(notes).map(([turn, kind]) => [turn, kind])).toEqual([
      [1, "piece"], [1, "note"], [2, "note"], [2, "piece"], [2, "note"],
    ]);
    expect(told(notes, 3).map(([, kind]) => kind)).toEqual(["piece", "note", "note"]);
  });

  it("says who it was", () => {
    const notes = [note("hand", 0, 0), note("hand", 1, 0, "owner"), note("back", 1, 0), note("give_up", 0, 0), note("give_up", 1, 0), note("bot_failed", 1, 0, "x"), note("hint", 0, 0), note("hint", 1, 0)];
    expect(told(notes, 0).map(([, , text]) => text)).toEqual([
      "You let a bot play", "A bot plays for Ben, who is away", "Ben takes over again",
      "You give up; a bot plays on", "Ben gives up; a bot plays on", "The bot of Ben failed; another one plays on",
      "You used a hint", "Ben used a hint",
    ]);
  });
});
