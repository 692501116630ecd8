/** Help over a table, which stays where it is: one clause of the rules, or what fits what is going on. */

class RuleSheet {
  /** the clause that is shown */
  clause = $state<string | null>(null);
  /** the help: the phase of the game and the clauses that fit it; null: it is closed */
  help = $state.raw<readonly string[] | null>(null);
  /** what the table that is shown would show; null: there is none, and clauses open the page of the rules */
  private fitting: (() => readonly string[]) | null = null;

  /** A table is there: clauses open over it. Returns what ends that. */
  attend(fitting: () => readonly string[]): () => void {
    this.fitting = fitting;
    return () => {
      if (this.fitting !== fitting) return;
      this.fitting = null;
      this.clause = this.help = null;
    };
  }

  get isAtTable(): boolean {
    return this.fitting !== null;
  }

  openHelp(): boolean {
    if (!this.fitting) return false;
    this.help = this.fitting();
    return true;
  }
}

export const ruleSheet = new RuleSheet();
