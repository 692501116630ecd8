/**
 * One seat's socket. It comes back by itself, and what was not answered is sent again with the same
 * id, which the server never plays twice.
 */

import { PROTOCOL, type FromClient, type Reason, type Refused, type TableState, type ToClient } from "./protocol";

type Unsent<T> = T extends { id: string } ? Omit<T, "id"> : never;
export type ClientRequest = Unsent<FromClient>;

export type Link = "connecting" | "open" | "lost" | "closed";

export interface Handlers {
  state(state: TableState): void;
  refused(refused: Refused): void;
  presence?(connected: readonly boolean[], watching: number): void;
  reason?(reason: Reason): void;
  link?(link: Link): void;
}

const FATAL = new Set(["bad_token", "unknown_table", "forbidden", "wrong_origin", "wrong_protocol"]);
const PAUSES = [200, 500, 1000, 2000, 4000];

export class TableConnection {
  private socket: WebSocket | null = null;
  private pending = new Map<string, string>(); // id -> message, in the order they were sent
  private tries = 0;
  private version = 0;
  private events = 0;
  private shown = 0; // the version on the screen, as far as the server was told
  private ended = false;
  private greeted = false; // has this socket brought a state?
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly handlers: Handlers,
    private readonly open: (url: string) => WebSocket = (address) => new WebSocket(address),
    private readonly network: EventTarget = window,
  ) {
    network.addEventListener("offline", this.lose);
    network.addEventListener("online", this.hurry);
    this.connect();
  }

  /** The browser says that there is no network: a socket would only stall, and nobody be told. */
  private readonly lose = (): void => {
    this.drop();
    this.comeBack();
  };

  /** There is a network again: no need to wait for the next try. */
  private readonly hurry = (): void => {
    if (this.ended || this.socket?.readyState === 1) return;
    clearTimeout(this.timer);
    this.drop();
    this.connect();
  };

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** Send something; the answer carries the id that is returned. */
  send(request: ClientRequest): string {
    const id = newId();
    const message = JSON.stringify({ ...request, id });
    this.pending.set(id, message);
    if (this.socket?.readyState === 1) this.socket.send(message);
    return id;
  }

  /** Tell what is on the screen: a bot that plays for this seat waits for it. */
  tellShown(version: number): void {
    if (version === this.shown) return;
    this.shown = version;
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify({ type: "shown", version }));
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.network.removeEventListener("offline", this.lose);
    this.network.removeEventListener("online", this.hurry);
    this.socket?.close();
    this.handlers.link?.("closed");
  }

  private connect(): void {
    this.handlers.link?.("connecting");
    const socket = this.open(this.url);
    this.socket = socket;
    this.greeted = false;
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
    if (this.ended) return;
    clearTimeout(this.timer);
    this.handlers.link?.("lost");
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] ?? 1000;
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), pause);
  }

  private hear(message: ToClient): void {
    if (message.type === "state") {
      this.tries = 0;
      this.greeted = true;
      this.version = message.version;
      this.events = message.first_event + message.events.length;
      if (message.reply) this.pending.delete(message.reply);
      this.handlers.link?.("open");
      this.handlers.state(message);
    } else if (message.type === "refused") {
      this.hearRefusal(message);
    } else if (message.type === "reason") {
      this.pending.delete(message.reply);
      this.handlers.reason?.(message);
    } else if (message.type === "presence") {
      this.handlers.presence?.(message.connected, message.watching);
    }
  }

  private hearRefusal(message: Refused): void {
    // A server of protocol 1 cannot read our hello, and says no more than that.
    const unread = message.code === "bad_message" && !this.greeted;
    const refused: Refused = unread ? { ...message, code: "wrong_protocol" } : message;
    if (refused.reply) this.pending.delete(refused.reply);
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
