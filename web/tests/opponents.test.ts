import { describe, expect, it } from "vitest";
import { ladderOf, suggestedStep, tallyAgainst, yardsticksOf } from "../src/lib/ladder";
import { formOf, keepChoice, offeredChoice, type Choice } from "../src/lib/lastchoice";
import type { FinishedGame } from "../src/lib/mygames";
import { requestOf } from "../src/lib/newgame";
import { optionsText } from "../src/lib/optionwords";
import type { BotInfo } from "../src/lib/protocol";
import { KeptTexts } from "../src/lib/storage";
import { FACES } from "../src/parts/faces";
import { makeStorage } from "./storage";

const STEPS = ["novice", "apprentice", "artisan"];
const KNOWN = [...STEPS, "greedy"];
const GAMES = { players: [1, 2, 3, 4], tokens: [2, 3, 4], fewer_bodies: [2, 3] };

/** Against some bots; rank 1 is a win, also a shared one. */
function game(rank: number, ...bots: string[]): FinishedGame {
  const others = bots.map((bot) => ({ kind: "bot" as const, name: "", bot, standIn: false, points: 1, rank: rank === 1 ? 2 : 1 }));
  return { table: "t", place: 0, at: 0, turns: 1, points: 1, rank, players: 1 + bots.length, options: [], levels: [], others, best: null, helped: false };
}
const won = (...bots: string[]) => game(1, ...bots);
const lost = (...bots: string[]) => game(2, ...bots);
const makeStore = () => {
  const storage = makeStorage();
  return new KeptTexts(() => storage);
};

describe("the ladder", () => {
  const bot = (name: string, strength: number | null): BotInfo => ({ name, kind: "ladder", title: {}, text: {}, strength, stand_in: false });

  it("has the bots with a face by their strength; the others are yardsticks", () => {
    const list = [bot("priest", 1830), bot("planner", 1350), bot("novice", 990), bot("greedy", 1000)];
    expect(ladderOf(list).map(({ name }) => name)).toEqual(["novice", "priest"]);
    expect(yardsticksOf(list).map(({ name }) => name)).toEqual(["greedy", "planner"]);
    expect(Object.values(FACES).map(({ plumes }) => plumes.length)).toEqual([0, 1, 3, 5, 7]);
  });

  it("suggests the first step, and after two wins in a row the next", () => {
    const step = (...games: FinishedGame[]) => STEPS[suggestedStep(games, STEPS)];
    expect(step()).toBe("novice");
    expect(step(won("novice"), lost("novice"), won("novice"))).toBe("novice");
    expect(step(won("novice"), lost("greedy"), won("novice"))).toBe("apprentice");
    expect(step(won("apprentice", "novice"), won("apprentice"))).toBe("artisan");
    expect(step(won("artisan"), won("artisan"))).toBe("artisan"); // there is none above it
    expect(step(won("novice"), { ...won("novice"), helped: true })).toBe("novice");
    const standIn = won("novice");
    expect(step(won("novice"), { ...standIn, others: standIn.others.map((other) => ({ ...other, standIn: true })) })).toBe("novice");
  });

  it("follows the last games: down after two losses in a row, and up again", () => {
    const step = (...games: FinishedGame[]) => STEPS[suggestedStep(games, STEPS)];
    const up = [won("novice"), won("novice")];
    const top = [...up, won("apprentice"), won("apprentice")];
    expect(step(...up, lost("apprentice"))).toBe("apprentice");
    expect(step(...up, lost("apprentice"), won("apprentice"), lost("apprentice"))).toBe("apprentice");
    expect(step(...up, lost("apprentice"), lost("apprentice"))).toBe("novice");
    expect(step(lost("novice"), lost("novice"))).toBe("novice"); // there is none below it
    expect(step(...top)).toBe("artisan");
    expect(step(...top, lost("artisan"), lost("artisan"))).toBe("apprentice");
    expect(step(...top, lost("novice"), lost("novice"))).toBe("novice");
    expect(step(lost("artisan"), lost("artisan"))).toBe("novice"); // that one was not suggested
    expect(step(...top, won("novice"), won("novice"))).toBe("artisan"); // an easy game takes nothing away
  });

  it("counts only what was played since the last change", () => {
    const step = (...games: FinishedGame[]) => STEPS[suggestedStep(games, STEPS)];
    const down = [won("novice"), won("novice"), lost("apprentice"), lost("apprentice")];
    expect(step(...down, won("novice"))).toBe("novice");
    expect(step(...down, won("novice"), won("novice"))).toBe("apprentice");
  });

  it("does not count a loss against those who came behind", () => {
    const third = (): FinishedGame => {
      const found = lost("artisan", "apprentice");
      return { ...found, others: found.others.map((other, at) => ({ ...other, rank: at ? 3 : 1 })) };
    };
    const up = [won("novice"), won("novice")];
    expect(STEPS[suggestedStep([...up, third(), third()], STEPS)]).toBe("apprentice");
    expect(STEPS[suggestedStep([...up, won("apprentice"), third(), won("apprentice")], STEPS)]).toBe("apprentice");
  });

  it("counts a game for each opponent", () => {
    const games = [won("novice", "greedy"), lost("novice"), lost("greedy")];
    expect(tallyAgainst(games, "novice")).toEqual({ won: 1, played: 2 });
    expect(tallyAgainst(games, "artisan")).toEqual({ won: 0, played: 0 });
  });
});

describe("what one press of Play begins", () => {
  const base = { tokens: false, promo: false, fewerBodies: false, drawSeats: false };
  const offered = (games: FinishedGame[], store = makeStore()) => offeredChoice(games, STEPS, KNOWN, store);

  it("is the base game against the first step", () => {
    expect(offered([])).toEqual({ ...base, bots: ["novice"], suggested: "novice" });
    expect(requestOf(formOf(offered([]), "Ana", GAMES), GAMES)).toEqual({
      places: [{ kind: "person", name: "Ana" }, { kind: "bot", name: "", bot: "novice" }],
      tokens: false, promo: false, fewer_bodies: false, draw_seats: false,
    });
  });

  it("is the last choice until a stronger opponent is suggested", () => {
    const store = makeStore();
    keepChoice({ ...base, bots: ["novice"], tokens: true, suggested: "novice" }, store);
    expect(offered([], store)).toMatchObject({ bots: ["novice"], tokens: true });
    const beaten = [won("novice"), won("novice")];
    expect(offered(beaten, store)).toMatchObject({ bots: ["apprentice"], tokens: true, suggested: "apprentice" });
    keepChoice({ ...base, bots: ["novice"], suggested: "apprentice" }, store); // chosen all the same
    expect(offered(beaten, store).bots).toEqual(["novice"]);
    for (const bots of [["artisan"], ["greedy"], ["novice", "novice"]]) {
      keepChoice({ ...base, bots, suggested: "novice" }, store);
      expect(offered(beaten, store).bots).toEqual(bots);
    }
  });

  it("is an easier opponent when that one is suggested now", () => {
    const games = [won("novice"), won("novice"), lost("apprentice"), lost("apprentice")];
    const store = makeStore();
    keepChoice({ ...base, bots: ["apprentice"], promo: true, suggested: "apprentice" }, store);
    expect(offered(games.slice(0, 3), store).bots).toEqual(["apprentice"]);
    expect(offered(games, store)).toMatchObject({ bots: ["novice"], promo: true, suggested: "novice" });
    keepChoice({ ...base, bots: ["apprentice"], suggested: "novice" }, store); // chosen all the same
    expect(offered(games, store).bots).toEqual(["apprentice"]);
    keepChoice({ ...base, bots: ["novice", "apprentice"], suggested: "apprentice" }, store);
    expect(offered(games, store).bots).toEqual(["novice", "apprentice"]);
  });

  it("is that of the last game against bots where nothing was kept", () => {
    const person = { ...won("greedy"), others: [{ kind: "person" as const, name: "Ben", bot: null, standIn: false, points: 1, rank: 2 }] };
    const last = { ...lost("greedy", "artisan"), options: ["tokens", "fewer_bodies"] };
    expect(offered([last, person])).toEqual({ ...base, tokens: true, fewerBodies: true, bots: ["greedy", "artisan"], suggested: "novice" });
  });

  it("is nothing that cannot be read, and nobody who is not there any more", () => {
    const store = makeStore();
    for (const broken of ["{", "3", '{"bots": "novice"}', '{"bots": []}', '{"bots": ["gone"]}']) {
      store.set("coatl.opponents", broken);
      expect(offered([], store).bots).toEqual(["novice"]);
    }
    keepChoice({ bots: ["novice", "novice", "novice", "novice"] } as unknown as Choice, store);
    expect(offered([], store)).toEqual({ ...base, bots: ["novice", "novice", "novice"], suggested: "novice" });
  });

  it("says its options in words", () => {
    expect(optionsText(base)).toBe("");
    expect(optionsText({ tokens: true, promo: true, fewerBodies: false })).toBe("With: Sacrifice tokens, Promo cards.");
  });
});
