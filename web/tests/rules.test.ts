import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EVERY_CARD, isShown, numbersIn, prophecyTraits, switched, templeTraits } from "../src/lib/cardfilter";
import { fittingRules } from "../src/lib/fittingrules";
import type { CoatlTried, ProphecyInfo, TempleInfo, ViewData } from "../src/lib/protocol";
import { cutAtClauses, findRule, isClause } from "../src/lib/rulebook.svelte";
import { cardsAddress, readRoute, rulesAddress } from "../src/lib/route";
import { ruleSheet } from "../src/lib/rulesheet.svelte";
import { addPiece, MOST_PIECES, takePiece, Tried } from "../src/lib/trying.svelte";
import { hasWords, searchBy, wordsIn } from "../src/lib/wordsearch";

describe("addresses of the rules and cards", () => {
  it("name a clause, a chapter or nothing", () => {
    expect(readRoute("#/rules")).toEqual({ screen: "rules", rule: null });
    expect(readRoute("#/rules/A8")).toEqual({ screen: "rules", rule: "A8" });
    expect(readRoute(rulesAddress("adam-turn"))).toEqual({ screen: "rules", rule: "adam-turn" });
  });

  it("have room for every sign in the name of a card", () => {
    for (const card of ["RGRG", "{YYGGR}", "!BB!", "KY*+YK", "YK+R", "noblue/R=B/10"])
      expect(readRoute(cardsAddress(card))).toEqual({ screen: "cards", card });
    expect(readRoute(cardsAddress())).toEqual({ screen: "cards", card: null });
  });

  it("that are cut off lead to the whole", () => {
    expect(readRoute("#/cards/%E0%A4%A")).toEqual({ screen: "cards", card: null });
    expect(readRoute("#/rules/A8/more")).toEqual({ screen: "home" });
  });
});

describe("texts of the rules", () => {
  const ids = new Set(["A6", "E2", "adam-turn"]);

  it("are cut where a clause is named", () => {
    expect(cutAtClauses("At most 4 (A6), see E2.", ids)).toEqual(["At most 4 (", "A6", "), see ", "E2", "."]);
  });

  it("keep what only looks like one", () => {
    expect(cutAtClauses("An A4 sheet, A60 and A6", ids)).toEqual(["An A4 sheet, A60 and ", "A6", ""]);
    expect(cutAtClauses("", ids)).toEqual([""]);
  });

  it("are found by their id in small letters too", () => {
    const item = { id: "A8", title: "", text: "" };
    const book = { language: "en", title: "", chapters: [{ id: "c", title: "", lead: "", parts: [{ id: "p", items: [item] }] }] } as const;
    expect(findRule(book, "a8")).toBe(item);
    expect(findRule(book, "A9")).toBeUndefined();
    expect([isClause("A8"), isClause("R18"), isClause("limits")]).toEqual([true, true, false]);
  });
});

describe("searching", () => {
  it("does without accents and case, and joins A.D.A.M.", () => {
    expect(wordsIn("Cóatl d’A.D.A.M., ∞ À côté")).toEqual(["coatl", "d", "adam", "∞", "a", "cote"]);
  });

  it("finds words by their beginnings and numbers as a whole", () => {
    expect(hasWords(wordsIn("clos piec"), "The closing piece")).toBe(true);
    expect(hasWords(wordsIn("15"), "150 pieces")).toBe(false);
    expect(hasWords([], "anything")).toBe(true);
  });

  it("shows titles first, and nothing for nothing", () => {
    const things = [{ title: "Room", text: "a token" }, { title: "Tokens", text: "" }, { title: "Other", text: "" }];
    expect(searchBy("token", things, (one) => one).map((one) => one.title)).toEqual(["Tokens", "Room"]);
    expect(searchBy("  ", things, (one) => one)).toEqual([]);
  });
});

describe("filters of the cards", () => {
  const prophecy = (pattern: string, colour: string, levels: Record<string, number>, promo = false): ProphecyInfo =>
    ({ name: pattern.replaceAll(" ", ""), pattern, colour, copies: 1, promo, levels, sentence: "" });
  const temple: TempleInfo = { name: "noG/K=Y", requirements: ["noG", "K=Y"], levels: [3, 7], copies: 1, promo: false, sentence: "" };

  it("know what a card asks for", () => {
    expect(prophecyTraits(prophecy("Y K+ R", "green", { 1: 2, 2: 6 }))).toMatchObject({ colour: "G", needs: ["Y", "K", "R"], pieces: 3, best: 6 });
    expect(prophecyTraits(prophecy("!B B B !B", "black", { 1: 2 }))).toMatchObject({ needs: ["B"], pieces: 2 });
    expect(prophecyTraits(prophecy("{YYGGR}", "red", { 1: 3 }, true))).toMatchObject({ needs: ["Y", "G", "R"], pieces: 5, promo: true });
    expect(prophecyTraits(prophecy("K Y *+ Y K", "green", { 1: 4 }))).toMatchObject({ needs: ["K", "Y"], pieces: 5 });
    expect(templeTraits(temple)).toMatchObject({ colour: "T", needs: ["K", "Y"], pieces: null, best: 7 });
  });

  it("show what has all that is asked for", () => {
    const card = prophecyTraits(prophecy("Y K+ R", "green", { 1: 2, 2: 6 }));
    const shows = (change: Partial<typeof EVERY_CARD>, text = "one yellow") => isShown(card, { ...EVERY_CARD, ...change }, text);
    expect(shows({})).toBe(true);
    expect([shows({ colours: ["G", "R"] }), shows({ colours: ["R"] })]).toEqual([true, false]);
    expect([shows({ needs: ["K", "R"] }), shows({ needs: ["K", "B"] })]).toEqual([true, false]);
    expect([shows({ pieces: 3, best: 6 }), shows({ pieces: 3, best: 5 })]).toEqual([true, false]);
    expect([shows({ query: "yel" }), shows({ query: "blue" })]).toEqual([true, false]);
    expect(isShown({ ...card, promo: true }, { ...EVERY_CARD, promo: false }, "")).toBe(false);
  });

  it("switch values on and off, and offer each number once", () => {
    expect(switched(switched(["R"], "K"), "R")).toEqual(["K"]);
    expect(numbersIn([5, null, 2, 5])).toEqual([2, 5]);
  });
});

describe("a serpent to play with", () => {
  it("takes pieces at its ends, as the notation writes them", () => {
    expect(addPiece("", "b", "K", "right")).toBe("K");
    expect(addPiece("K", "h", "R", "right")).toBe("<RK");
    expect(addPiece("<RK", "t", "B", "left")).toBe(null);
    expect(addPiece("<RK", "t", "B", "right")).toBe("<RKB>");
    expect(addPiece("KB", "b", "G", "left")).toBe("GKB");
    expect(addPiece("<KB", "b", "G", "left")).toBe(null);
    expect(addPiece("KB>", "b", "G", "right")).toBe(null);
    expect(addPiece("K".repeat(MOST_PIECES), "b", "G", "right")).toBe(null);
  });

  it("gives them back at its ends", () => {
    expect(takePiece("<RKB>", "left")).toBe("KB>");
    expect(takePiece("<RKB>", "right")).toBe("<RK");
    expect([takePiece("<K", "right"), takePiece("", "left")]).toEqual(["", null]);
  });
});

describe("asking what cards are worth", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const answer = (coatl: string): CoatlTried => ({ coatl, complete: false, clause: null, prophecies: [], temples: [] });

  it("waits until nothing changes, and asks once", async () => {
    const ask = vi.fn((coatl: string) => Promise.resolve(answer(coatl)));
    const tried = new Tried(ask, 100);
    for (const coatl of ["K", "KB", "KBB"]) tried.ask(coatl, ["{B}"]);
    expect(tried.isCurrent).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(ask.mock.calls).toEqual([["KBB", ["{B}"]]]);
    expect([tried.result?.coatl, tried.isCurrent]).toEqual(["KBB", true]);
  });

  it("says when nobody answers, and asks again", async () => {
    const ask = vi.fn<(coatl: string) => Promise<CoatlTried>>().mockRejectedValueOnce(new Error("offline")).mockImplementation((coatl) => Promise.resolve(answer(coatl)));
    const tried = new Tried(ask, 100);
    tried.ask("K", ["{B}"]);
    await vi.advanceTimersByTimeAsync(100);
    expect([tried.failed, tried.isCurrent]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1200);
    expect([tried.failed, tried.isCurrent]).toEqual([false, true]);
  });

  it("forgets an answer that comes too late", async () => {
    let resolve: (found: CoatlTried) => void = () => undefined;
    const tried = new Tried(() => new Promise((done) => (resolve = done)), 100);
    tried.ask("K", []);
    await vi.advanceTimersByTimeAsync(100);
    tried.ask("KB", []);
    resolve(answer("K"));
    await vi.advanceTimersByTimeAsync(0);
    expect(tried.result).toBe(null);
  });
});

describe("help at the table", () => {
  const view = (phase: string, adam = false) => ({ phase, adam: adam ? {} : null }) as unknown as ViewData;

  it("fits what is going on", () => {
    expect(fittingRules(view("pick"), false)).toEqual(["P1", "P2", "P3"]);
    expect(fittingRules(view("setup", true), false)).toEqual(["D2"]);
    expect(fittingRules(view("assemble"), true).slice(0, 2)).toEqual(["E2", "E3"]);
    expect(fittingRules(view("over"), true)).toEqual(["F1", "F2", "F3"]);
    expect(fittingRules(view("adam", true), false)).toEqual(["adam-turn"]);
  });

  it("opens over a table only, and closes with it", () => {
    expect([ruleSheet.openHelp(), ruleSheet.isAtTable]).toEqual([false, false]);
    const leave = ruleSheet.attend(() => ["T0"]);
    expect([ruleSheet.openHelp(), ruleSheet.help]).toEqual([true, ["T0"]]);
    ruleSheet.clause = "A8";
    leave();
    expect([ruleSheet.help, ruleSheet.clause, ruleSheet.isAtTable]).toEqual([null, null, false]);
  });
});
