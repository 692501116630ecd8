/** A WebSocket without a network: a test opens it, delivers messages to it and drops it. */

export interface SentMessage {
  readonly type: string;
  readonly id?: string;
  readonly [key: string]: unknown;
}

export class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: SentMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url = "") {
    FakeSocket.all.push(this);
  }

  /** The one that was opened last. */
  static get last(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
  }

  get sentTypes(): string[] {
    return this.sent.map(({ type }) => type);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as SentMessage);
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

  deliver(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
