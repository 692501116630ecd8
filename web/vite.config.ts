import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/",
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      strategy: ["localStorage", "preferredLanguage", "baseLocale"],
      emitTsDeclarations: true,
    }),
    svelte(),
  ],
  build: {
    outDir: "../src/coatl/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's security policy allows files, not data: addresses
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8642", ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
});
