/** What is announced at a table: each thing that happened once, in the words of the log, when it is shown. */

import type { Announcer } from "./announcer.svelte";
import { causeText, decisionText, headline } from "./ending";
import { tellNews, type ToldSoFar } from "./notes";
import { placeName } from "./names";
import { isAt } from "./places";
import { isHere } from "./presence";
import type { GameEvent, TableState } from "./protocol";
import { cardRequirement } from "./sentences";
import { headed, sentences } from "./spoken/joined";
import type { Trouble } from "./table.svelte";
import { m } from "../paraglide/messages";

/** What the screen shows. */
export interface Picture {
  readonly state: TableState;
  /** what happened, as far as it is shown */
  readonly log: readonly GameEvent[];
  /** whose turn it is, if it is a person's at this device */
  readonly turn: string;
  /** in the last turns: how many actions are left */
  readonly left: string;
  /** what the bar asks for */
  readonly prompt: string;
}

/** Troubles in which nothing comes from the server. */
const LOST: Partial<Record<Trouble, () => string>> = {
  offline: m.link_offline, reconnecting: m.link_reconnecting, stale: m.link_stale,
};

export class TableVoice {
  private told: ToldSoFar | null = null;
  private turn = "";
  private left = "";
  private prompt = "";
  private isOver = false;
  private wasConnected = false;
  private lost: Trouble | null = null;
  private here: readonly boolean[] | null = null;

  constructor(private readonly announcer: Pick<Announcer, "say" | "warn">) {}

  /** The screen shows this now. What it began with is history, and not told. */
  show(picture: Picture): void {
    const { state, log } = picture;
    if (this.told && log.length < this.told.events) this.told = { ...this.told, events: log.length }; // a lesson went back
    if (this.told) this.tellLines(state, log, this.told);
    else this.told = { events: log.length, notes: state.notes?.length ?? 0 };
    this.tellPrompt(picture);
    this.tellEnd(state);
  }

  private tellLines(state: TableState, log: readonly GameEvent[], before: ToldSoFar): void {
    const { lines, told } = tellNews(state, log, before);
    for (const { text } of lines) this.announcer.say(text);
    for (const event of log.slice(before.events, told.events)) {
      const isDrawn = event.kind === "prophecy" && isAt(event.source, "deck") && isAt(event.target, "hand");
      if (isDrawn && event.card && event.seat === state.seat) this.announcer.say(headed(m.you_drew(), cardRequirement(event.card)));
    }
    this.told = told;
  }

  /** "Your turn." once a turn, then only what is asked for next. */
  private tellPrompt({ state, turn, left, prompt }: Picture): void {
    const now = turn && `${state.view?.turn} ${turn}`;
    const isNew = now !== this.turn;
    const hasLeft = isNew || left !== this.left;
    if (hasLeft || prompt !== this.prompt) this.announcer.say(sentences(isNew && turn, hasLeft && left, prompt));
    [this.turn, this.left, this.prompt] = [now, left, prompt];
  }

  private tellEnd(state: TableState): void {
    const isOver = state.status === "over";
    if (isOver && !this.isOver) this.announcer.say(sentences(causeText(state), headline(state), decisionText(state)));
    this.isOver = isOver;
  }

  /** How the connection is. That it is being made for the first time is not told. */
  link(trouble: Trouble | null): void {
    const lost = trouble && LOST[trouble];
    if (!lost) {
      if (this.lost) this.announcer.say(m.link_back());
      this.lost = null;
      this.wasConnected = true;
    } else if (this.wasConnected && this.lost !== trouble) {
      this.announcer.say(lost());
      this.lost = trouble;
    }
  }
  /** Who has come or gone. For whom a bot plays, the log tells so; `own` are the places at this device. */
  presence(state: TableState, connected: readonly boolean[], own: ReadonlySet<number | null>): void {
    const before = this.here;
    this.here = state.places.map((_, place) => isHere(state, place, connected));
    if (!before || state.status === "over") return;
    for (const [place, isThere] of this.here.entries()) {
      const { kind, bot } = state.places[place]!;
      if (isThere === before[place] || own.has(place) || kind === "bot" || bot) continue;
      const name = placeName(state, place);
      this.announcer.say(isThere ? m.has_come({ name }) : m.has_left({ name }));
    }
  }
}
