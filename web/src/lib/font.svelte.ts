/** Has the page's font come? A table waits for it: with another one, its words are wider or narrower. */

const WEIGHTS = [400, 500, 700, 800, 900]; // as in assets/font.css
const PATIENCE = 10_000; // ms; then without it

class Font {
  ready = $state(typeof document === "undefined");

  constructor() {
    if (this.ready) return;
    const come = Promise.allSettled(WEIGHTS.map((weight) => document.fonts.load(`${weight} 16px "Alegreya Sans"`)));
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    void Promise.race([come, late]).then(() => (this.ready = true));
  }
}

export const font = new Font();
