import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { repack } from "../unhinted";

const read = (kind: string) =>
  readFileSync(fileURLToPath(import.meta.resolve(`@fontsource/alegreya-sans/files/alegreya-sans-latin-400-normal.${kind}`)));

/** Where the table of contents of a WOFF2 file ends, and the lengths in it. */
function readDirectory(file: Buffer): { end: number; lengths: number[] } {
  let at = 48;
  const lengths = Array.from({ length: file.readUInt16BE(12) }, () => {
    let length = 0;
    at += 1; // which table
    do length = 128 * length + (file.readUInt8(at++) & 127);
    while (file.readUInt8(at - 1) & 128);
    return length;
  });
  return { end: at, lengths };
}

it("packs the tables without hints into fewer bytes", () => {
  const [woff, hinted] = [read("woff"), read("woff2")];
  const packed = repack(woff);
  expect(packed.length).toBeLessThan(0.85 * hinted.length);
  expect(packed.toString("latin1", 0, 4)).toBe("wOF2");
  expect(packed.readUInt32BE(8)).toBe(packed.length);
  const { end, lengths } = readDirectory(packed);
  const expected = Array.from({ length: woff.readUInt16BE(12) }, (_, at) => woff.readUInt32BE(44 + 20 * at + 12));
  expect(lengths.toSorted()).toEqual(expected.toSorted());
  const content = brotliDecompressSync(packed.subarray(end, end + packed.readUInt32BE(20)));
  expect(content.length).toBe(lengths.reduce((sum, length) => sum + length, 0));
});
