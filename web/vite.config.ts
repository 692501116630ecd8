import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The drawings and colours that `coatl.svg` uses too. */
const drawings = fileURLToPath(new URL("../src/coatl/drawings", import.meta.url));

/** The font's licence goes wherever the font goes. */
const fontLicence: Plugin = {
  name: "font-licence",
  generateBundle() {
    const licence = fileURLToPath(import.meta.resolve("@fontsource/alegreya-sans/LICENSE"));
    this.emitFile({ type: "asset", fileName: "assets/alegreya-sans-OFL.txt", source: readFileSync(licence, "utf-8") });
  },
};

export default defineConfig({
  base: "/",
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      strategy: ["custom-chosen", "preferredLanguage", "baseLocale"],
      emitTsDeclarations: true,
    }),
    svelte(),
    fontLicence,
  ],
  resolve: { alias: { $drawings: drawings } },
  build: {
    outDir: "../src/coatl/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's security policy allows files, not data: addresses
  },
  server: { fs: { allow: [".", drawings] }, proxy: { "/api": { target: "http://127.0.0.1:8642", ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
});
