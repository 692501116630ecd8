/** The puzzles there are, fetched once, and the one of the day, fetched again when the next day begins. */

import { listPuzzles, puzzleOfDay } from "../api";
import type { DayPuzzle, PuzzleList } from "../protocol";

class Puzzles {
  list = $state.raw<PuzzleList | null>(null);
  today = $state.raw<DayPuzzle | null>(null);
  private ends = 0; // when the day does, by this machine's clock

  async load(): Promise<void> {
    try {
      this.list ??= await listPuzzles();
      if (!this.today || Date.now() >= this.ends) {
        const today = await puzzleOfDay();
        this.ends = Date.now() + today.seconds * 1000;
        this.today = today;
      }
    } catch {
      setTimeout(() => void this.load(), 2000);
    }
  }
}

export const puzzles = new Puzzles();
