import { describe, expect, it } from "vitest";
import { forgetJoinId, joinId } from "../src/lib/joining";
import { KeptTexts } from "../src/lib/storage";
import { makeStorage } from "./storage";

function newStore(): KeptTexts {
  const browser = makeStorage();
  return new KeptTexts(() => browser);
}

describe("the id with which a place is taken", () => {
  it("stays the same for a table until it is forgotten", () => {
    const store = newStore();
    const id = joinId("one", store);
    expect(id).toMatch(/^[0-9a-f]{48}$/);
    expect(joinId("two", store)).not.toBe(id);
    expect(joinId("one", store)).toBe(id);
    forgetJoinId("one", store);
    expect(joinId("one", store)).not.toBe(id);
  });

  it("does not stumble over what it cannot read", () => {
    const store = newStore();
    store.set("coatl.joining", "[1]");
    expect(joinId("one", store)).toMatch(/^[0-9a-f]{48}$/);
  });
});
