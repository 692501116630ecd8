/** Players read aloud: who they are, their points and what they have; the score track. */

import { nameFor } from "../ending";
import { isYou, placeName } from "../names";
import { presenceOf } from "../presence";
import type { SeatView, TableState, ViewData } from "../protocol";
import { m } from "../../paraglide/messages";
import { headed, listed } from "./joined";

/** "Ben, first player, plays now: 12 points, 3 Prophecy cards in hand, …" */
export function spokenPlayer(state: TableState, view: ViewData, number: number, connected: readonly boolean[], seat = view.seats[number]): string {
  const name = placeName(state, state.seating[number] ?? number);
  const began = number === 0 && view.players > 1;
  const who = listed(name, isYou(state, number) && m.you_inside(), began && m.first_player(), ...presenceOf(state, view, number, connected));
  return seat ? headed(who, spokenHoldings(view, seat)) : who;
}

/** "12 points, 3 Prophecy cards in hand, 1 Temple card in hand, 2 Cóatl, 1 of them complete" */
export function spokenHoldings(view: ViewData, seat: SeatView): string {
  const complete = seat.coatls.filter((coatl) => coatl.complete).length;
  return listed(
    m.card_points({ points: seat.points }),
    m.count_prophecies({ n: seat.hand_size }),
    m.count_temples({ n: seat.temple_count }),
    view.options.includes("tokens") && m.count_tokens({ n: seat.tokens.length }),
    m.count_coatls({ n: seat.coatls.length }),
    complete > 0 && m.of_them_complete({ n: complete }),
  );
}

/** "Score track: Ana 20, Ben 12" */
export const spokenTrack = (table: TableState): string =>
  headed(m.score_track(), listed(...(table.standing ?? []).map(({ place, points: n }) => m.name_number({ name: nameFor(table, place), n }))));
