/** The tables of this browser as the first screen lists them: looked up again and again, and forgotten on demand. */

import { findGames } from "./mygamesfound";
import { keepGames } from "./mygameskept";
import { findTables, type MyTable } from "./mytables";
import { forgetSeats, heldSeats } from "./seats";
import { settings } from "./settings.svelte";
import { whileVisible } from "./whilevisible";

const AGAIN = 10_000; // milliseconds

export class TableList {
  private tables = $state.raw<readonly MyTable[]>([]);
  /** so many the server does not know any more */
  gone = $state(0);
  offline = $state(false);

  /** the most urgent first */
  readonly open = $derived(this.tables.filter((one) => one.summary.status !== "over"));
  readonly over = $derived(this.tables.filter((one) => one.summary.status === "over"));
  /** at so many it is your turn */
  readonly waiting = $derived(this.open.filter((one) => one.summary.your_turn).length);

  /** Until what is returned is called. */
  watch(): () => void {
    return whileVisible(() => this.look(), AGAIN);
  }

  private async look(): Promise<void> {
    const seats = heldSeats();
    try {
      if (seats.length) {
        const found = await findTables(seats, this.tables);
        const held = new Set(heldSeats().map((seat) => seat.table)); // some may have been forgotten meanwhile
        this.tables = found.tables.filter((one) => held.has(one.summary.table));
        this.gone += found.gone;
      }
      this.offline = false;
    } catch {
      this.offline = true;
    }
  }

  /** The results of finished games stay in My games; a game that ended unseen is read once more for that. */
  async forget(...forgotten: readonly MyTable[]): Promise<void> {
    const gone = forgotten.map((one) => one.summary.table);
    this.tables = this.tables.filter((one) => !forgotten.includes(one));
    keepGames(await findGames(heldSeats().filter((seat) => gone.includes(seat.table)), settings.now.name));
    forgetSeats(gone);
  }
}
