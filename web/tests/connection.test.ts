import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId, randomHex, socketUrl, TableConnection, type Link } from "../src/lib/connection";
import { PROTOCOL, type Reason, type Refused, type TableState } from "../src/lib/protocol";
import { DEAD, DOUBT, QUIET } from "../src/lib/pulse";
import { FakeSocket } from "./sockets";

const TOKEN = "token-token-token";
/** Milliseconds until it comes back, after the first time in vain, the second, ... */
const PAUSES = [200, 500, 1000, 2000, 4000, 4000];

const state = (version: number, more: object = {}) => ({
  type: "state", version, status: "playing", first_event: 0, events: [], ...more,
});
const refusal = (code: string, more: object = {}) => ({ type: "refused", code, text: "no", ...more });

function makeConnection() {
  const network = new EventTarget();
  const seen = { states: [] as TableState[], refused: [] as Refused[], links: [] as Link[], reasons: [] as Reason[], presence: [] as unknown[], sending: [] as boolean[] };
  const connection = new TableConnection(
    "ws://x", TOKEN,
    {
      state: (one) => seen.states.push(one),
      refused: (one) => seen.refused.push(one),
      link: (one) => seen.links.push(one),
      reason: (one) => seen.reasons.push(one),
      presence: (...one) => seen.presence.push(one),
      sending: (one) => seen.sending.push(one),
    },
    (url) => new FakeSocket(url) as unknown as WebSocket,
    network,
  );
  return { connection, seen, network };
}

/** The connection is lost and comes back. */
function reconnect(): void {
  FakeSocket.last.drop();
  vi.advanceTimersToNextTimer();
  FakeSocket.last.accept();
}

describe("TableConnection", () => {
  beforeEach(() => {
    FakeSocket.all = [];
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it("says hello first, with what it knows", () => {
    const { seen } = makeConnection();
    expect([FakeSocket.last.url, ...seen.links]).toEqual(["ws://x", "connecting"]);
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent).toEqual([{ type: "hello", token: TOKEN, version: 0, events: 0, protocol: PROTOCOL, shown: 0 }]);
    FakeSocket.last.deliver(state(3, { events: [{}, {}] }));
    expect(seen.states.map(({ version }) => version)).toEqual([3]);
    expect(seen.links).toEqual(["connecting", "open"]);
  });

  it("keeps what is sent before it is open, and sends it after the hello in the same order", () => {
    const { connection } = makeConnection();
    const ids = [connection.send({ type: "why", move: "done" }), connection.send({ type: "undo", version: 1 })];
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.accept();
    expect(FakeSocket.last.sentTypes).toEqual(["hello", "why", "undo"]);
    expect(FakeSocket.last.sent.slice(1).map(({ id }) => id)).toEqual(ids);
  });

  it("says so when the network is gone, and comes back as soon as it is there", () => {
    const { connection, seen, network } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(3));
    network.dispatchEvent(new Event("offline"));
    expect(seen.links.at(-1)).toBe("offline");
    vi.advanceTimersByTime(300); // it tries all the same: a browser may be wrong
    expect([FakeSocket.all.length, seen.links.at(-1)]).toEqual([2, "offline"]);
    connection.send({ type: "decide", version: 3, move: "done" });
    network.dispatchEvent(new Event("online"));
    FakeSocket.last.accept();
    expect(FakeSocket.last.sentTypes).toEqual(["hello", "decide"]);
    FakeSocket.last.deliver(state(3));
    expect(seen.links.at(-1)).toBe("open");
    const sockets = FakeSocket.all.length;
    vi.advanceTimersByTime(QUIET);
    expect(FakeSocket.all.length).toBe(sockets); // one way back, not two
    connection.close();
    network.dispatchEvent(new Event("online"));
    expect(FakeSocket.all.length).toBe(sockets);
  });

  it("asks after a silence whether the server is there, and any word is an answer", () => {
    const { seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(1));
    for (const answer of [{ type: "pong" }, { type: "presence", connected: [], watching: 0 }, refusal("bad_message")]) {
      vi.advanceTimersByTime(QUIET - 1);
      const before = FakeSocket.last.sent.length;
      vi.advanceTimersByTime(1);
      expect(FakeSocket.last.sent.slice(before)).toEqual([{ type: "ping", id: expect.any(String) }]);
      vi.advanceTimersByTime(DOUBT);
      expect(seen.links.at(-1)).toBe("silent");
      FakeSocket.last.deliver({ ...answer, reply: FakeSocket.last.sent.at(-1)!.id });
      expect(seen.links.at(-1)).toBe("open");
    }
    expect([FakeSocket.all.length, seen.refused]).toEqual([1, []]);
  });

  it("leaves a dead socket within seconds, and comes back", () => {
    const { connection, seen } = makeConnection();
    const dead = FakeSocket.last;
    dead.accept();
    dead.deliver(state(4));
    connection.send({ type: "decide", version: 4, move: "done" });
    vi.advanceTimersByTime(QUIET + DEAD);
    expect([dead.readyState, seen.links.at(-1)]).toEqual([3, "lost"]);
    vi.advanceTimersByTime(PAUSES[0]!);
    FakeSocket.last.accept();
    expect(FakeSocket.last).not.toBe(dead);
    expect(FakeSocket.last.sentTypes).toEqual(["hello", "decide"]);
  });

  it.each(["focus", "pageshow", "visibilitychange", "online"])("looks at once whether it is alive: %s", (event) => {
    const { network, seen } = makeConnection();
    if (event !== "online") network.dispatchEvent(new Event(event)); // it is being opened
    expect(FakeSocket.all).toHaveLength(1);
    FakeSocket.last.accept();
    network.dispatchEvent(new Event(event)); // before the first state there is nothing to ask
    FakeSocket.last.deliver(state(1));
    network.dispatchEvent(new Event(event));
    network.dispatchEvent(new Event(event));
    expect(FakeSocket.last.sentTypes).toEqual(["hello", "ping"]);
    vi.advanceTimersByTime(DEAD);
    expect(seen.links.at(-1)).toBe("lost");
    network.dispatchEvent(new Event(event)); // and does not wait for the next try
    expect([FakeSocket.all.length, seen.links.at(-1)]).toEqual([2, "connecting"]);
  });

  it("gives up a try that leads nowhere", () => {
    const { seen } = makeConnection();
    vi.advanceTimersByTime(10_000);
    expect([FakeSocket.last.readyState, seen.links.at(-1)]).toEqual([3, "lost"]);
    vi.advanceTimersByTime(PAUSES[0]!);
    FakeSocket.last.accept(); // opened, and not a word
    vi.advanceTimersByTime(10_000);
    expect([FakeSocket.all.length, seen.links.at(-1)]).toEqual([2, "lost"]);
  });

  it("says when something is long on its way, and when everything has arrived", () => {
    const { connection, seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(1));
    const quick = connection.send({ type: "why", move: "done" });
    FakeSocket.last.deliver({ type: "reason", move: "done", reply: quick });
    vi.advanceTimersByTime(2000);
    expect(seen.sending).toEqual([false]);
    const ids = [connection.send({ type: "why", move: "done" }), connection.send({ type: "undo", version: 1 })];
    vi.advanceTimersByTime(600);
    FakeSocket.last.deliver({ type: "reason", move: "done", reply: ids[0] });
    expect(seen.sending).toEqual([false, true]);
    FakeSocket.last.deliver(state(2, { reply: ids[1] }));
    expect(seen.sending).toEqual([false, true, false]);
  });

  it("sends again what was not answered, with the same id", () => {
    const { connection } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(3, { first_event: 4, events: [{}] }));
    const id = connection.send({ type: "decide", version: 3, move: "take b1" });
    const [, first] = FakeSocket.last.sent;
    expect(first).toEqual({ type: "decide", version: 3, move: "take b1", id });
    reconnect();
    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.last.sent[0]).toMatchObject({ type: "hello", version: 3, events: 5 });
    expect(FakeSocket.last.sent.slice(1)).toEqual([first]);
    FakeSocket.last.deliver(state(4)); // somebody else's doing: no answer
    reconnect();
    expect(FakeSocket.last.sent.slice(1)).toEqual([first]);
    FakeSocket.last.deliver(state(5, { reply: id }));
    reconnect();
    expect(FakeSocket.last.sentTypes).toEqual(["hello"]);
  });

  it.each([
    ["refused", refusal("stale")],
    ["explained", { type: "reason", move: "done" }],
  ])("does not ask again for what was %s", (_, answer) => {
    const { connection, seen } = makeConnection();
    FakeSocket.last.accept();
    const id = connection.send({ type: "why", move: "done" });
    FakeSocket.last.deliver({ ...answer, reply: id });
    expect([...seen.refused, ...seen.reasons]).toEqual([{ ...answer, reply: id }]);
    reconnect();
    expect(FakeSocket.last.sentTypes).toEqual(["hello"]);
  });

  it("keeps trying, more and more slowly, and starts anew once a state has come", () => {
    const { seen } = makeConnection();
    for (const pause of PAUSES) {
      const tries = FakeSocket.all.length;
      FakeSocket.last.drop();
      expect(seen.links.at(-1)).toBe("lost");
      vi.advanceTimersByTime(pause - 1);
      expect(FakeSocket.all.length).toBe(tries);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all.length).toBe(tries + 1);
      expect(seen.links.at(-1)).toBe("connecting");
    }
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(1));
    FakeSocket.last.drop();
    vi.advanceTimersByTime(PAUSES[0]!);
    expect(FakeSocket.all.length).toBe(PAUSES.length + 2);
  });

  it("does not listen to a socket that it has left", () => {
    const { seen, network } = makeConnection();
    const left = FakeSocket.last;
    left.accept();
    network.dispatchEvent(new Event("offline"));
    left.deliver(state(7));
    expect(seen.states).toEqual([]);
  });

  it("asks for everything again where the server went back in time", () => {
    const { seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(9, { events: [{}, {}] }));
    reconnect();
    FakeSocket.last.deliver(refusal("ahead"));
    expect(seen.refused.map(({ code }) => code)).toEqual(["ahead"]);
    reconnect();
    expect(FakeSocket.last.sent[0]).toMatchObject({ type: "hello", version: 0, events: 0 });
  });

  it("tells what is on the screen, and again in the hello when it comes back", () => {
    const { connection } = makeConnection();
    connection.tellShown(2); // before it is open: only the hello can say it
    FakeSocket.last.accept();
    connection.tellShown(3);
    expect(FakeSocket.last.sent).toMatchObject([{ type: "hello", shown: 2 }, { type: "shown", version: 3 }]);
    reconnect();
    expect(FakeSocket.last.sent).toMatchObject([{ type: "hello", shown: 3 }]);
    FakeSocket.last.deliver(refusal("ahead"));
    reconnect();
    expect(FakeSocket.last.sent).toMatchObject([{ type: "hello", shown: 0 }]);
  });

  it.each(["bad_token", "unknown_table", "forbidden", "wrong_origin"])("gives up where coming back cannot help: %s", (code) => {
    const { seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(refusal(code));
    FakeSocket.last.drop();
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all.length).toBe(1);
    expect(seen.refused.map((refused) => refused.code)).toEqual([code]);
  });

  it.each(["wrong_protocol", "bad_message"])("gives up where the server speaks another protocol: %s", (code) => {
    const { seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(refusal(code)); // bad_message: what protocol 1 says to our hello
    FakeSocket.last.drop();
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all.length).toBe(1);
    expect(seen.refused.map((refused) => refused.code)).toEqual(["wrong_protocol"]);
  });

  it("stays when a later message cannot be read", () => {
    const { seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver(state(1));
    FakeSocket.last.deliver(refusal("bad_message"));
    expect(seen.refused[0]?.code).toBe("bad_message");
    reconnect();
    expect(FakeSocket.all.length).toBe(2);
    FakeSocket.last.deliver(refusal("bad_message")); // the hello of a new socket is a first message again
    expect(seen.refused[1]?.code).toBe("wrong_protocol");
  });

  it("tells who is there", () => {
    const { seen } = makeConnection();
    FakeSocket.last.accept();
    FakeSocket.last.deliver({ type: "presence", connected: [true, false], watching: 2 });
    expect(seen.presence).toEqual([[[true, false], 2]]);
  });

  it("does not come back once it was closed", () => {
    const { connection, seen } = makeConnection();
    FakeSocket.last.accept();
    connection.close();
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.last.readyState).toBe(3);
    expect(FakeSocket.all.length).toBe(1);
    expect(seen.links.at(-1)).toBe("closed");
  });
});

describe("ids and addresses", () => {
  it("are random hexadecimal digits, two a byte", () => {
    expect(randomHex(32)).toMatch(/^[0-9a-f]{64}$/);
    expect(newId()).toMatch(/^[0-9a-f]{16}$/);
    expect(newId()).not.toBe(newId());
  });

  it("go the safe way where the page came that way", () => {
    const place = (protocol: string) => ({ protocol, host: "coatl.test:8642" }) as Location;
    expect(socketUrl("a/b", place("https:"))).toBe("wss://coatl.test:8642/api/tables/a%2Fb/socket");
    expect(socketUrl("table-1", place("http:"))).toBe("ws://coatl.test:8642/api/tables/table-1/socket");
  });
});
