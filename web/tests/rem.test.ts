import { describe, expect, it } from "vitest";
import { inRem, queryInRem } from "../src/lib/rem";
import { boxInUnits, inPx, inUnits, rem } from "../src/lib/units.svelte";

describe("styles in rem", () => {
  it.each([
    ["16px", "1rem"],
    ["0 -4px 18px #0005, 0 .5px 0 var(--accent)", "0 -0.25rem 1.125rem #0005, 0 0.03125rem 0 var(--accent)"],
    ["max(12px, 1.28em)", "max(0.75rem, 1.28em)"],
    ["calc(var(--u, 1px)*5)", "calc(var(--u, 0.0625rem)*5)"],
    ["1.7px", "0.10625rem"],
  ])("turns %s into %s", (px, expected) => expect(inRem(px)).toBe(expected));

  it.each(['url("data:image/svg+xml,12px")', "url(a-4px.svg)", '"4px"', "'4px'", "var(--gap4px)", "1.5em", "50%"])(
    "leaves %s as it is",
    (value) => expect(inRem(value)).toBe(value),
  );

  it("leaves no width between two queries", () => {
    expect(queryInRem("(min-width: 720px) and (max-width: 1179px)")).toBe("(min-width: 45rem) and (width < 73.75rem)");
    expect(queryInRem("(max-height:860px)")).toBe("(height < 53.8125rem)");
    expect(queryInRem("(hover: hover)")).toBe("(hover: hover)");
  });
});

describe("units", () => {
  it("are px where nobody has chosen another font size", () => {
    expect([rem(54), inUnits(54), inPx(54)]).toEqual(["3.375rem", 54, 54]);
    const box = { left: 1, top: 2, width: 3, height: 4 };
    expect(boxInUnits(box)).toEqual(box);
  });
});
