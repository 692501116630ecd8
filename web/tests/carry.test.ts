import encodeQR from "qr";
import decodeQR from "qr/decode.js";
import { describe, expect, it } from "vitest";
import { carryHash, carryLink, readCarried } from "../src/lib/carry";
import { readRoute } from "../src/lib/route";
import { readLink, type HeldSeat } from "../src/lib/seats";

const bytes = (first: number): string => Array.from({ length: 32 }, (_, at) => ((first + 37 * at) % 256).toString(16).padStart(2, "0")).join("");
const [nonce, promise] = [bytes(251), bytes(3)];
const seat: HeldSeat = { table: "Zk3v9QxT2mLa", token: "9vYk2mQx7LrT4bWz8NcH3sJd6PfG1aXe", role: "seat", nonce, promise, owner: "secret", at: 7 };
const carried = { kind: "join", table: seat.table, token: seat.token, nonce, promise };

describe("a seat on its way to another device", () => {
  it("arrives with its nonce and promise, and with nothing else", () => {
    const link = carryLink(seat, "https://coatl.test");
    expect(new URL(link).pathname + new URL(link).search).toBe("/"); // what browsers send
    expect(readCarried(link)).toEqual(carried);
    expect(readRoute(new URL(link).hash)).toEqual({ screen: "arrive", link: carried });
    expect(link).not.toContain("secret");
  });

  it("has no promise where the table made none", () => {
    expect(readCarried(carryHash({ ...seat, promise: "" }))).toEqual({ ...carried, promise: "" });
  });

  it("is not what other links bring, nor what is cut off", () => {
    const link = carryLink(seat, "https://coatl.test");
    expect([readLink(link), readCarried(`https://coatl.test/#/join/${seat.table}/${seat.token}`)]).toEqual([null, null]);
    expect(readCarried(link.slice(0, -1))).toBeNull();
    expect(readCarried(` ${link} \n`)).toEqual(carried);
  });

  it("can be read from its QR code", () => {
    const link = carryLink(seat, "https://coatl.example.org");
    const scale = 4;
    const rows = encodeQR(link, "raw", { ecc: "medium", border: 4 });
    const size = rows.length * scale;
    const data = new Uint8ClampedArray(4 * size * size).fill(255);
    rows.forEach((row, y) => row.forEach((dark, x) => {
      if (!dark) return;
      for (let at = 0; at < scale * scale; at += 1) {
        const pixel = (y * scale + Math.floor(at / scale)) * size + x * scale + (at % scale);
        data.fill(0, 4 * pixel, 4 * pixel + 3);
      }
    }));
    expect(decodeQR({ width: size, height: size, data })).toBe(link);
  });
});
