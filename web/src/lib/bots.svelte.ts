/** The bots there are, fetched once, in words of the page's language. */

import { listBots } from "./api";
import type { BotInfo } from "./protocol";
import { getLocale } from "../paraglide/runtime";

class Bots {
  list = $state.raw<readonly BotInfo[]>([]);
  suggested = $state("");
  private asked = false;

  async load(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      const found = await listBots();
      this.list = found.described;
      this.suggested = found.default;
    } catch {
      this.asked = false;
      setTimeout(() => void this.load(), 1000);
    }
  }

  /** Its title; before the list is here, and for one of somebody else's, its name. */
  title(name: string): string {
    return this.find(name)?.title[getLocale()] ?? name;
  }

  find(name: string): BotInfo | undefined {
    return this.list.find((one) => one.name === name);
  }
}

export const bots = new Bots();

/** One sentence about a bot. */
export const botText = (bot: BotInfo): string => bot.text[getLocale()] ?? "";
