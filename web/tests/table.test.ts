import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Refused, TableState } from "../src/lib/protocol";
import type { HeldSeat } from "../src/lib/seats";
import { board, DONE, piece, seatView, supply, tableState, take, viewData } from "./making";
import { FakeSocket } from "./sockets";
import { makeStorage } from "./storage";

const { reloadOnce } = vi.hoisted(() => ({ reloadOnce: vi.fn(() => false) }));
vi.mock("../src/lib/reload", () => ({ reloadOnce }));
vi.stubGlobal("localStorage", makeStorage());
vi.stubGlobal("location", { protocol: "http:", host: "coatl.test" });
vi.stubGlobal("WebSocket", FakeSocket);
const { heldSeats, holdSeat } = await import("../src/lib/seats");
const { cards } = await import("../src/lib/cards.svelte");
const { device } = await import("../src/lib/device.svelte");
const { seatName } = await import("../src/lib/names");
const { settings } = await import("../src/lib/settings.svelte");
const { TableStore } = await import("../src/lib/table.svelte");

const seat = (name: string, more: Partial<HeldSeat> = {}): HeldSeat =>
  ({ table: "table-1", token: `token-of-${name}`, role: "seat", nonce: `nonce-of-${name}`, promise: "promised", name, at: 0, ...more });
const ANA = seat("Ana");
const BEN = seat("Ben");

/** A table with its sockets open, in the order of the seats. */
function openTable(...seats: HeldSeat[]) {
  const store = new TableStore("table-1", seats);
  const sockets = [...FakeSocket.all];
  sockets.forEach((socket) => socket.accept());
  const socket = sockets[0]!;
  return { store, sockets, socket, hear: (more: Partial<TableState> = {}) => socket.deliver(tableState(more)) };
}

/** The same state as Ana and as Ben hear it. */
function hearAsBoth(sockets: readonly FakeSocket[], version: number, toMove: number | null, more: Partial<TableState> = {}): void {
  sockets.forEach((socket, at) => {
    const view = viewData({ seat: at, to_move: toMove, turn: version });
    socket.deliver(tableState({ place: at, seat: at, version, view, ...more }));
  });
}

const refusal = (code: Refused["code"], more: Partial<Refused> = {}): Refused => ({ type: "refused", code, text: "no", ...more });
const taking = (at: number) => piece(1, "R", supply(`b${at}`), board(1));

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal("window", new EventTarget());
  localStorage.clear();
  settings.set({ speed: "off" });
  reloadOnce.mockClear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe("a table with one seat", () => {
  it("connects with the token of the seat, and shows what comes", () => {
    const { store, socket, hear } = openTable(ANA);
    expect(FakeSocket.all).toHaveLength(1);
    expect(socket.url).toBe("ws://coatl.test/api/tables/table-1/socket");
    expect(socket.sent[0]).toMatchObject({ type: "hello", token: ANA.token });
    expect([store.state, store.latest, store.link, store.held]).toEqual([undefined, undefined, "connecting", ANA]);
    hear({ version: 4 });
    expect([store.state?.version, store.latest?.version, store.link]).toEqual([4, 4, "open"]);
    expect([store.fatal, store.refused, store.curtain]).toEqual([null, null, false]);
  });

  it("puts the events together, and begins again where the server does", () => {
    const { store, hear } = openTable(ANA);
    hear({ events: [taking(1), taking(2)] });
    hear({ version: 2, first_event: 2, events: [taking(3)] });
    expect(store.heard).toEqual([taking(1), taking(2), taking(3)]);
    expect(store.log).toEqual(store.heard);
    hear({ version: 3, first_event: 1, events: [taking(4)] });
    expect(store.heard).toEqual([taking(1), taking(4)]);
  });

  it("tells no more in its log than the screen shows", () => {
    settings.set({ speed: "normal" });
    const { store, hear } = openTable(ANA);
    hear();
    hear({ version: 2, events: [taking(1)] });
    hear({ version: 3, first_event: 1, events: [taking(2)] });
    expect([store.state?.version, store.latest?.version]).toEqual([2, 3]);
    expect([store.log, store.heard]).toEqual([[taking(1)], [taking(1), taking(2)]]);
    vi.advanceTimersByTime(3000);
    expect([store.state?.version, store.log.length]).toEqual([3, 2]);
  });

  it("decides and takes back at the version that is shown", () => {
    const { store, socket, hear } = openTable(ANA);
    store.decide("done");
    store.undo();
    expect(socket.sentTypes).toEqual(["hello"]); // nothing is shown yet
    hear({ version: 7 });
    store.decide("take b1");
    store.undo();
    store.why("done");
    expect(socket.sent.slice(1)).toEqual([
      { type: "decide", version: 7, move: "take b1", id: expect.any(String) },
      { type: "undo", version: 7, id: expect.any(String) },
      { type: "why", move: "done", id: expect.any(String) },
    ]);
  });

  it("knows who is there", () => {
    const { store, socket, hear } = openTable(ANA);
    hear();
    expect(store.connected).toEqual([true, true]);
    socket.deliver({ type: "presence", connected: [true, false], watching: 3 });
    expect([store.connected, store.watching]).toEqual([[true, false], 3]);
    hear({ version: 2 });
    expect(store.connected).toEqual([true, true]);
  });

  it("stays as it was while the connection is lost, and sends then what was decided meanwhile", () => {
    const { store, socket, hear } = openTable(ANA);
    hear({ version: 3, events: [taking(1)] });
    socket.drop();
    expect([store.link, store.state?.version, store.fatal]).toEqual(["lost", 3, null]);
    store.decide("done");
    vi.advanceTimersToNextTimer();
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent).toMatchObject([{ type: "hello", version: 3, events: 1 }, { type: "decide", version: 3, move: "done" }]);
    const { id } = FakeSocket.last.sent[1]!;
    FakeSocket.last.deliver(tableState({ version: 4, first_event: 1, events: [taking(2)], reply: id! }));
    expect([store.link, store.state?.version, store.heard.length]).toEqual(["open", 4, 2]);
  });

  it("says what is wrong with the connection, the worst first", () => {
    const { store, hear } = openTable(ANA);
    hear();
    expect(store.trouble).toBeNull();
    store.decide("done");
    vi.advanceTimersByTime(600);
    expect(store.trouble).toBe("sending");
    vi.advanceTimersByTime(6000);
    expect(store.trouble).toBe("stale");
    window.dispatchEvent(new Event("offline"));
    expect(store.trouble).toBe("offline");
    window.dispatchEvent(new Event("online"));
    expect(store.trouble).toBe("reconnecting");
    FakeSocket.last.accept();
    const { id } = FakeSocket.last.sent[1]!;
    FakeSocket.last.deliver(tableState({ version: 2 }));
    expect(store.trouble).toBe("sending");
    FakeSocket.last.deliver(tableState({ version: 3, reply: id! }));
    expect(store.trouble).toBeNull();
  });

  it("connects no more once it is closed", () => {
    const { store, socket, hear } = openTable(ANA);
    hear();
    store.close();
    vi.advanceTimersByTime(60_000);
    expect([socket.readyState, FakeSocket.all.length, store.link]).toEqual([3, 1, "closed"]);
  });

  it("without a seat has nothing, and fails at nothing", () => {
    const store = new TableStore("table-1", []);
    store.decide("done");
    expect([store.state, store.held, store.people, store.log, FakeSocket.all.length]).toEqual([undefined, undefined, 0, [], 0]);
  });
});

describe("sitting down", () => {
  const places = [{ kind: "person", name: "", ready: false, connected: true }, { kind: "person", name: "Ben", ready: true, connected: true }] as const;
  const joins = (socket: FakeSocket) => socket.sent.filter(({ type }) => type === "join");

  it("happens once, with the nonce of the seat", () => {
    const { socket, hear } = openTable(ANA);
    hear({ status: "waiting", view: null, seat: null, places });
    hear({ status: "waiting", view: null, seat: null, places, version: 2 });
    expect(joins(socket)).toEqual([{ type: "join", nonce: "nonce-of-Ana", name: "Ana", id: expect.any(String) }]);
  });

  it("leaves out a name that nobody gave", () => {
    const { socket, hear } = openTable(seat("", { token: "t" }));
    hear({ status: "waiting", view: null, places });
    expect(joins(socket)).toMatchObject([{ name: null }]);
  });

  it("is not for who sits there already, nor for who only looks", () => {
    const { socket, hear } = openTable(ANA);
    hear({ places: [{ ...places[0], ready: true }, places[1]] });
    hear({ place: null, seat: null, places });
    expect(joins(socket)).toEqual([]);
  });

  it("keeps the first promise of the table, and no later one", () => {
    const unpromised = { ...ANA, promise: "" };
    holdSeat(unpromised);
    const first = openTable(unpromised);
    first.hear({ promise: "the first" });
    expect(heldSeats().map(({ token, promise }) => [token, promise])).toEqual([[ANA.token, "the first"]]);
    FakeSocket.all = [];
    const again = openTable(...heldSeats());
    again.hear({ promise: "another" });
    expect(heldSeats()[0]?.promise).toBe("the first");
  });
});

describe("what is refused", () => {
  it("is told until something else is sent, and so is a reason", () => {
    const { store, socket, hear } = openTable(ANA);
    hear();
    const reason = { type: "reason", reply: "1", move: "done", clause: "A1" };
    socket.deliver(refusal("illegal", { clause: "A1" }));
    socket.deliver(reason);
    expect([store.refused?.clause, store.reason, store.fatal]).toEqual(["A1", reason, null]);
    store.decide("done");
    expect([store.refused, store.reason]).toEqual([null, null]);
  });

  it("is not worth a word where a new state follows anyway", () => {
    const { store, socket, hear } = openTable(ANA);
    hear();
    socket.deliver(refusal("stale"));
    socket.deliver(refusal("taken"));
    expect([store.refused, store.fatal]).toEqual([null, null]);
  });

  it.each(["bad_token", "unknown_table", "forbidden"] as const)("may be the end of it: %s", (code) => {
    const { store, socket } = openTable(ANA);
    socket.deliver(refusal(code));
    expect([store.fatal, store.refused]).toEqual([code, null]);
    expect(reloadOnce).not.toHaveBeenCalled();
  });

  it("loads the page anew where the server speaks another protocol; if that did not help it is the end", () => {
    const { store, socket } = openTable(ANA);
    reloadOnce.mockReturnValueOnce(true);
    socket.deliver(refusal("wrong_protocol"));
    expect([reloadOnce.mock.calls.length, store.fatal]).toEqual([1, null]);
    socket.deliver(refusal("wrong_protocol"));
    expect([reloadOnce.mock.calls.length, store.fatal]).toEqual([2, "wrong_protocol"]);
  });
});

describe("people at one device", () => {
  it("have a connection each, and see the one whose turn it is behind a curtain", () => {
    const { store, sockets } = openTable(ANA, BEN);
    expect(sockets.map((socket) => socket.sent[0]?.["token"])).toEqual([ANA.token, BEN.token]);
    hearAsBoth(sockets, 1, 0);
    expect([store.people, store.held, store.curtain]).toEqual([2, ANA, false]);
    expect([device.shared, seatName(store.state!, 0)]).toEqual([true, "Ana"]);
    hearAsBoth(sockets, 2, 1);
    expect([store.held, store.curtain, store.latest?.seat]).toEqual([BEN, true, 1]);
    store.raiseCurtain();
    expect([store.curtain, store.state?.seat, store.state?.version]).toEqual([false, 1, 2]);
    hearAsBoth(sockets, 3, 1); // still Ben's turn: no curtain
    expect([store.held, store.curtain]).toEqual([BEN, false]);
  });

  it("send as the one who is shown", () => {
    const { store, sockets } = openTable(ANA, BEN);
    hearAsBoth(sockets, 1, 0);
    hearAsBoth(sockets, 2, 1);
    store.raiseCurtain();
    store.decide("done");
    expect(sockets.map((socket) => socket.sentTypes)).toEqual([["hello"], ["hello", "decide"]]);
  });

  it("go by places, not by seats: lots may have seated them otherwise", () => {
    const { store, sockets } = openTable(ANA, BEN);
    const swapped = { seating: [1, 0] };
    sockets[0]!.deliver(tableState({ ...swapped, place: 0, seat: 1, view: viewData({ seat: 1, to_move: 0 }) }));
    sockets[1]!.deliver(tableState({ ...swapped, place: 1, seat: 0, view: viewData({ seat: 0, to_move: 0 }) }));
    expect(store.held).toEqual(BEN);
  });

  it("see nothing of what is played out before the curtain rises", () => {
    settings.set({ speed: "normal" });
    const { store, sockets } = openTable(ANA, BEN);
    hearAsBoth(sockets, 1, 0);
    const events = [piece(0, "R", supply("b1"), board(0))];
    hearAsBoth(sockets, 2, 1, { events });
    vi.advanceTimersByTime(3000);
    expect([store.curtain, store.state?.version, store.log]).toEqual([true, 1, []]);
    store.raiseCurtain();
    vi.advanceTimersByTime(3000);
    expect([store.state?.version, store.log]).toEqual([2, events]);
  });

  it("all see the end", () => {
    const { store, sockets } = openTable(ANA, BEN);
    hearAsBoth(sockets, 1, 0);
    hearAsBoth(sockets, 2, 1);
    hearAsBoth(sockets, 3, null);
    expect(store.curtain).toBe(true); // A.D.A.M. plays, or it is not known who
    hearAsBoth(sockets, 4, null, { status: "over" });
    expect(store.curtain).toBe(false);
  });

  it("are not those who only look: no curtain falls between a seat and a spectator's view", () => {
    const { store, sockets } = openTable(seat("watch", { role: "watch" }), BEN);
    sockets[0]!.deliver(tableState({ place: null, seat: null, view: viewData({ seat: null, to_move: 0 }) }));
    sockets[1]!.deliver(tableState({ place: 1, seat: 1, view: viewData({ seat: 1, to_move: 1 }) }));
    expect([store.people, store.held?.name, store.curtain]).toEqual([1, "Ben", false]);
  });
});

describe("a bot that plays for a person", () => {
  const [ana, ben] = tableState().places;
  const handed = [{ ...ana!, bot: "greedy" }, ben!];
  const shown = (socket: FakeSocket) => socket.sent.filter(({ type }) => type === "shown").map(({ version }) => version);

  it("is told what the screen shows, when it has been shown long enough", () => {
    settings.set({ speed: "normal" });
    const { socket, hear } = openTable(ANA);
    hear();
    expect(shown(socket)).toEqual([]); // no bot waits for it
    hear({ version: 2, places: handed });
    expect(shown(socket)).toEqual([2]);
    hear({ version: 3, places: handed, events: [piece(0, "R", supply("b1"), board(0))] });
    hear({ version: 4, places: handed, first_event: 1, events: [taking(2)] });
    expect(shown(socket)).toEqual([2]);
    vi.advanceTimersByTime(4_000);
    expect(shown(socket)).toEqual([2, 4]);
  });

  it("need not be told where it plays to the end", () => {
    const { socket, hear } = openTable(ANA);
    hear({ places: [{ ...handed[0]!, gave_up: true }, ben!] });
    expect(shown(socket)).toEqual([]);
  });

  it("is not waited for at a device where somebody else looks: no curtain falls for it", () => {
    const { store, sockets } = openTable(ANA, BEN);
    hearAsBoth(sockets, 1, 0);
    hearAsBoth(sockets, 2, 1, { places: handed });
    store.raiseCurtain();
    hearAsBoth(sockets, 3, 0, { places: handed });
    expect([store.held, store.curtain]).toEqual([BEN, false]);
    expect(sockets.map(shown)).toEqual([[2, 3], []]);
    expect(store.standIns).toEqual([{ token: ANA.token, place: 0 }]);
    store.takeOver(ANA.token);
    expect(sockets[0]!.sentTypes.at(-1)).toBe("take_back");
    hearAsBoth(sockets, 4, 0);
    expect([store.held, store.curtain, store.standIns]).toEqual([ANA, true, []]);
  });
});

describe("a turn in which nothing is left to choose", () => {
  const coatl = { pieces: "<KK>", complete: true, value: 5, cards: [] } as unknown as ReturnType<typeof seatView>["coatls"][number];
  const after = (count: number, more: Parameters<typeof viewData>[0] = {}) =>
    viewData({ phase: "assemble", moves: [DONE], seats: [seatView({ coatls: Array(count).fill(coatl) }), seatView()], ...more });
  const sent = (socket: FakeSocket) => socket.sent.filter(({ type }) => type === "decide").map(({ version, move }) => [version, move]);

  beforeEach(() => (cards.numbers = { ...cards.numbers, coatls: 3 }));

  it("ends by itself after the third Cóatl, once", () => {
    const { store, socket, hear } = openTable(ANA);
    hear({ version: 5, view: after(3) });
    store.endTurn();
    hear({ version: 5, view: after(3) });
    store.endTurn();
    expect(sent(socket)).toEqual([[5, "done"]]);
  });

  it.each([
    ["the second", after(2)],
    ["one that is being completed", after(3, { phase: "temple" })],
    ["a third with something to choose", after(3, { moves: [DONE, take("b1")] })],
    ["somebody else's", after(3, { to_move: 1 })],
  ])("does not after %s", (_, view) => {
    const { store, socket, hear } = openTable(ANA);
    hear({ view });
    store.endTurn();
    expect(sent(socket)).toEqual([]);
  });

  it("is left to the bot that plays for me", () => {
    const { store, socket, hear } = openTable(ANA);
    const [ana, ben] = tableState().places;
    hear({ view: after(3), places: [{ ...ana!, bot: "greedy" }, ben!] });
    store.endTurn();
    expect(sent(socket)).toEqual([]);
  });
});
