/**
 * A lesson in the place of a table's socket: each decision makes the path longer, an undo shorter, and the
 * server answers the path with the state. What was not answered is asked again until it is.
 */

import { ApiError } from "../api";
import { newId, type ClientRequest, type Connection, type Handlers, type Link } from "../connection";
import type { LessonRequest, LessonState, Refused } from "../protocol";
import { goesOn, undone, type Path } from "./path";

export type AskLesson = (request: LessonRequest) => Promise<LessonState>;

export interface LessonHandlers extends Handlers {
  /** comes before its state, which has this version */
  lesson(lesson: LessonState, version: number): void;
}

interface Job {
  readonly id: string;
  readonly request: LessonRequest & { readonly path: Path };
}

const PAUSES = [200, 500, 1000, 2000, 4000];
const SLOW = 500; // milliseconds until it is said that something is being sent
/** Nothing was done: it can be asked again. */
const AGAIN: ReadonlySet<string> = new Set(["offline", "too_fast"]);
/** When a person comes back to the page, or the network does. */
const RETURNS = ["online", "focus", "pageshow", "visibilitychange"] as const;

export class LessonConnection implements Connection {
  private path: Path = [];
  private step = 0;
  private version = 0; // of the states as they come: a shorter path is a newer state too
  private events = 0;
  private tries = 0;
  private ended = false;
  private running = false;
  private said: Link | null = null;
  private queue: Job[] = [];
  private wakeUp: () => void = () => undefined;

  constructor(
    private readonly ask: AskLesson,
    begin: { readonly path: Path; readonly step: number },
    private readonly handlers: LessonHandlers,
    private readonly network: EventTarget = window,
  ) {
    for (const event of RETURNS) network.addEventListener(event, this.wake);
    this.step = begin.step;
    this.say("connecting");
    this.run({ path: begin.path });
  }

  private readonly wake = (): void => this.wakeUp();

  send(request: ClientRequest): string {
    const id = newId();
    if (request.type === "why") this.run({ path: this.path, why: request.move }, id);
    else if (request.type === "decide" && request.version === this.version) this.change([...this.path, request.move], id);
    else if (request.type === "undo" && request.version === this.version) this.change(undone(this.path), id);
    return id;
  }

  /** To another place of the lesson: further, or back. What is being sent is decided first. */
  change(path: Path, id = newId()): void {
    if (this.queue.some(({ request }) => !request.why)) return;
    this.run({ path }, id);
  }

  private run(request: Job["request"], id = newId()): void {
    this.queue.push({ id, request });
    if (!this.running) void this.work();
  }

  private async work(): Promise<void> {
    this.running = true;
    const slow = setTimeout(() => this.handlers.sending?.(true), SLOW);
    for (let job = this.queue[0]; job && !this.ended; job = this.queue[0]) await this.try(job);
    clearTimeout(slow);
    this.running = false;
    if (!this.ended) this.handlers.sending?.(false);
  }

  private async try(job: Job): Promise<void> {
    const { path } = job.request;
    const events = job.request.at === undefined && goesOn(path, this.path) ? this.events : 0;
    try {
      const lesson = await this.ask({ ...job.request, events });
      if (this.ended) return;
      this.tries = 0;
      this.queue.shift();
      this.say("open");
      this.hear(job, lesson);
    } catch (error) {
      if (this.ended) return;
      if (!(error instanceof ApiError)) throw error;
      if (AGAIN.has(error.code)) return this.pause(error.code);
      this.queue.shift();
      this.say("open");
      this.refuse(job, error);
    }
  }

  /** Until it is tried again. */
  private async pause(code: string): Promise<void> {
    if (code === "offline") this.say(globalThis.navigator?.onLine === false ? "offline" : "lost");
    const time = PAUSES[Math.min(this.tries, PAUSES.length - 1)] ?? 1000;
    this.tries += 1;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, time);
      this.wakeUp = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.wakeUp = () => undefined;
  }

  private hear(job: Job, lesson: LessonState): void {
    if (job.request.why) {
      if (lesson.reason) this.handlers.reason?.({ type: "reason", ...lesson.reason, reply: job.id });
      return;
    }
    this.path = lesson.path;
    this.step = lesson.number;
    this.version += 1;
    this.events = lesson.state.first_event + lesson.state.events.length;
    this.handlers.lesson(lesson, this.version);
    this.handlers.state({ ...lesson.state, version: this.version, reply: job.id });
  }

  /** The lesson may have changed since a path was kept: then it begins again at the same step. */
  private refuse(job: Job, { code, message: text, clause, cause }: ApiError): void {
    if (code === "bad_path" && job.request.at === undefined) {
      this.queue = [];
      return this.run({ path: [], at: this.step });
    }
    const refused: Refused = { type: "refused", code: code as Refused["code"], text, clause, cause, reply: job.id };
    this.handlers.refused(refused);
  }

  tellShown(): void {
    // nobody waits for what is on the screen
  }

  close(): void {
    this.ended = true;
    for (const event of RETURNS) this.network.removeEventListener(event, this.wake);
    this.wakeUp();
    this.say("closed");
  }

  private say(link: Link): void {
    if (link === this.said) return;
    this.said = link;
    this.handlers.link?.(link);
  }
}
