import { beforeAll, describe, expect, it } from "vitest";
import { cardText, causeText, decisionText, firstWithCards, headline, nameFor, positionList } from "../src/lib/ending";
import { bots } from "../src/lib/bots.svelte";
import { device } from "../src/lib/device.svelte";
import { listedNames, placeLetter, placeName, seatLetter, seatName } from "../src/lib/names";
import type { CoatlView, RankInfo, SeatView, TableState, VerdictInfo, ViewData } from "../src/lib/protocol";
import { plain } from "../src/lib/words";
import { moveLines, resultText, tableOf, troubleText } from "../src/lib/replaying";
import { overwriteGetLocale } from "../src/paraglide/runtime";
import { DONE, tableState } from "./making";

beforeAll(() => overwriteGetLocale(() => "en"));

const person = (name: string) => ({ kind: "person" as const, name, ready: true, connected: true });
const rank = (place: number, points: number, cards = 0, best_coatl = 0, at = 1): RankInfo => ({ rank: at, place, points, cards, best_coatl });

function ended(standing: RankInfo[], names = ["Ana", "Ben"], view: Partial<ViewData> = {}, by?: VerdictInfo["by"], between = [0, 1]): TableState {
  return {
    type: "state", table: "t", version: 1, status: "over", place: 0, seat: 0, places: names.map(person),
    seating: names.map((_, at) => at), promise: "", can_undo: false, events: [], first_event: 0,
    view: { seats: [], ...view } as unknown as ViewData, standing, verdict: by ? { by, between } : null,
  };
}

describe("the end in words", () => {
  it("says who won, and by how much", () => {
    const table = ended([rank(1, 31), rank(0, 30, 0, 0, 2)], undefined, {}, "points");
    expect(headline(table)).toBe("Ben wins with 31 points");
    expect(decisionText(table)).toBe("1 point ahead of you");
    expect(headline(ended([rank(0, 1), rank(1, 0, 0, 0, 2)]))).toBe("You win with 1 point");
  });

  it("has a name for everybody where people share a device", () => {
    device.people = 2;
    const table = ended([rank(0, 31), rank(1, 23, 0, 0, 2)], undefined, { end: "third", trigger: 0 }, "points");
    expect([headline(table), decisionText(table), causeText(table)]).toEqual([
      "Ana wins with 31 points", "8 points ahead of Ben", "Ana completed a third Cóatl.",
    ]);
    expect([nameFor(table, 0), seatName(table, 0), seatName(table, 1)]).toEqual(["Ana", "Ana", "Ben"]);
    device.people = 1;
    expect([nameFor(table, 0), seatName(table, 0), seatName(table, 1)]).toEqual(["You", "You", "Ben"]);
  });

  it("explains each tie-break with the numbers of those who were level", () => {
    const three = ["Ana", "Ben", "Eva"];
    const byCards = ended([rank(0, 30, 9, 12), rank(1, 30, 8, 14, 2), rank(2, 9, 9, 9, 3)], three, {}, "cards");
    expect(decisionText(byCards)).toContain("You 9, Ben 8");
    expect(decisionText(byCards)).not.toContain("Eva");
    const byCoatl = ended([rank(1, 30, 8, 14), rank(0, 30, 8, 12, 2), rank(2, 30, 7, 30, 3)], three, {}, "coatl");
    expect(decisionText(byCoatl)).toContain("Ben 14, You 12");
    expect(decisionText(byCoatl)).not.toContain("Eva");
    const shared = ended([rank(0, 30, 8, 12), rank(1, 30, 8, 12)], undefined, {}, "shared");
    expect(headline(shared)).toBe("Ana, Ben share the win with 30 points");
    expect(decisionText(shared)).not.toBe("");
  });

  it("says nothing of a lead over somebody who gave up", () => {
    expect(decisionText(ended([rank(0, 3), { ...rank(1, 30, 0, 0, 2), gave_up: true }]))).toBe("");
  });

  it("knows that a tie with A.D.A.M. is lost", () => {
    const tie = ended([rank(1, 20), rank(0, 20, 0, 0, 2)], ["Ana"], {}, "adam");
    expect(headline(tie)).toBe("A.D.A.M. wins with 20 points");
    expect(decisionText(tie)).not.toBe("");
    expect(decisionText(ended([rank(1, 22), rank(0, 20, 0, 0, 2)], ["Ana"], {}, "points"))).toBe("2 points ahead of you");
    expect(decisionText(ended([rank(0, 22), rank(1, 20, 0, 0, 2)], ["Ana"], {}, "points"))).toBe("2 points ahead of A.D.A.M.");
  });

  it("says why it ended", () => {
    expect(causeText(ended([], ["Ana", "Ben"], { end: "third", trigger: 1 }))).toBe("Ben completed a third Cóatl.");
    expect(causeText(ended([], ["Ana"], { end: "bodies" }))).toBe("No body segments were left.");
  });

  it("lists the pieces of a card, and says when it is broken", () => {
    expect(positionList([0, 1, 4, 5, 6, 7, 1])).toBe("1, 2, 5–8");
    expect(cardText({ card: "x", times: 2, points: 3, matches: [[0, 1], [3, 4]] })).toBe("Met 2 times. Pieces 1, 2, 4, 5 meet it.");
    expect(cardText({ card: "x", times: 0, points: 0 })).toContain("broke it");
  });

  it("begins with a Cóatl that has cards", () => {
    const coatl = (cards: number): CoatlView => ({ pieces: "<RR>", complete: true, value: 0, cards: Array.from({ length: cards }, () => ({ card: "x", times: 1, points: 1 })) });
    const seats = [{ coatls: [coatl(0)] }, { coatls: [coatl(0), coatl(2)] }] as unknown as SeatView[];
    const table = ended([rank(1, 3), rank(0, 0, 0, 0, 2)], ["Ana", "Ben"], { seats });
    expect(firstWithCards(table)).toEqual({ seat: 1, coatl: 1 });
    expect(firstWithCards(ended([]))).toEqual({ seat: 0, coatl: 0 });
  });
});

describe("a record in words", () => {
  const overview = { players: 2, seats: ["Ana", "bot:greedy"], levels: null, over: true, winners: [1], moves: [
    { move: DONE, seat: 0, turn: 1, kind: "assemble" as const, points: [3, 9], events: [] },
  ] };
  const table = tableOf(overview);

  it("names people and bots, and who won", () => {
    expect(resultText(overview, table)).toBe("greedy wins, 9 : 3.");
    expect(resultText({ ...overview, over: false }, table)).toBe("The game is not finished.");
  });

  it("has a line for every step", () => {
    expect(moveLines(table, undefined, []).map(plain)).toEqual(["The game is set up."]);
    expect(moveLines(table, overview.moves[0], []).map(plain)).toEqual(["Ana is done"]);
  });

  it("tells the line of a broken record", () => {
    expect(troubleText({ code: "bad_record", line: 12 })).toBe("This record is broken: line 12 is not valid.");
    expect(troubleText({ code: "bad_record", line: 1 })).toBe("This is not a record of a Cóatl game.");
    expect(troubleText({ code: "offline", line: null })).toBe("The server cannot be reached.");
  });
});

describe("who is who", () => {
  const bot = (name = "") => ({ kind: "bot" as const, name, bot: "greedy", ready: true, connected: true });
  const table = (...places: TableState["places"]) => tableState({ places, seating: places.map((_, at) => at) });
  const letters = (state: TableState) => state.places.map((_, at) => placeLetter(state, at)).join(" ");

  it("has one letter each, or a number where there is none or two share it", () => {
    expect(letters(table(person("Ana"), person("ben"), person(""), bot()))).toBe("A B 3 G");
    expect(letters(table(person("Ana"), person("anton"), bot("Teo"), person("Ben")))).toBe("1 2 T B");
    expect(letters(table(person("Élodie"), person("𝒳avier")))).toBe("É 𝒳");
  });

  it("goes by the seat too, and A.D.A.M. has no letter", () => {
    const turned = { ...table(person("Ana"), person("Ben")), seating: [1, 0] };
    expect([seatLetter(turned, 0), seatLetter(turned, 1), seatLetter(turned, -1)]).toEqual(["B", "A", ""]);
    expect(placeName(table(person("")), 1)).toBe("A.D.A.M.");
  });

  it("is told in the reader's language where there is no name", () => {
    bots.list = [{ name: "greedy", title: { en: "Apprentice", fr: "Apprenti" } } as unknown as (typeof bots.list)[number]];
    const names = () => listedNames({ names: ["Ana", "greedy", ""], bots: [null, "greedy", null] });
    expect(names()).toEqual(["Ana", "Apprentice", "Seat 3"]);
    overwriteGetLocale(() => "fr");
    expect(names()).toEqual(["Ana", "Apprenti", "Place 3"]);
    overwriteGetLocale(() => "en");
  });

  it("is a person's own, though a bot be called so", () => {
    const names = ["greedy", "random", "greedy"];
    expect(listedNames({ names, bots: [null, "greedy", "greedy"] })).toEqual(["greedy", "random", "Apprentice"]);
    expect(listedNames({ names })).toEqual(names);
  });
});
