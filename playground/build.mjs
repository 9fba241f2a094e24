/** Builds `dist/`: the page bundled by esbuild, Python's runtime, and the packages of `.build/site` compiled to bytecode.
 *
 * `make playground` puts the packages and `data.json` into `.build` before. */

import { copyFile, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";

const DIST = "dist";
const SITE = ".build/site";
const RUNTIME = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

/** Compiles the packages, whose sources are not needed after that, and puts all files one behind the other: an index of
 * paths and sizes, which stands behind its own size, and then the contents. */
const COMPILE = `
import compileall, json, pathlib, py_compile

site = pathlib.Path("/site")
fine = compileall.compile_dir(
    site, quiet=1, force=True, legacy=True, stripdir="/site", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
)
assert fine, "a package does not compile"
paths = [path for path in sorted(site.rglob("*")) if path.is_file() and path.suffix != ".py"]
index = json.dumps([[str(path.relative_to(site)), path.stat().st_size] for path in paths]).encode()
b"".join([len(index).to_bytes(4), index, *(path.read_bytes() for path in paths)])
`;

async function packages() {
  const python = await loadPyodide();
  python.FS.mkdir("/site");
  python.mountNodeFS("/mounted", SITE);
  python.runPython('import shutil; shutil.copytree("/mounted", "/site", dirs_exist_ok=True)');
  await writePacked("packages.bin", python.runPython(COMPILE).toJs());
}

/** Python as it is once it has started: the page begins there, which takes a sixth of the time. */
async function snapshot() {
  const python = await loadPyodide({ _makeSnapshot: true });
  await writePacked("pyodide/started.bin", python.makeMemorySnapshot());
}

/** Compressed whatever the host does. Its name does not say so, as some hosts would then decompress it, too. */
function writePacked(path, bytes) {
  return writeFile(join(DIST, path), gzipSync(bytes, { level: 9 }));
}

async function bundle() {
  const shared = { bundle: true, format: "esm", target: "es2022", minify: true, outdir: DIST, logLevel: "warning" };
  await build({ ...shared, entryPoints: ["src/page.ts"], splitting: true, chunkNames: "[name]-[hash]", loader: { ".ttf": "file" } });
  await build({
    ...shared,
    entryPoints: { worker: "src/worker.ts", "editor.worker": "monaco-editor/editor/editor.worker.js" },
  });
}

async function copies() {
  await mkdir(join(DIST, "pyodide"), { recursive: true });
  for (const name of RUNTIME) await copyFile(join("node_modules/pyodide", name), join(DIST, "pyodide", name));
  for (const name of ["index.html", "style.css", "icon.svg"]) await copyFile(name, join(DIST, name));
}

/** What esbuild writes for parts that are loaded later stands in the style sheet of the page, too. */
async function prune() {
  for (const name of await readdir(DIST)) {
    if (name.endsWith(".css") && !["page.css", "style.css"].includes(name)) await rm(join(DIST, name));
  }
}

async function report() {
  let total = 0;
  for (const entry of await readdir(DIST, { recursive: true })) {
    const { size, isFile } = await stat(join(DIST, entry)).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!isFile) continue;
    total += size;
    if (size > 50_000) console.log(`${(size / 1e6).toFixed(2).padStart(6)} MB  ${entry}`);
  }
  console.log(`${(total / 1e6).toFixed(2).padStart(6)} MB  in all`);
}

await rm(DIST, { recursive: true, force: true });
await mkdir(DIST);
await copies();
await bundle();
await prune();
await packages();
await snapshot();
await report();
