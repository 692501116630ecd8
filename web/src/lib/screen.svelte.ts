/** Is this a phone, a tablet or wider? The same widths as in the style sheets. */

import { queryInRem } from "./rem";
import { onFontSize } from "./units.svelte";

class Screen {
  phone = $state(false);
  wide = $state(true);
  large = $state(false); // wide and high: 1920 × 1080
  low = $state(false); // wide, but not high: 1280 × 800
  upright = $state(false); // a tablet on which all of a table fits: 820 × 1180

  get tablet(): boolean {
    return !this.phone && !this.wide;
  }

  constructor() {
    if (typeof matchMedia === "undefined") return;
    const narrow = matchMedia(queryInRem("(max-width: 719px)"));
    const wide = matchMedia(queryInRem("(min-width: 1180px)"));
    const large = matchMedia(queryInRem("(min-width: 1680px) and (min-height: 1000px)"));
    const low = matchMedia(queryInRem("(min-width: 1180px) and (max-height: 860px)"));
    const upright = matchMedia(queryInRem("(min-width: 720px) and (max-width: 1179px) and (min-height: 1000px)"));
    const look = (): void => {
      this.phone = narrow.matches;
      this.wide = wide.matches;
      this.large = large.matches;
      this.low = low.matches;
      this.upright = upright.matches;
    };
    look();
    for (const query of [narrow, wide, large, low, upright]) query.addEventListener("change", look);
    onFontSize(look);
  }
}

export const screen = new Screen();
