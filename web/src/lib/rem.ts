/**
 * Sizes in rem: sixteenths of the font size that the reader's browser is set to, so that a larger one enlarges the whole
 * page as zooming does. Styles are written in px, as the design is; they are changed when the page is built.
 */

export const PX_PER_REM = 16; // where nobody has chosen another font size
/** A length in px; addresses and quoted texts are found too, so that what they contain is left as it is. */
const LENGTH = /url\([^)]*\)|"[^"]*"|'[^']*'|(?<![\w.])(\d*\.?\d+)px\b/g;
const AT_MOST = /max-(width|height):\s*(\d+)px/g;

/** The value of a declaration. */
export function inRem(value: string): string {
  return value.replace(LENGTH, (found: string, px?: string) => (px === undefined ? found : `${Number(px) / PX_PER_REM}rem`));
}

/** A media query. "At most 719px" becomes "less than 720px": in rem there are widths between the two. */
export function queryInRem(query: string): string {
  return inRem(query.replace(AT_MOST, (_, side: string, px: string) => `${side} < ${Number(px) + 1}px`));
}
