import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { bots } from "../src/lib/bots.svelte";
import { ownPlace, resultOf, summaryOf, type FinishedGame, type Opponent } from "../src/lib/mygames";
import { chartOf, gameMarks, heightOf, partOf } from "../src/lib/mygameschart";
import { gamesFile, gamesFileName, readGamesFile } from "../src/lib/mygamesfile";
import { findGames } from "../src/lib/mygamesfound";
import { bringGames, deleteGames, isFromNewer, isNew, keepGames, keptGames } from "../src/lib/mygameskept";
import { byOpponent, byVariant, countWon, gameOfBest } from "../src/lib/mygamesresults";
import { estimate, expectedScore, ratedResults, strengthCurve } from "../src/lib/mygamesstrength";
import { bestText, curveText, dayText, opponentsText, scoreText, strengthText, variantText } from "../src/lib/mygameswords";
import type { CoatlView, RankInfo, TableState, TableSummary } from "../src/lib/protocol";
import { readRoute } from "../src/lib/route";
import { KeptTexts } from "../src/lib/storage";
import { overwriteGetLocale } from "../src/paraglide/runtime";
import { seatView, tableState, viewData } from "./making";
import { blocked, makeStorage } from "./storage";

beforeAll(() => overwriteGetLocale(() => "en"));

const opponent = (bot: string, rank: number, more: Partial<Opponent> = {}): Opponent =>
  ({ kind: "bot", name: "", bot, standIn: false, points: 40, rank, ...more });
const friend = (name: string, rank: number): Opponent => ({ kind: "person", name, bot: null, standIn: false, points: 30, rank });
const ADAM: Opponent = { kind: "adam", name: "", bot: null, standIn: false, points: 20, rank: 2 };
let number = 0;
const game = (more: Partial<FinishedGame> = {}): FinishedGame => ({
  table: `table-${(number += 1)}`, place: 0, at: number, turns: 44, points: 50, rank: 1, players: 2, options: [], levels: [],
  others: [opponent("greedy", 2)], best: null, helped: false, ...more,
});
const won = (bot: string): FinishedGame => game({ others: [opponent(bot, 2)] });
const lost = (bot: string): FinishedGame => game({ rank: 2, others: [opponent(bot, 1)] });

describe("what is kept of a finished game", () => {
  const coatl = (pieces: string, value: number, complete = true): CoatlView => ({
    pieces, value, complete,
    cards: [{ card: "RK", times: 2, points: value, matches: [[0, 1]], next_points: 9 }],
    temple: { card: "noB/10", met: [true, false], points: 3 },
  });
  const rank = (place: number, at: number, points: number): RankInfo => ({ rank: at, place, points, cards: 0, best_coatl: 0 });
  const over = (more: Partial<TableState> = {}): TableState => tableState({
    table: "t-t-t-t", status: "over", seating: [1, 0],
    places: [{ kind: "person", name: "Ana", ready: true, connected: true }, { kind: "bot", name: "", bot: "greedy", ready: true, connected: false }],
    standing: [rank(1, 1, 42), rank(0, 2, 40)],
    view: viewData({ turn: 51, options: ["tokens"], seats: [seatView(), seatView({ coatls: [coatl("<KRK>", 5), coatl("<GRB>", 9), coatl("<GRBY", 30, false)] })] }),
    ...more,
  });

  it("is the result, the opponents, the variant and the best complete Cóatl", () => {
    const kept = summaryOf(over(), 0, 1000)!;
    expect(kept).toEqual({
      table: "t-t-t-t", place: 0, at: 1000, turns: 51, points: 40, rank: 2, players: 2, options: ["tokens"], levels: [],
      others: [{ kind: "bot", name: "", bot: "greedy", standIn: false, points: 42, rank: 1 }],
      best: { pieces: "<GRB>", points: 9, cards: [{ card: "RK", times: 2, points: 9 }], temple: { card: "noB/10", met: [true, false], points: 3 } },
      helped: false,
    });
    expect(resultOf(kept)).toBe("lost");
  });

  it("is nothing before the end, for a spectator and for practice", () => {
    expect(summaryOf(over({ status: "playing" }), 0, 0)).toBeNull();
    expect(summaryOf(over(), 3, 0)).toBeNull();
    expect(summaryOf(over({ practice: true }), 0, 0)).toBeNull();
  });

  it("tells whether a bot played for one, and who played for a bot", () => {
    bots.list = [{ name: "greedy", stand_in: true } as unknown as (typeof bots.list)[number]];
    const note = (place: number, kind: "hand" | "give_up") => ({ version: 1, kind, place });
    expect(summaryOf(over({ notes: [note(0, "hand")] }), 0, 0)).toMatchObject({ helped: true, others: [{ standIn: true }] });
    expect(summaryOf(over({ notes: [note(1, "hand"), note(0, "give_up")] }), 0, 0)?.helped).toBe(false);
    bots.list = [];
  });

  it("has A.D.A.M. in solo, and people for whom bots play are people", () => {
    const person = { kind: "person", name: "Ana", ready: true, connected: true } as const;
    const solo = over({ places: [person], seating: [0], standing: [rank(0, 1, 30), rank(1, 2, 20)], view: viewData({ players: 1, levels: [2], seats: [seatView()] }) });
    expect(summaryOf(solo, 0, 0)).toMatchObject({ players: 1, levels: [2], others: [ADAM], best: null });
    const away = over({ places: [person, { ...person, name: "Ben", bot: "greedy" }] });
    expect(summaryOf(away, 0, 0)?.others[0]).toMatchObject({ kind: "person", name: "Ben", bot: null });
  });

  it("tells a shared win from a won one", () => {
    expect([won("greedy"), game({ others: [opponent("greedy", 1)] }), lost("greedy")].map(resultOf)).toEqual(["won", "shared", "lost"]);
  });

  it("is of the person with the name of the settings, where several share a device", () => {
    const names = ["Ana", "Ben", "Cleo"];
    expect(ownPlace([2, 1], names, "Cleo")).toBe(2);
    expect(ownPlace([2, 1], names, "Zoe")).toBe(1);
    expect(ownPlace([2, 1], ["", "", ""], "")).toBe(1);
    expect(ownPlace([null], names, "Ana")).toBeNull();
  });
});

describe("the games that a browser remembers", () => {
  let store: KeptTexts;
  let browser: Storage;
  beforeEach(() => {
    browser = makeStorage();
    store = new KeptTexts(() => browser);
  });

  it("are each there once, the oldest first, and as they were when the page is opened again", () => {
    const [first, second] = [game(), game()];
    keepGames([second], store);
    keepGames([first, { ...second, points: 1 }], store);
    expect(keptGames(new KeptTexts(() => browser))).toEqual([first, second]);
  });

  it("stay deleted, until a file brings them back", () => {
    const one = game();
    keepGames([one], store);
    deleteGames(store);
    keepGames([one], store);
    expect([keptGames(store), isNew(one, store)]).toEqual([[], false]);
    expect(bringGames([one], store)).toEqual({ added: 1, known: 0, kept: true });
    expect(keptGames(store)).toEqual([one]);
  });

  it("are not touched by what is brought in", () => {
    const [here, there] = [game(), game()];
    keepGames([here], store);
    expect(bringGames([{ ...here, points: 99 }, there, there], store)).toEqual({ added: 1, known: 2, kept: true });
    expect(keptGames(store)).toEqual([here, there]);
  });

  it("are all there when there is no room for more", () => {
    const here = game();
    const full = new KeptTexts(() => browser);
    keepGames([here], full);
    const room = makeStorage(browser.getItem("coatl.games")!.length);
    room.setItem("coatl.games", browser.getItem("coatl.games")!);
    const crowded = new KeptTexts(() => room);
    expect(bringGames([game()], crowded)).toEqual({ added: 1, known: 0, kept: false });
    expect([keptGames(crowded).length, crowded.trouble]).toEqual([2, "full"]);
    expect(keptGames(new KeptTexts(() => room))).toEqual([here]);
  });

  it("last as long as the page where storage is blocked", () => {
    const texts = new KeptTexts(blocked);
    keepGames([game()], texts);
    expect([keptGames(texts).length, texts.trouble]).toEqual([1, "blocked"]);
  });

  it("are left alone where a newer version of the page wrote them", () => {
    const text = JSON.stringify({ version: 2, games: [{ what: "else" }] });
    browser.setItem("coatl.games", text);
    keepGames([game()], store);
    deleteGames(store);
    expect(bringGames([game()], store)).toEqual({ added: 0, known: 0, kept: false });
    expect([isFromNewer(store), keptGames(store), browser.getItem("coatl.games")]).toEqual([true, [], text]);
  });

  it("are those that can be read", () => {
    const whole = game();
    browser.setItem("coatl.games", JSON.stringify({ version: 1, games: [7, whole, { ...whole, table: "x", rank: "1" }] }));
    expect(keptGames(store)).toEqual([whole]);
    browser.setItem("coatl.games", "[1");
    expect(keptGames(store)).toEqual([]);
  });
});

describe("the file of all games", () => {
  const full = game({
    others: [opponent("greedy", 2), friend("Ana", 3)], options: ["tokens"],
    best: { pieces: "<GRB>", points: 9, cards: [{ card: "RK", times: 2, points: 9 }], temple: { card: "noB/10", met: [true, false], points: 3 } },
  });
  const file = (more: object) => JSON.stringify({ format: "coatl-games", version: 1, games: [full], ...more });

  it("is read as it was written", () => {
    const games = [full, game({ players: 1, levels: [1, 5], others: [ADAM] })];
    expect(readGamesFile(gamesFile(games))).toEqual({ games, broken: 0 });
    expect(readGamesFile(`\uFEFF${gamesFile([])}`)).toEqual({ games: [], broken: 0 });
    expect(gamesFileName(new Date("2026-11-17T13:00:00Z"))).toBe("coatl-games-2026-11-17.json");
  });

  it("is refused where it is something else, or of a newer version", () => {
    for (const text of ["", "{", "null", "7", "[]", "{}", file({ format: "other" }), file({ version: "1" }), file({ games: {} })])
      expect(readGamesFile(text)).toEqual({ refused: "not_games" });
    expect(readGamesFile(file({ version: 2 }))).toEqual({ refused: "newer" });
  });

  it("brings only what can be shown, and nothing that was put in", () => {
    const broken = [
      null, {}, { ...full, others: [] }, { ...full, at: -1 }, { ...full, table: 3 }, { ...full, others: [{ ...full.others[0], kind: "ghost" }] },
      { ...full, best: { ...full.best, pieces: "<X>" } }, { ...full, best: { ...full.best, cards: [{}] } }, { ...full, best: 3 }, { ...full, options: "tokens" },
    ];
    expect(readGamesFile(file({ games: [...broken, { ...full, token: "secret" }] }))).toEqual({ games: [full], broken: broken.length });
  });
});

describe("games that the server still has", () => {
  const browser = makeStorage();
  const table = (name: string, more: Partial<TableSummary> = {}): TableSummary =>
    ({ table: name, role: "seat", place: 0, status: "over", your_turn: false, turn: 9, names: ["Ana", "Ben"], created: 5, token: 0, ...more });
  const seat = (name: string, role: "seat" | "watch" = "seat") => ({ table: name, token: `token of ${name}`, role, nonce: "", at: 0 });
  const read: string[] = [];
  const answer = (content: unknown) => new Response(JSON.stringify(content), { headers: { "content-type": "application/json" } });
  const over = (name: string) => tableState({ table: name, status: "over", standing: [{ rank: 1, place: 0, points: 9, cards: 0, best_coatl: 0 }, { rank: 2, place: 1, points: 3, cards: 0, best_coatl: 0 }] });

  beforeEach(() => {
    read.length = 0;
    vi.stubGlobal("localStorage", browser);
    vi.stubGlobal("fetch", async (path: string) => {
      read.push(path);
      if (path === "/api/tables/mine") return answer({ tables: [table("one"), table("two"), table("on", { status: "playing" }), table("try", { practice: true })] });
      if (path.endsWith("two")) throw new TypeError("offline");
      return answer(over(path.split("/").at(-1)!));
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("are read in where nothing is known of them; what fails is found another time", async () => {
    const found = await findGames([seat("one"), seat("two"), seat("on"), seat("try"), seat("seen", "watch")], "Ana");
    expect(found.map((one) => [one.table, one.at, one.points])).toEqual([["one", 5000, 9]]);
    keepGames(found);
    read.length = 0;
    expect(await findGames([seat("one")], "Ana")).toEqual([]);
    expect(read).toEqual(["/api/tables/mine"]);
  });

  it("are asked for no faster than a server answers", async () => {
    vi.useFakeTimers();
    const many = Array.from({ length: 45 }, (_, at) => `many-${at}`);
    vi.stubGlobal("fetch", async (path: string) => {
      read.push(path);
      return path === "/api/tables/mine" ? answer({ tables: many.map((name) => table(name)) }) : answer(over(path.split("/").at(-1)!));
    });
    const finding = findGames(many.map((name) => seat(name)), "Ana");
    await vi.advanceTimersByTimeAsync(999);
    expect(read.length).toBe(1 + 20);
    await vi.advanceTimersByTimeAsync(2000);
    expect((await finding).length).toBe(45);
    vi.useRealTimers();
  });

  it("are none where this browser holds no seat", async () => {
    expect(await findGames([], "Ana")).toEqual([]);
    expect(read).toEqual([]);
  });
});

describe("results", () => {
  const games = [
    won("greedy"), lost("greedy"), won("novice"), lost("else:Bot"),
    game({ players: 4, rank: 2, others: [opponent("greedy", 1), opponent("greedy", 3), friend("Ana", 4)] }),
    game({ players: 3, others: [friend("Ana", 1), friend("Ben", 3)] }),
    game({ players: 1, levels: [2, 5], others: [ADAM] }), game({ players: 1, points: 30, levels: [2, 5], others: [ADAM] }),
  ];

  it("are counted by opponent, in the order of the ladder, the won ones first", () => {
    const found = byOpponent([lost("novice"), ...games], ["novice", "greedy"]);
    expect(found.map((one) => [one.kind, one.bot, one.results.join(" ")])).toEqual([
      ["bot", "novice", "won lost"], ["bot", "greedy", "won lost lost"], ["bot", "else:Bot", "lost"],
      ["adam", null, "won won"], ["person", null, "shared lost"],
    ]);
    expect([found[3]!.levels, found[4]!.names]).toEqual([[2, 5], ["Ana", "Ben"]]);
  });

  it("are counted by variant", () => {
    const found = byVariant(games);
    expect(found.map((one) => [variantText(one), one.games, one.won, one.average, one.most])).toEqual([
      ["Solo, levels 2, 5", 2, 2, 40, 50], ["2 players", 4, 2, 50, 50], ["3 players", 1, 1, 50, 50], ["4 players", 1, 0, 50, 50],
    ]);
    expect(variantText({ players: 2, options: ["tokens", "fewer_bodies", "new"], levels: [] })).toBe("2 players, Sacrifice tokens, Fewer segments, new");
    expect(variantText({ players: 1, options: [], levels: [] })).toBe("Solo, base game");
    expect(countWon(games)).toBe(5);
  });

  it("have one best Cóatl: the dearest, the first of several", () => {
    const best = (points: number) => ({ pieces: "<GRB>", points, cards: [{ card: "RK", times: 1, points }], temple: null });
    const [first, second] = [game({ best: best(9) }), game({ best: best(9) })];
    expect(gameOfBest([game({ best: best(3) }), game(), first, second])).toBe(first);
    expect(gameOfBest([game()])).toBeNull();
    expect(bestText(best(9))).toBe("3 pieces, 1 Prophecy card");
    expect(bestText({ ...best(9), temple: { card: "x", met: [], points: 2 } })).toBe("3 pieces, 1 Prophecy card and a Temple card");
  });

  it("are told in words", () => {
    const now = new Date(2026, 10, 17, 9).getTime();
    const days = [0, 1, 3, 40].map((ago) => dayText(new Date(2026, 10, 17 - ago, 23).getTime(), now));
    expect(days).toEqual(["Today", "Yesterday", "Saturday", "Oct 8, 2026"]);
    expect([opponentsText(games[4]!), scoreText(games[4]!)]).toEqual(["greedy, greedy, Ana", "50 : 40 : 40 : 30"]);
    expect(opponentsText(games[6]!)).toBe("A.D.A.M., levels 2, 5");
  });
});

describe("one's strength", () => {
  const ratings = new Map([["novice", 990], ["greedy", 1000], ["priest", 1830]]);
  const against = (strength: number, score: number, weight = 1) => ({ strength, score, weight });

  it("is measured on the scale of the ladder", () => {
    expect(expectedScore(1400, 1000)).toBeCloseTo(10 / 11, 6);
    expect(expectedScore(1040, 1000)).toBeCloseTo(0.557, 3); // as the page says
    const even = Array.from({ length: 400 }, (_, at) => against(1600, at % 2));
    expect(estimate(even).strength).toBeGreaterThan(1595);
    expect(estimate(even).strength).toBeLessThan(1600);
    const three = Array.from({ length: 400 }, (_, at) => against(1600, at % 4 ? 1 : 0));
    expect(estimate(three).strength).toBeCloseTo(1600 + 400 * Math.log10(3), -1);
  });

  it("is the most likely one: the results and what was known before weigh the same", () => {
    const results = [against(990, 1), against(1250, 0), against(1660, 0.5), against(1250, 1, 0.5)];
    const { strength } = estimate(results);
    const likelihood = (at: number) => results.reduce(
      (sum, { strength: other, score, weight }) => sum + weight * (score * Math.log(expectedScore(at, other)) + (1 - score) * Math.log(expectedScore(other, at))),
      -((at - 1000) ** 2) / (2 * 400 ** 2),
    );
    for (const beside of [-5, 5]) expect(likelihood(strength)).toBeGreaterThan(likelihood(strength + beside));
    expect(estimate(results, 2500).strength).toBeCloseTo(strength, 1);
  });

  it("stays finite after nothing but wins or losses, and says how little is known", () => {
    expect(estimate([])).toEqual({ strength: 1000, margin: 1.96 * 400 });
    const [once, often] = [1, 30].map((times) => estimate(Array.from({ length: times }, () => against(1000, 1))));
    expect(once!.strength).toBeGreaterThan(1100);
    expect(often!.strength).toBeGreaterThan(once!.strength);
    expect(often!.strength).toBeLessThan(2000);
    expect(once!.margin).toBeGreaterThan(500);
    expect(often!.margin).toBeLessThan(once!.margin);
    expect(estimate([against(1920, 0)]).strength).toBeGreaterThan(980); // that was to be expected
  });

  it("counts games against rated bots that one played alone", () => {
    const table = game({ rank: 2, others: [opponent("priest", 1), opponent("greedy", 3), friend("Ana", 4)] });
    expect(ratedResults(table, ratings)).toEqual([against(1830, 0, 0.5), against(1000, 1, 0.5)]);
    expect(ratedResults(game({ others: [opponent("greedy", 1)] }), ratings)).toEqual([against(1000, 0.5)]);
    for (const other of [game({ helped: true }), game({ others: [ADAM] }), won("else:Bot"), game({ others: [opponent("greedy", 2, { standIn: true })] })])
      expect(ratedResults(other, ratings)).toEqual([]);
  });

  it("has a point after each such game, and follows what is new", () => {
    const curve = strengthCurve([won("greedy"), game({ others: [ADAM] }), lost("greedy"), won("priest")], ratings);
    expect(curve.map((point) => point.won)).toEqual([true, false, true]);
    expect(curve[1]!.strength).toBeLessThan(curve[0]!.strength);
    expect(curve[2]!.strength).toBeGreaterThan(curve[0]!.strength);
    const learnt = strengthCurve([...Array.from({ length: 200 }, () => lost("greedy")), ...Array.from({ length: 100 }, () => won("greedy"))], ratings);
    expect(learnt[199]!.strength).toBeLessThan(500);
    expect(learnt[299]!.strength).toBeGreaterThan(1050);
  });

  it("is told in words, with how sure it is", () => {
    const ladder = [{ name: "Novice", strength: 990 }, { name: "Priest", strength: 1830 }];
    const few = strengthCurve([won("greedy")], ratings);
    expect(strengthText([])).toContain("bot");
    expect(strengthText(few)).toMatch(/^A first guess: 1\d\d\d, give or take \d+\. One game/);
    const many = strengthCurve(Array.from({ length: 60 }, (_, at) => (at % 2 ? won : lost)("greedy")), ratings);
    expect(strengthText(many)).toMatch(/^\d+, give or take \d+, after 60 games\.$/);
    expect(curveText(few, ladder)).toMatch(/^After 1 game: 1\d\d\d\. Next step above: Priest 1830\. Next step below: Novice 990\.$/);
    expect(curveText(many, ladder)).toMatch(/^From \d+ after the first game to \d+ after 60\./);
  });

  it("is drawn with the steps around it", () => {
    const ladder = [["Novice", 990], ["Greedy", 1000], ["Apprentice", 1250], ["High priest", 1920]].map(([name, strength]) => ({ name: name as string, strength: strength as number }));
    const point = (strength: number, margin: number) => ({ strength, margin, game: game(), won: true });
    const chart = chartOf([point(1050, 300), point(1100, 80)], ladder);
    expect(chart.steps.map((step) => step.label)).toEqual(["Novice, Greedy", "", "Apprentice"]);
    for (const strength of [1020, 1180, 1250]) {
      expect(heightOf(chart, strength)).toBeGreaterThan(0);
      expect(heightOf(chart, strength)).toBeLessThan(1);
    }
    const above = chartOf([point(2400, 50)], ladder);
    expect([above.low < 1920, above.high > 2450]).toEqual([true, true]);
    expect([partOf(0, 1), partOf(0, 3), partOf(2, 3)]).toEqual([1, 0, 1]);
    expect([gameMarks(1), gameMarks(4), gameMarks(34)]).toEqual([[1], [1, 2, 3, 4], [1, 5, 10, 15, 20, 25, 30]]);
  });
});

it("has an address of its own", () => {
  expect(readRoute("#/games")).toEqual({ screen: "games" });
});
