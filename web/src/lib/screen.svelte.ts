/** Is this a phone, a tablet or wider? The same widths as in the style sheets. */

class Screen {
  phone = $state(false);
  wide = $state(true);
  band = $state(0); // how high the band of the final turns is

  constructor() {
    if (typeof matchMedia === "undefined") return;
    const narrow = matchMedia("(max-width: 719px)");
    const wide = matchMedia("(min-width: 1180px)");
    const look = (): void => {
      this.phone = narrow.matches;
      this.wide = wide.matches;
    };
    look();
    narrow.addEventListener("change", look);
    wide.addEventListener("change", look);
  }
}

export const screen = new Screen();
