/** Runs the language server: Python in WebAssembly, and the packages that the build put beside this file.
 *
 * Messages of the protocol come and go as JSON texts. What comes before the server is there waits for it. */

import type { loadPyodide as Load } from "pyodide";
import type { FromWorker } from "./messages";

const SERVER = `
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
  const packages = fetched("packages.tar.gz");
  const begun = unpacked(fetched("pyodide/started.gz"));
  const { loadPyodide } = (await import(beside("pyodide/pyodide.mjs"))) as { loadPyodide: typeof Load };
  const python = await loadPyodide({ indexURL: beside("pyodide/"), _loadSnapshot: begun });
  post({ kind: "progress", stage: "Loading the checker" });
  python.unpackArchive(await packages, "gztar", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  const serve = await python.runPythonAsync(SERVER);
  return serve((text: string) => post({ kind: "message", text }));
}

async function fetched(path: string): Promise<ArrayBuffer> {
  const answer = await fetch(beside(path));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function unpacked(packed: Promise<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([await packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

function fail(fault: unknown): void {
  post({ kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) });
}
