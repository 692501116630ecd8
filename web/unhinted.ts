/**
 * The page's font without hints. The package has them in its WOFF2 files, a third of each, for screens that few still
 * have; its WOFF files have none. The same tables compressed as WOFF2 are the smallest form.
 */

import { brotliCompressSync, constants, inflateSync } from "node:zlib";

interface Table {
  readonly tag: string;
  readonly data: Buffer;
}

/** The tags that WOFF2 has a number for, as far as this font has them. */
const KNOWN: Readonly<Record<string, number>> = {
  cmap: 0, head: 1, hhea: 2, hmtx: 3, maxp: 4, name: 5, "OS/2": 6, post: 7, glyf: 10, loca: 11, gasp: 17, GDEF: 26, GPOS: 27, GSUB: 28,
};
const AS_IT_IS = 3 << 6; // for the outlines; of other tables 0 means the same

function readWoff(file: Buffer): Table[] {
  const tables = Array.from({ length: file.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + 20 * at;
    const [start, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(entry + field)) as [number, number, number];
    const stored = file.subarray(start, start + packed);
    return { tag: file.toString("latin1", entry, entry + 4), data: packed < length ? inflateSync(stored) : Buffer.from(stored) };
  });
  return tables.sort((one, other) => rank(one.tag) - rank(other.tag)); // `loca` right after `glyf`
}

function rank(tag: string): number {
  const number = KNOWN[tag];
  if (number === undefined) throw new Error(`WOFF2 has a number for the table ${tag}, which has to be added here`);
  return number;
}

/** A number in groups of seven bits, the highest first. */
function base128(value: number): number[] {
  const groups = [value & 127];
  for (let rest = value >> 7; rest; rest >>= 7) groups.unshift((rest & 127) | 128);
  return groups;
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** A WOFF file as WOFF2: https://www.w3.org/TR/WOFF2/ */
export function repack(woff: Buffer): Buffer {
  const tables = readWoff(woff);
  const head = tables.find(({ tag }) => tag === "head")?.data;
  head?.writeUInt16BE(head.readUInt16BE(16) | (1 << 11), 16); // repacked without loss
  const directory = Buffer.from(
    tables.flatMap(({ tag, data }) => [rank(tag) | (tag === "glyf" || tag === "loca" ? AS_IT_IS : 0), ...base128(data.length)]),
  );
  const content = brotliCompressSync(Buffer.concat(tables.map(({ data }) => data)), {
    params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT, [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  const header = Buffer.alloc(48);
  const length = padded(48 + directory.length + content.length);
  header.write("wOF2", "latin1");
  woff.copy(header, 4, 4, 8); // the kind of outlines
  header.writeUInt32BE(length, 8);
  header.writeUInt16BE(tables.length, 12);
  header.writeUInt32BE(tables.reduce((sum, { data }) => sum + padded(data.length) + 16, 12), 16);
  header.writeUInt32BE(content.length, 20);
  return Buffer.concat([header, directory, content], length);
}
