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

/** Texts that no part of the first screen says; `firstScreenIsWhole` checks that. Those of other screens come with these. */
const FURTHER = /^(hint|analysis|why|games)_/;
const USES_FURTHER = new RegExp(`\\.${FURTHER.source.slice(1)}\\w+`);

/** The texts of a language that the first screen may need, or the further ones, from Paraglide's file of all. */
function catalogue(file: string, isFurther: boolean): string {
  const isWanted = (name: string) => FURTHER.test(name) === isFurther;
  const [head, ...texts] = readFileSync(file, "utf-8").split(/^(?=export const )/m);
  const kept = texts.filter((text) => isWanted(text.slice("export const ".length).split(" ", 1)[0] ?? ""));
  return [head, ...kept, ownNames(isWanted)].join("\n");
}

/** Names with capitals are others in the files of the languages; this gives them their own again. */
function ownNames(isWanted: (name: string) => boolean): string {
  const all = readFileSync(join(catalogues, "_index.js"), "utf-8");
  return [...all.matchAll(/^export \{ (\w+) as "\w+" \}/gm)].flatMap(([line, name]) => (isWanted(name ?? "") ? [line] : [])).join("\n");
}

/**
 * In the built page the texts of each language are two files of their own, and only the reader's are fetched: one before
 * anything says a word (`loaded`), the other with the first screen that needs it (`further`). Paraglide by itself puts every
 * language into every script.
 */
const oneLanguage: Plugin = {
  name: "one-language",
  apply: "build",
  enforce: "pre",
  load(id) {
    const [file = "", part] = id.split("?", 2);
    if (file.startsWith(catalogues)) return catalogue(file, part === "further");
    if (id !== messages) return null;
    const files = (part: string) => ["en", "fr", "de"].map((language) => `${language}: () => import("./messages/${language}.js${part}")`);
    return `
      import { getLocale } from "./runtime.js";
      const languages = { ${files("").join(", ")} };
      const furtherOnes = { ${files("?further").join(", ")} };
      let texts = {};
      const keep = (found) => { texts = { ...texts, ...found }; };
      export const loaded = languages[getLocale()]().then(keep);
      export const further = () => furtherOnes[getLocale()]().then(keep);
      export const m = new Proxy({}, { get: (_, key) => (inputs) => texts[key](inputs) });
    `;
  },
};

/** A text that comes later would be missing where the first screen says it. */
const firstScreenIsWhole: Plugin = {
  name: "first-screen-is-whole",
  apply: "build",
  generateBundle(_, files) {
    const seen = new Set<string>();
    const waiting = Object.values(files).flatMap((file) => (file.type === "chunk" && (file.isEntry || file.name === "page") ? [file.fileName] : []));
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const file = files[name];
      if (seen.has(name) || file?.type !== "chunk") continue;
      seen.add(name);
      const used = USES_FURTHER.exec(file.code);
      if (used) throw new Error(`${name} says ${used[0]}, which comes later (FURTHER in vite.config.ts)`);
      waiting.push(...file.imports);
    }
    if (seen.size < 2) throw new Error("the first screen was not found");
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
    firstScreenIsWhole,
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
