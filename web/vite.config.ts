import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { inRem, queryInRem } from "./src/lib/rem";
import { repack } from "./unhinted";

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

/** So do the licences of the code that is not ours, with the files it is in. */
const codeLicences: Plugin = {
  name: "code-licences",
  apply: "build",
  generateBundle(_, files) {
    const modules = Object.values(files).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const packages = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []);
    const texts = [...new Set(packages)].sort().map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
      const licences = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
      if (licences.length === 0) throw new Error(`${name} comes without its licence`);
      const terms = licences.map((file) => readFileSync(join(folder, file), "utf-8").trim());
      return `${name} ${version}\n\n${terms.join("\n\n")}\n`;
    });
    this.emitFile({ type: "asset", fileName: "assets/code-licences.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
  },
};

/** The files of the font are replaced by smaller ones. */
const unhintedFont: Plugin = {
  name: "unhinted-font",
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".woff2")) continue;
      const [source] = file.originalFileNames;
      if (!source) throw new Error(`${file.fileName} comes from nowhere`);
      file.source = repack(readFileSync(source.replace(/woff2$/, "woff")));
    }
  },
};

/** PostCSS runs this over style sheets and the styles of components. */
const pxToRem = {
  postcssPlugin: "px-to-rem",
  Declaration(declared: { value: string }): void {
    if (declared.value.includes("px")) declared.value = inRem(declared.value);
  },
  AtRule: {
    media(rule: { params: string }): void {
      if (rule.params.includes("px")) rule.params = queryInRem(rule.params);
    },
  },
};

/** Where all texts are imported from, and what that takes them from. */
const messages = fileURLToPath(new URL("./src/paraglide/messages.js", import.meta.url));
const catalogues = fileURLToPath(new URL("./src/paraglide/messages/", import.meta.url));

/** Names with capitals are others in the files of the languages; this gives them their own again. */
function ownNames(): string {
  const all = readFileSync(join(catalogues, "_index.js"), "utf-8");
  return [...all.matchAll(/^export \{ \w+ as "\w+" \}/gm)].map(([line]) => line).join("\n");
}

/**
 * In the built page the texts of each language are a file of their own, and only the reader's is fetched. Paraglide by
 * itself puts every language into every script. `loaded` has to be awaited before anything says a word.
 */
const oneLanguage: Plugin = {
  name: "one-language",
  apply: "build",
  enforce: "pre",
  load(id) {
    if (id.startsWith(catalogues)) return `${readFileSync(id, "utf-8")}\n${ownNames()}`;
    if (id !== messages) return null;
    return `
      import { getLocale } from "./runtime.js";
      const languages = import.meta.glob("./messages/{en,fr,de}.js");
      let texts = {};
      export const loaded = languages["./messages/" + getLocale() + ".js"]().then((found) => { texts = found; });
      export const m = new Proxy({}, { get: (_, key) => (inputs) => texts[key](inputs) });
    `;
  },
};

/** Beside each text of the page the same compressed with Brotli; the server makes other forms itself. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  async writeBundle({ dir }, files) {
    for (const name of Object.keys(files).filter((file) => /^assets.*\.(js|css|svg|txt)$/.test(file))) {
      const text = await readFile(join(dir ?? "", name));
      await writeFile(join(dir ?? "", `${name}.br`), brotliCompressSync(text));
    }
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
      outputStructure: "locale-modules",
    }),
    svelte(),
    oneLanguage,
    unhintedFont,
    fontLicence,
    codeLicences,
    compressed,
  ],
  css: { postcss: { plugins: [pxToRem] } },
  resolve: { alias: { $drawings: drawings } },
  build: {
    outDir: "../src/coatl/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's security policy allows files, not data: addresses
    rolldownOptions: {
      output: {
        codeSplitting: {
          // All that the first screen needs in one file beside the languages: each file takes 600 bytes of headers.
          groups: [
            { name: "language", test: /\/paraglide\/(messages|registry|runtime)\.js$|\/lib\/(language|storage)\.ts$/, priority: 2 },
            { name: "page", test: /\/src\/page\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { fs: { allow: [".", drawings] }, proxy: { "/api": { target: "http://127.0.0.1:8642", ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
});
