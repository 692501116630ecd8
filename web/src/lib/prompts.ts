/** What the bar asks for: it names what the moves that the server sent allow, and no rule is in here. */

import { m } from "../paraglide/messages";
import { cards } from "./cards.svelte";
import type { Choices } from "./choices";
import { finalCause, isFinal } from "./finalturns";
import { targets, type Held } from "./intent";
import type { KeepCount } from "./keeping.svelte";
import { botName, pieceName, seatName } from "./names";
import type { CoatlView, SeatView, TableState, ViewData } from "./protocol";
import { botFor } from "./standin";
import type { AdamTurn } from "./story/scenes";
import { adamCaption } from "./story/words";

/** What a person sees and holds. */
export interface Situation {
  readonly table: TableState;
  readonly view: ViewData;
  /** is it this person's decision? */
  readonly mine: boolean;
  readonly own: SeatView | undefined;
  readonly choices: Choices;
  readonly held: Held | null;
  readonly keeping: KeepCount;
  /** A.D.A.M.'s turn, as far as it is told */
  readonly adam: AdamTurn | null;
}

export function promptText(at: Situation): string {
  const { table, view, mine, adam } = at;
  if (table.status === "over") return m.prompt_over();
  if (!mine && adam && !adam.done) return adamCaption(adam);
  const bot = botFor(table);
  if (bot !== null) {
    const words = { bot: botName(bot) };
    const { gave_up, returns } = table.places[table.place ?? 0] ?? {};
    if (returns) return m.bot_ends_turn(words);
    return gave_up ? m.bot_plays_to_end(words) : m.bot_plays_for_you(words);
  }
  if (!at.own) return watchedText(at);
  if (!mine) return m.prompt_other({ name: seatName(table, view.to_move) });
  if (at.held?.kind === "piece") return pieceText(at.held.piece, at);
  if (at.held?.kind === "card") return cardText(at.held.card, at);
  return phaseText(at);
}

/** What a spectator is told; the band of the last turns is for players. */
function watchedText({ table, view }: Situation): string {
  const plays = m.prompt_other({ name: seatName(table, view.to_move) });
  return isFinal(table, view) ? sentences(plays, m.final_heading(), finalCause(table, view)) : sentences(plays, m.you_watch());
}

function pieceText(text: string, { held, choices }: Situation): string {
  const piece = pieceName(text);
  return targets(held, choices).size ? m.prompt_piece({ piece }) : m.prompt_piece_nowhere({ piece });
}

function cardText(card: string, { own, choices }: Situation): string {
  if (choices.lays.has(card)) return m.prompt_card();
  return hasOpenCoatl(own) ? m.prompt_card_not_now() : m.no_open_coatl();
}

/** Is there a Cóatl that may still grow? */
export function hasOpenCoatl(own: SeatView | undefined): boolean {
  return Boolean(own?.coatls.some(({ complete }) => !complete));
}

function phaseText(at: Situation): string {
  const { view, choices, keeping } = at;
  switch (view.phase) {
    case "setup":
      return keepText(keeping);
    case "pick":
      if (!choices.done) return `${m.future_step_3()}.`;
      return mayChoose(choices) ? m.prompt_pick() : sentences(handText(at), m.prompt_done());
    case "assemble":
      return mayAssemble(choices) ? m.prompt_assemble() : m.prompt_done();
    case "fulfil":
      return choices.lays.size ? m.prompt_fulfil() : m.prompt_fulfil_done();
    case "temple":
      if (!choices.done) return m.prompt_temple_must();
      return choices.temples.length ? m.prompt_temple() : m.prompt_temple_none();
    case "future":
      return m.prompt_future();
    default:
      return mainText(at);
  }
}

/** How many may be kept, and how many ticks are too many or missing. */
export function keepText({ ticked, least, most }: KeepCount): string {
  const asked = least === most ? m.prompt_keep_three() : m.prompt_keep_up_to_three();
  if (ticked > most) return sentences(asked, m.too_many_ticked({ n: ticked - most }));
  if (ticked > 0 && ticked < least) return sentences(asked, m.too_few_ticked({ n: least - ticked }));
  return sentences(asked, m.rest_discarded());
}

/** What a completion still needs or allows, at the foot of its sheet: after the Prophecy cards comes the Temple card. */
export function completionHint(coatl: CoatlView, phase: ViewData["phase"], { lays, done }: Choices): string {
  if (phase === "temple") return done ? m.pile_warning() : m.prompt_temple_must();
  if (!coatl.cards?.length) return m.complete_hint();
  if (lays.size) return m.temple_after();
  return coatl.temples?.some(({ points }) => points) ? m.temple_next() : m.prompt_fulfil_done();
}

const mayChoose = ({ picks, draw }: Choices): boolean => picks.size > 0 || draw !== null;
const mayAssemble = ({ begins, adds, lays }: Choices): boolean => begins.size + adds.size + lays.size > 0;

/** By what is legal: taking, choosing, assembling. */
const ACTIONS: Readonly<Record<string, () => string>> = {
  "take choose assemble": m.prompt_main, "take choose": m.prompt_take_choose, "take assemble": m.prompt_take_assemble,
  "choose assemble": m.prompt_choose_assemble, take: m.prompt_take, choose: m.prompt_choose, assemble: m.prompt_assemble_only,
};

function mainText(at: Situation): string {
  const { choices } = at;
  const legal = [choices.takes.size && "take", mayChoose(choices) && "choose", mayAssemble(choices) && "assemble"];
  const rest = ACTIONS[legal.filter(Boolean).join(" ")] ?? (choices.pass ? m.prompt_pass : m.prompt_done);
  return sentences(boardText(at), handText(at), rest());
}

function boardText({ own, choices }: Situation): string {
  const isFull = own !== undefined && own.board.length >= cards.numbers.board;
  return isFull && !choices.takes.size ? m.board_full() : "";
}

/** Prophecy cards lie there and none may be taken: the hand is full, whatever its limit is at this table. */
function handText({ view, choices }: Situation): string {
  return view.row.some((card) => card !== null) && !mayChoose(choices) ? m.hand_full() : "";
}

const sentences = (...all: readonly string[]): string => all.filter(Boolean).join(" ");
