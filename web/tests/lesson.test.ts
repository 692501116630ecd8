import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../src/lib/api";
import { goesOn, NEXT, undone } from "../src/lib/lesson/path";
import { isAboutAdam } from "../src/lib/lesson/targets";
import type { GameEvent, LessonRequest, LessonState, LessonTarget, TableState } from "../src/lib/protocol";
import { tableState } from "./making";
import { makeStorage } from "./storage";

vi.stubGlobal("localStorage", makeStorage());
vi.stubGlobal("window", new EventTarget());
const { Coaching } = await import("../src/lib/lesson/coaching.svelte");
const { LessonConnection } = await import("../src/lib/lesson/connection");
const { keepLesson, keptLesson, restartLesson } = await import("../src/lib/lesson/kept");
const { heldSeats } = await import("../src/lib/seats");
const { settings } = await import("../src/lib/settings.svelte");

const EVENT: GameEvent = { kind: "turn", seat: 0, turn: 1 };
/** What each step wants, in order; the first one is only read. */
const WANTED = [NEXT, "take b3", "done", "take b1"];

/** A server that folds the path: an item that is not wanted leads astray, `bad` is refused, `gone` no path at all. */
function fold(request: LessonRequest): LessonState {
  const path = request.at === undefined || request.at === null ? (request.path ?? []) : WANTED.slice(0, request.at);
  if (path.includes("gone")) throw new ApiError("bad_path", "");
  if (path.at(-1) === "bad") throw new ApiError("illegal", "no", null, "P1", "P1.empty");
  const right = path.findIndex((item, at) => item !== WANTED[at]);
  const number = right < 0 ? path.length : right;
  const events = Array.from({ length: path.length }, () => EVENT).slice(request.events ?? 0);
  return {
    type: "lesson", name: "first", title: "First lesson", count: WANTED.length, number, starts: WANTED.slice(0, number + 1).map((_, at) => at),
    step: {
      name: `step ${number}`, kind: WANTED[number] === NEXT ? "read" : "do", title: "", text: "", action: "", targets: [], reasons: [], clause: "",
      show: WANTED[number] === NEXT || right >= 0 ? [] : WANTED.slice(number, number + 1),
    },
    astray: right < 0 ? "" : "That is another way.", right_until: right < 0 ? null : right, said: "", path, state: tableState({ version: 1, events, first_event: request.events ?? 0 }),
    reason: request.why ? { move: request.why, clause: "P1" } : null,
  };
}

function listen(ask: (request: LessonRequest) => Promise<LessonState>, path: readonly string[] = [], step = 0) {
  const heard = { lessons: [] as LessonState[], states: [] as TableState[], refused: [] as string[], reasons: [] as string[], links: [] as string[], sending: [] as boolean[] };
  const network = new EventTarget();
  const connection = new LessonConnection(ask, { path, step }, {
    lesson: (lesson) => heard.lessons.push(lesson),
    state: (state) => heard.states.push(state),
    refused: ({ code, clause }) => heard.refused.push(`${code} ${clause}`),
    reason: ({ move }) => heard.reasons.push(move),
    link: (link) => heard.links.push(link),
    sending: (sending) => heard.sending.push(sending),
  }, network);
  return { connection, heard, network };
}

const answered = () => vi.advanceTimersByTimeAsync(0);
const decide = (move: string, version: number) => ({ type: "decide", move, version }) as const;

beforeEach(() => {
  localStorage.clear();
  settings.set({ speed: "off" });
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe("a path", () => {
  it("is undone move by move, with what was read after the move", () => {
    expect(undone(["take b3", NEXT, NEXT])).toEqual([]);
    expect(undone([NEXT, "take b3", "done"])).toEqual([NEXT, "take b3"]);
    expect(undone([NEXT])).toEqual([NEXT]);
  });

  it("goes on from another only if that is its beginning", () => {
    expect([goesOn(["a", "b"], ["a"]), goesOn(["a"], ["a", "b"]), goesOn(["b"], ["a"]), goesOn([], [])]).toEqual([true, false, false, true]);
  });
});

describe("LessonConnection", () => {
  it("sends the path, and each decision makes it longer", async () => {
    const ask = vi.fn(async (request: LessonRequest) => fold(request));
    const { connection, heard } = listen(ask);
    await answered();
    expect(heard.links).toEqual(["connecting", "open"]);
    connection.change([NEXT]);
    await answered();
    connection.send(decide("take b3", 2));
    await answered();
    expect(ask.mock.calls.map(([request]) => request)).toEqual([
      { path: [], events: 0 }, { path: [NEXT], events: 0 }, { path: [NEXT, "take b3"], events: 1 },
    ]);
    expect(heard.states.map(({ version, first_event: first }) => [version, first])).toEqual([[1, 0], [2, 0], [3, 1]]);
  });

  it("plays nothing twice, and nothing for an old state", async () => {
    const ask = vi.fn(async (request: LessonRequest) => fold(request));
    const { connection, heard } = listen(ask, [NEXT]);
    await answered();
    connection.send(decide("take b3", 1));
    connection.send(decide("take b3", 1));
    await answered();
    connection.send(decide("done", 1));
    await answered();
    expect(heard.lessons.at(-1)?.path).toEqual([NEXT, "take b3"]);
  });

  it("undoes with a newer state of a shorter path", async () => {
    const { connection, heard } = listen(async (request) => fold(request), [NEXT, "take b3"]);
    await answered();
    connection.send({ type: "undo", version: 1 });
    await answered();
    expect(heard.states.map(({ version, first_event: first, events }) => [version, first, events.length])).toEqual([[1, 0, 2], [2, 0, 1]]);
    expect(heard.lessons.at(-1)?.path).toEqual([NEXT]);
  });

  it("asks why without going anywhere", async () => {
    const { connection, heard } = listen(async (request) => fold(request));
    await answered();
    connection.send({ type: "why", move: "take b2" });
    await answered();
    expect([heard.reasons, heard.states.length]).toEqual([["take b2"], 1]);
  });

  it("hands on what is refused, and stays where it is", async () => {
    const { connection, heard } = listen(async (request) => fold(request));
    await answered();
    connection.send(decide("bad", 1));
    await answered();
    expect([heard.refused, heard.states.length]).toEqual([["illegal P1"], 1]);
    connection.send(decide("take b3", 1));
    await answered();
    expect(heard.lessons.at(-1)?.path).toEqual(["take b3"]);
  });

  it("begins at the same step where a kept path means nothing any more", async () => {
    const ask = vi.fn(async (request: LessonRequest) => fold(request));
    const { heard } = listen(ask, [NEXT, "gone"], 2);
    await answered();
    expect(ask.mock.lastCall?.[0]).toEqual({ path: [], at: 2, events: 0 });
    expect(heard.lessons.map(({ path, number }) => [path, number])).toEqual([[[NEXT, "take b3"], 2]]);
    expect(heard.refused).toEqual([]);
  });

  it("asks again until it is answered, and says so meanwhile", async () => {
    let isThere = false;
    const { heard, network } = listen(async (request) => {
      if (!isThere) throw new ApiError("offline", "");
      return fold(request);
    });
    await vi.advanceTimersByTimeAsync(600);
    expect([heard.links, heard.sending]).toEqual([["connecting", "lost"], [true]]);
    isThere = true;
    network.dispatchEvent(new Event("online"));
    await answered();
    expect([heard.links.at(-1), heard.sending.at(-1), heard.states.length]).toEqual(["open", false, 1]);
  });

  it("says nothing more when it is closed", async () => {
    const { connection, heard } = listen(async (request) => fold(request));
    connection.close();
    await answered();
    expect([heard.states, heard.links]).toEqual([[], ["connecting", "closed"]]);
  });
});

describe("Coaching", () => {
  const NAME = "first";

  /** A lesson whose screen shows everything at once. */
  async function open() {
    const ask = vi.fn(async (request: LessonRequest) => fold(request));
    const coaching = new Coaching(NAME, ask);
    const rest = async () => {
      await answered();
      coaching.catchUp();
      return coaching.shown!;
    };
    await rest();
    return { coaching, rest, ask };
  }

  it("goes on from what is read, and keeps how far it is", async () => {
    const { coaching, rest } = await open();
    expect([coaching.shown?.number, coaching.canGoBack, coaching.canShow]).toEqual([0, false, false]);
    coaching.goOn();
    expect((await rest()).number).toBe(1);
    expect(keptLesson(NAME)).toEqual({ path: [NEXT], step: 1, done: false });
    expect(heldSeats()).toEqual([]); // it is no table of this browser's
  });

  it("is taken up where it was left", async () => {
    keepLesson(NAME, { path: [NEXT, "take b3"], step: 2, done: false });
    const { coaching } = await open();
    expect([coaching.shown?.number, coaching.shown?.path]).toEqual([2, [NEXT, "take b3"]]);
  });

  it("goes back a step, and forgives a wrong turn", async () => {
    keepLesson(NAME, { path: [NEXT, "take b3"], step: 2, done: false });
    const { coaching, rest } = await open();
    coaching.store.decide("take b6");
    expect((await rest()).astray).not.toBe("");
    coaching.takeBack();
    expect(await rest()).toMatchObject({ number: 2, astray: "", path: [NEXT, "take b3"] });
    coaching.back();
    expect(await rest()).toMatchObject({ number: 1, path: [NEXT] });
  });

  it("shows the moves of a step, also after a wrong turn, and then stops", async () => {
    keepLesson(NAME, { path: [NEXT, "take b6"], step: 1, done: false });
    const { coaching, rest } = await open();
    expect([coaching.shown?.astray !== "", coaching.canShow]).toEqual([true, true]);
    coaching.showMe();
    expect((await rest()).path).toEqual([NEXT]);
    expect(coaching.showing).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await rest()).path).toEqual([NEXT, "take b3"]);
    expect(coaching.showing).toBeNull();
  });

  it("is done at its end, stays so, and begins anew when it is opened again", async () => {
    keepLesson(NAME, { path: WANTED.slice(0, 3), step: 3, done: false });
    const { coaching, rest } = await open();
    coaching.store.decide("take b1");
    await rest();
    expect([coaching.isOver, keptLesson(NAME)]).toEqual([true, { path: [], step: 0, done: true }]);
    restartLesson(NAME);
    const again = await open();
    again.coaching.goOn();
    await again.rest();
    expect(keptLesson(NAME)).toEqual({ path: [NEXT], step: 1, done: true });
  });

  it("reads what other versions kept as well as it can", () => {
    localStorage.setItem("coatl.lessons", JSON.stringify({ first: { path: [1], step: 2, done: true }, solo: "x" }));
    expect([keptLesson(NAME), keptLesson("solo"), keptLesson("other")]).toEqual([
      { path: [], step: 0, done: true }, { path: [], step: 0, done: false }, { path: [], step: 0, done: false },
    ]);
  });
});

describe("what a step is about", () => {
  const at = (...kinds: readonly LessonTarget["kind"][]) => kinds.map((kind) => ({ kind, name: "" }));

  it("is A.D.A.M. where nothing but a space is to be pressed", () => {
    expect(isAboutAdam(at("adam"), [])).toBe(true);
    expect(isAboutAdam(at("space"), at("adam", "lane"))).toBe(true);
    expect(isAboutAdam(at("space"), at("lane"))).toBe(false);
    expect(isAboutAdam(at("hand"), at("adam"))).toBe(false);
    expect(isAboutAdam([], at("adam"))).toBe(false);
  });
});
