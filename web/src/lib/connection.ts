/**
 * One seat's socket. It comes back by itself, and what was not answered is sent again with the same
 * id, which the server never plays twice.
 */

import { PROTOCOL, type ClosingsFound, type FromClient, type Reason, type Refused, type TableState, type ToClient } from "./protocol";
import { Pulse } from "./pulse";

type Unsent<T> = T extends { id: string } ? Omit<T, "id"> : never;
export type ClientRequest = Unsent<FromClient>;

/** "silent": open, but a question is not answered; "offline": the browser says that there is no network. */
export type Link = "connecting" | "open" | "silent" | "lost" | "offline" | "closed";

export interface Handlers {
  state(state: TableState): void;
  refused(refused: Refused): void;
  presence?(connected: readonly boolean[], watching: number): void;
  reason?(reason: Reason): void;
  closings?(found: ClosingsFound): void;
  link?(link: Link): void;
  /** is something on its way for so long that it is worth a word? */
  sending?(sending: boolean): void;
}

/** What a table is played through: a socket, or a lesson in its place. */
export interface Connection {
  /** Send something; the answer carries the id that is returned. */
  send(request: ClientRequest): string;
  /** Tell what is on the screen: a bot that plays for this seat waits for it. */
  tellShown(version: number): void;
  close(): void;
}

const FATAL = new Set([
  "bad_token",
  "unknown_table",
  "forbidden",
  "wrong_origin",
  "wrong_protocol",
  "damaged",
]);
const PAUSES = [200, 500, 1000, 2000, 4000];
const OPENING = 10_000; // milliseconds until the first state; a try that takes longer is given up
const SLOW = 500; // until it is said that something is being sent
/** When a person comes back to the page, or the network does: who knows what the socket has slept through? */
const RETURNS = ["online", "focus", "pageshow", "visibilitychange"] as const;

export class TableConnection implements Connection {
  private socket: WebSocket | null = null;
  private pending = new Map<string, string>(); // id -> message, in the order they were sent
  private tries = 0;
  private version = 0;
  private events = 0;
  private shown = 0; // the version on the screen, as far as the server was told
  private ended = false;
  private greeted = false; // has this socket brought a state?
  private offline = false;
  private said: Link | null = null;
  private asked = ""; // the id of the last ping
  private timer: ReturnType<typeof setTimeout> | undefined; // to the next try, or the end of this one
  private slow: ReturnType<typeof setTimeout> | undefined;
  private readonly pulse = new Pulse({
    ask: () => this.ping(),
    doubt: () => this.say("silent"),
    dead: () => this.lose(),
  });

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly handlers: Handlers,
    private readonly open: (url: string) => WebSocket = (address) => new WebSocket(address),
    private readonly network: EventTarget = window,
  ) {
    network.addEventListener("offline", this.goOffline);
    for (const event of RETURNS) network.addEventListener(event, this.wake);
    this.connect();
  }

  /** The browser says that there is no network: a socket would only stall, and nobody be told. */
  private readonly goOffline = (): void => {
    this.offline = true;
    this.lose();
  };

  /** See at once whether the connection is alive, or try at once to get it back. */
  private readonly wake = (event: Event): void => {
    if (this.ended) return;
    const isNetwork = event.type === "online";
    if (isNetwork) this.offline = false;
    if (this.socket?.readyState === 1) {
      if (this.greeted) this.pulse.ask();
    } else if (this.socket?.readyState !== 0 || isNetwork) {
      this.drop();
      this.connect();
    }
  };

  private say(link: Link): void {
    if (link === this.said) return;
    this.said = link;
    this.handlers.link?.(link);
  }

  private lose(): void {
    this.drop();
    this.comeBack();
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.pulse.stop();
    clearTimeout(this.timer);
    socket?.close();
  }

  send(request: ClientRequest): string {
    const id = newId();
    const message = JSON.stringify({ ...request, id });
    this.pending.set(id, message);
    this.slow ??= setTimeout(() => this.handlers.sending?.(true), SLOW);
    if (this.socket?.readyState === 1) this.socket.send(message);
    return id;
  }

  private ping(): void {
    this.asked = newId();
    this.socket?.send(JSON.stringify({ type: "ping", id: this.asked }));
  }

  private answered(id: string | null | undefined): void {
    if (!id || !this.pending.delete(id) || this.pending.size) return;
    clearTimeout(this.slow);
    this.slow = undefined;
    this.handlers.sending?.(false);
  }

  tellShown(version: number): void {
    if (version === this.shown) return;
    this.shown = version;
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify({ type: "shown", version }));
  }

  close(): void {
    this.ended = true;
    this.network.removeEventListener("offline", this.goOffline);
    for (const event of RETURNS) this.network.removeEventListener(event, this.wake);
    clearTimeout(this.slow);
    this.drop();
    this.say("closed");
  }

  private connect(): void {
    this.say(this.offline ? "offline" : "connecting");
    const socket = this.open(this.url);
    this.socket = socket;
    this.greeted = false;
    this.timer = setTimeout(() => this.lose(), OPENING);
    socket.onopen = () => {
      const { token, version, events, shown } = this;
      socket.send(JSON.stringify({ type: "hello", token, version, events, protocol: PROTOCOL, shown }));
      for (const message of this.pending.values()) socket.send(message);
    };
    socket.onmessage = (event: MessageEvent) => {
      if (socket === this.socket) this.hear(JSON.parse(String(event.data)) as ToClient);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.comeBack();
    };
  }

  private comeBack(): void {
    this.pulse.stop();
    clearTimeout(this.timer);
    if (this.ended) return;
    this.say(this.offline ? "offline" : "lost");
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] ?? 1000;
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), pause);
  }

  private hear(message: ToClient): void {
    if (this.greeted) this.isThere();
    if (message.type === "state") {
      this.greet();
      this.version = message.version;
      this.events = message.first_event + message.events.length;
      this.answered(message.reply);
      this.handlers.state(message);
    } else if (message.type === "refused") {
      this.hearRefusal(message);
    } else if (message.type === "reason") {
      this.answered(message.reply);
      this.handlers.reason?.(message);
    } else if (message.type === "closings_found") {
      this.answered(message.reply);
      this.handlers.closings?.(message);
    } else if (message.type === "presence") {
      this.handlers.presence?.(message.connected, message.watching);
    }
  }

  /** A socket has brought a state: the way back was found. */
  private greet(): void {
    if (this.greeted) return;
    clearTimeout(this.timer);
    this.tries = 0;
    this.greeted = true;
    this.offline = false;
    this.isThere();
  }

  private isThere(): void {
    this.pulse.heard();
    this.say("open");
  }

  private hearRefusal(message: Refused): void {
    if (message.reply && message.reply === this.asked) return; // an answer all the same
    // A server of protocol 1 cannot read our hello, and says no more than that.
    const unread = message.code === "bad_message" && !this.greeted;
    const refused: Refused = unread ? { ...message, code: "wrong_protocol" } : message;
    this.answered(refused.reply);
    if (FATAL.has(refused.code)) this.ended = true;
    if (refused.code === "ahead") this.version = this.events = this.shown = 0;
    this.handlers.refused(refused);
  }
}

export function newId(): string {
  return randomHex(8);
}

/** Random bytes as hexadecimal digits: ids, and the nonce for the game's chance. */
export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export function socketUrl(table: string, place: Location = location): string {
  const scheme = place.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${place.host}/api/tables/${encodeURIComponent(table)}/socket`;
}
