/** Error codes of the server (docs/protocol.md) as sentences in the reader's language. */

import { m } from "../paraglide/messages";

const TEXTS: Readonly<Record<string, () => string>> = {
  offline: m.error_offline,
  bad_token: m.error_bad_token,
  unknown_table: m.error_unknown_table,
  forbidden: m.error_forbidden,
  wrong_protocol: m.error_wrong_protocol,
  taken: m.error_taken,
  bad_name: m.error_bad_name,
  bad_options: m.error_bad_options,
  bad_position: m.error_bad_position,
  too_fast: m.error_too_fast,
  too_many_connections: m.error_too_many_connections,
  too_many_bots: m.error_too_many_bots,
  storage: m.error_storage,
  damaged: m.error_damaged,
  shutting_down: m.error_shutting_down,
  not_your_turn: m.error_not_your_turn,
  not_started: m.error_not_started,
  started: m.error_started,
  over: m.error_over,
  not_away: m.error_not_away,
  not_over: m.error_not_over,
  too_often: m.error_too_often,
  nothing_to_undo: m.error_nothing_to_undo,
  bot_plays: m.error_bot_plays,
  ahead: m.error_ahead,
  hints_off: m.error_hints_off,
  no_weights: m.error_no_weights,
  not_analysable: m.error_not_analysable,
  one_analysis: m.error_one_analysis,
  too_many_analyses: m.error_too_many_analyses,
};

export function problemText(code: string): string {
  return (TEXTS[code] ?? m.error_other)();
}
