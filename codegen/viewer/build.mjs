// Builds the page: node build.mjs PLAYER.wasm PAGE.html NODE_MODULES. What `ossicle view` puts into it stays to be filled in.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const [wasm, output, modules] = process.argv.slice(2).map((path) => resolve(path));
const { build } = await import(join(modules, "esbuild/lib/main.js"));

const { outputFiles } = await build({
    entryPoints: [join(folder, "src/main.js")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome100", "firefox113", "safari16.4"],
    charset: "utf8",
    legalComments: "inline",
    loader: { ".wasm": "binary" },
    alias: { "player.wasm": wasm },
    nodePaths: [modules],
});
const licences = ["three", "@dagrejs/dagre"] // smol-toml states its own in each of its files
    .map((name) => `${name}\n${readFileSync(join(modules, name, "LICENSE"), "utf8").trim()}`)
    .join("\n\n");
// Nothing in a script may look like the end of its element.
const script = `/* ${licences}\n*/\n${outputFiles[0].text}`
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
const hash = createHash("sha256").update(script).digest("base64");

const parts = {
    style: readFileSync(join(folder, "style.css"), "utf8"),
    "script hash": `sha256-${hash}`,
    script: script,
};
let page = readFileSync(join(folder, "index.html"), "utf8");
for (const [name, part] of Object.entries(parts)) page = page.replace(`<!-- ${name} -->`, () => part);
writeFileSync(output, page);
