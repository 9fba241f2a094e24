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

/** Makes the archive in Python, whose sources are not needed once they are compiled. The time in the archive is none, so
 * that the same packages give the same bytes. */
const COMPILE = `
import compileall, gzip, io, pathlib, py_compile, tarfile

site = pathlib.Path("/site")
fine = compileall.compile_dir(
    site, quiet=1, force=True, legacy=True, stripdir="/site", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
)
assert fine, "a package does not compile"
packed = io.BytesIO()
with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as file, tarfile.open(fileobj=file, mode="w") as archive:
    for path in sorted(site.rglob("*")):
        if path.is_file() and path.suffix != ".py":
            entry = archive.gettarinfo(path, str(path.relative_to(site)))
            entry.mtime = 0
            with path.open("rb") as content:
                archive.addfile(entry, content)
packed.getvalue()
`;

async function packages() {
  const python = await loadPyodide();
  python.FS.mkdir("/site");
  python.mountNodeFS("/mounted", SITE);
  python.runPython('import shutil; shutil.copytree("/mounted", "/site", dirs_exist_ok=True)');
  const made = python.runPython(COMPILE);
  await writeFile(join(DIST, "packages.tar.gz"), made.toJs());
}

/** Python as it is once it has started: the page begins there, which takes a sixth of the time. */
async function snapshot() {
  const python = await loadPyodide({ _makeSnapshot: true });
  await writeFile(join(DIST, "pyodide", "started.gz"), gzipSync(python.makeMemorySnapshot(), { level: 9 }));
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
