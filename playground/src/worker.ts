/** Runs the language server: Python in WebAssembly, and the packages that the build put beside this file.
 *
 * Messages of the protocol come and go as JSON texts. What comes before the server is there waits for it. */

import type { loadPyodide as Load, PyodideAPI } from "pyodide";
import type { FromWorker } from "./messages";

const FOLDER = `
import site
site.getsitepackages()[0]
`;
const SERVER = `
import importlib
importlib.invalidate_caches()
from ts_lsp.server.browser import serve_messages
serve_messages
`;

const page = self as unknown as DedicatedWorkerGlobalScope;
const post = (message: FromWorker): void => page.postMessage(message);
const beside = (path: string): string => new URL(path, import.meta.url).href;

const take = start();
page.onmessage = async ({ data }: MessageEvent<string>) => {
  try {
    (await take)(data);
  } catch (fault) {
    fail(fault);
  }
};
take.catch(fail);
page.addEventListener("unhandledrejection", ({ reason }) => fail(reason));

async function start(): Promise<(message: string) => void> {
  post({ kind: "progress", stage: "Loading Python" });
  const packages = unpacked("packages.bin");
  const begun = unpacked("pyodide/started.bin");
  const { loadPyodide } = (await import(beside("pyodide/pyodide.mjs"))) as { loadPyodide: typeof Load };
  const python = await loadPyodide({ indexURL: beside("pyodide/"), _loadSnapshot: begun });
  post({ kind: "progress", stage: "Loading the checker" });
  install(python.FS, python.runPython(FOLDER), await packages);
  const serve = await python.runPythonAsync(SERVER);
  return serve((text: string) => post({ kind: "message", text }));
}

/** A file beside this one that the build has compressed. */
async function unpacked(path: string): Promise<ArrayBuffer> {
  const answer = await fetch(beside(path));
  if (!answer.ok || answer.body === null) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Writes the files that the build has put one behind the other. Python's own archives take ten times as long. */
function install(files: PyodideAPI["FS"], folder: string, packed: ArrayBuffer): void {
  let at = 4 + new DataView(packed).getUint32(0);
  const index = JSON.parse(new TextDecoder().decode(packed.slice(4, at))) as [string, number][];
  for (const [path, size] of index) {
    const place = `${folder}/${path}`;
    files.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    files.writeFile(place, new Uint8Array(packed, at, size));
    at += size;
  }
}

function fail(fault: unknown): void {
  post({ kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) });
}
