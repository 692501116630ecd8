import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TableConnection, type Link } from "../src/lib/connection";
import { PROTOCOL, type Refused, type TableState } from "../src/lib/protocol";

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: { type: string; id?: string; [key: string]: unknown }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.drop();
  }
  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const state = (version: number, more: object = {}) => ({
  type: "state", version, status: "playing", first_event: 0, events: [], ...more,
});

function makeConnection() {
  const network = new EventTarget();
  const seen = { states: [] as TableState[], refused: [] as Refused[], links: [] as Link[] };
  const connection = new TableConnection(
    "ws://x", "token-token-token",
    {
      state: (s) => seen.states.push(s),
      refused: (r) => seen.refused.push(r),
      link: (l) => seen.links.push(l),
    },
    () => new FakeSocket() as unknown as WebSocket,
    network,
  );
  return { connection, seen, socket: () => FakeSocket.all.at(-1)!, network };
}

describe("TableConnection", () => {
  beforeEach(() => {
    FakeSocket.all = [];
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it("says hello first, with what it knows", () => {
    const { seen, socket } = makeConnection();
    socket().accept();
    const hello = { type: "hello", token: "token-token-token", version: 0, events: 0, protocol: PROTOCOL };
    expect(socket().sent[0]).toEqual(hello);
    socket().say(state(3, { events: [{}, {}] }));
    expect(seen.states.map((s) => s.version)).toEqual([3]);
    expect(seen.links.at(-1)).toBe("open");
  });

  it("says so when the network is gone, and comes back as soon as it is there", () => {
    const { connection, seen, socket, network } = makeConnection();
    socket().accept();
    socket().say(state(3));
    network.dispatchEvent(new Event("offline"));
    expect(seen.links.at(-1)).toBe("lost");
    connection.send({ type: "decide", version: 3, move: "done" });
    network.dispatchEvent(new Event("online"));
    socket().accept();
    expect(socket().sent.map((message) => message.type)).toEqual(["hello", "decide"]);
    const sockets = FakeSocket.all.length;
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBe(sockets); // one way back, not two
    connection.close();
    network.dispatchEvent(new Event("online"));
    expect(FakeSocket.all.length).toBe(sockets);
  });

  it("sends again what was not answered, with the same id", () => {
    const { connection, socket } = makeConnection();
    socket().accept();
    socket().say(state(3, { first_event: 4, events: [{}] }));
    const id = connection.send({ type: "decide", version: 3, move: "take b1" });
    const first = socket();
    first.drop();
    vi.advanceTimersByTime(300);
    expect(socket()).not.toBe(first);
    socket().accept();
    expect(socket().sent.map((m) => m.type)).toEqual(["hello", "decide"]);
    expect(socket().sent[0]).toMatchObject({ version: 3, events: 5 });
    expect(socket().sent[1]?.id).toBe(id);
    socket().say(state(4, { reply: id }));
    socket().drop();
    vi.advanceTimersByTime(300);
    socket().accept();
    expect(socket().sent.map((m) => m.type)).toEqual(["hello"]);
  });

  it("keeps trying, more and more slowly, and says so", () => {
    const { seen } = makeConnection();
    for (let n = 0; n < 6; n += 1) {
      FakeSocket.all.at(-1)!.drop();
      vi.advanceTimersByTime(5000);
    }
    expect(FakeSocket.all.length).toBe(7);
    expect(seen.links).toContain("lost");
  });

  it("gives up where coming back cannot help", () => {
    const { seen, socket } = makeConnection();
    socket().accept();
    socket().say({ type: "refused", code: "bad_token", text: "no" });
    socket().drop();
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all.length).toBe(1);
    expect(seen.refused[0]?.code).toBe("bad_token");
  });

  it("gives up where the server speaks another protocol", () => {
    for (const code of ["wrong_protocol", "bad_message"]) { // what protocol 1 says to our hello
      const { seen, socket } = makeConnection();
      const sockets = FakeSocket.all.length;
      socket().accept();
      socket().say({ type: "refused", code, text: "no" });
      socket().drop();
      vi.advanceTimersByTime(20_000);
      expect(FakeSocket.all.length).toBe(sockets);
      expect(seen.refused[0]?.code).toBe("wrong_protocol");
    }
  });

  it("stays when a later message cannot be read", () => {
    const { seen, socket } = makeConnection();
    socket().accept();
    socket().say(state(1));
    socket().say({ type: "refused", code: "bad_message", text: "no" });
    expect(seen.refused[0]?.code).toBe("bad_message");
    socket().drop();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all.length).toBe(2);
  });

  it("does not ask again for what was refused", () => {
    const { connection, socket } = makeConnection();
    socket().accept();
    const id = connection.send({ type: "undo", version: 1 });
    socket().say({ type: "refused", code: "stale", text: "old", reply: id });
    socket().drop();
    vi.advanceTimersByTime(300);
    socket().accept();
    expect(socket().sent.length).toBe(1);
  });
});
