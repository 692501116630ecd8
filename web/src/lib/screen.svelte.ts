/** Is this a phone? The same width as in the style sheets. */

class Screen {
  phone = $state(false);

  constructor() {
    if (typeof matchMedia === "undefined") return;
    const narrow = matchMedia("(max-width: 719px)");
    this.phone = narrow.matches;
    narrow.addEventListener("change", () => (this.phone = narrow.matches));
  }
}

export const screen = new Screen();
