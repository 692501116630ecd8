/** The picture of what is being dragged: a copy that follows the pointer. */

import type { Held } from "./intent";

const MARKS = ["data-move", "data-drag", "data-hand", "data-card", "data-draw", "data-pieces", "data-temple", "data-pile", "id"];

export class Ghost {
  private readonly box = document.createElement("div");

  constructor(source: Element, held: Held) {
    const copy = drawn(source, held).cloneNode(true) as HTMLElement;
    for (const name of ["left", "top"]) copy.style.setProperty(name, "0");
    for (const name of MARKS) copy.removeAttribute(name);
    this.box.className = "drag-ghost";
    this.box.setAttribute("aria-hidden", "true");
    this.box.append(copy);
    document.body.append(this.box);
    document.body.classList.add("dragging"); // as `:has` it would cost time at every change of the page
  }

  move(x: number, y: number): void {
    this.box.style.translate = `${x}px ${y}px`;
  }

  remove(): void {
    this.box.remove();
    document.body.classList.remove("dragging");
  }
}

/** The drawing lies beside a supply space and within a well; a card is its own. */
function drawn(source: Element, held: Held): Element {
  if (held.kind === "space") return document.querySelector(`[data-pieces="${held.space}"]`) ?? source;
  return (held.kind === "piece" ? source.querySelector("svg") : null) ?? source;
}
