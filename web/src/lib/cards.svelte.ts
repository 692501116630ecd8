/** The cards of the game and the numbers of its rules, fetched once. */

import { listCards } from "./api";
import type { ProphecyInfo, RuleNumbers, TempleInfo } from "./protocol";

class Cards {
  prophecies = $state.raw<ReadonlyMap<string, ProphecyInfo>>(new Map());
  temples = $state.raw<ReadonlyMap<string, TempleInfo>>(new Map());
  numbers = $state.raw<RuleNumbers>({ coatls: 0, board: 0, cards: 0, hand: 0, kept: 0, kept_solo: 0, players: [], tokens: [], fewer_bodies: [], levels: [], level_hands: [] });
  /** they could not be fetched yet: the server does not answer */
  failed = $state(false);
  private asked = false;

  /** How many a hand may hold in a game at these levels of solo (P2, D10). */
  handLimit(levels: readonly number[]): number {
    return Math.min(this.numbers.hand, ...levels.map((level) => this.numbers.level_hands[this.numbers.levels.indexOf(level)] ?? this.numbers.hand));
  }

  async load(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      const found = await listCards();
      this.prophecies = new Map(found.prophecies.map((card) => [card.name, card]));
      this.temples = new Map(found.temples.map((card) => [card.name, card]));
      this.numbers = found.numbers;
      this.failed = false;
    } catch {
      this.asked = false;
      this.failed = true;
      setTimeout(() => void this.load(), 1000);
    }
  }
}

export const cards = new Cards();
