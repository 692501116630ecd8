/** The keys of the page: whether letters do something, which a person may turn off, and whether they are shown. */

import { lasting } from "./storage";

const KEY = "coatl.keys";

class Keyboard {
  letters = $state((lasting.getJson(KEY) as { letters?: unknown } | null)?.letters !== false);
  isShown = $state(false);

  useLetters(on: boolean): void {
    this.letters = on;
    lasting.set(KEY, JSON.stringify({ letters: on }));
  }
}

export const keyboard = new Keyboard();
