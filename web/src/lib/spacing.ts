/**
 * Has somebody set lines wider apart than the page does, to read them better? Then `data-spaced` is on the page, and what
 * otherwise stays on one line, so that nothing below it moves, may take several.
 */

const LINE = 100; // px: as high as the letters, unless somebody overrules that

export function markSpacing(page: HTMLElement): void {
  const ruler = document.createElement("div");
  ruler.textContent = "\u200B"; // one line, of nothing
  ruler.setAttribute("aria-hidden", "true");
  Object.assign(ruler.style, { position: "absolute", top: "0", visibility: "hidden", fontSize: `${LINE}px`, lineHeight: "1" });
  document.body.append(ruler);
  new ResizeObserver(() => page.toggleAttribute("data-spaced", ruler.offsetHeight > 1.2 * LINE)).observe(ruler);
}
