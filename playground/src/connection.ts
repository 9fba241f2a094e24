/** The connection to the server in the worker.
 *
 * Monaco's own client speaks most of the protocol over it. The page shares it: it asks and tells things of its own, and
 * listens to what the server tells. A server that has stopped can be begun again, without that client noticing. */

import type { MonacoLspClient } from "monaco-lsp-client";
import type { FromWorker, Message } from "./messages";

type Transport = ConstructorParameters<typeof MonacoLspClient>[0];
type Listener = Parameters<Transport["setListener"]>[0];
type Answer = (message: Message) => void;

const STOPPED = -32603;
const CONTENT_MODIFIED = -32801;

export interface Hearer {
  /** A notification of the server, or an answer that Monaco's client waits for. */
  heard(message: Message): void;
  progressed(stage: string): void;
  failed(reason: string): void;
}

export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

export class Connection implements Transport {
  readonly state: Transport["state"] = { value: { state: "open" }, onChange: () => ({ dispose: () => undefined }) };
  readonly #start: () => Worker;
  readonly #settings: () => Record<string, unknown>;
  readonly #hearer: Hearer;
  /** Who waits for the answer to which request. */
  readonly #waiting = new Map<string | number, Answer>();
  #worker: Worker | null = null;
  #introduction: Message | null = null;
  #listener: Listener = undefined;
  /** Whether what Monaco's client sends makes sense to the server: it knows the document. */
  #isOpen = true;
  #asked = 0;

  constructor(start: () => Worker, settings: () => Record<string, unknown>, hearer: Hearer) {
    this.#start = start;
    this.#settings = settings;
    this.#hearer = hearer;
    this.#begin();
  }

  get hasStopped(): boolean {
    return this.#worker === null;
  }

  /** Asks the server something for the page itself. */
  ask(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const answer: Answer = ({ error, result }) => (error ? reject(new Error(error.message)) : resolve(result));
      this.#request({ jsonrpc: "2.0", id: `page-${++this.#asked}`, method, params }, answer);
    });
  }

  tell(method: string, params: unknown): void {
    this.#post({ jsonrpc: "2.0", method, params });
  }

  /** Begins a server that has stopped again, with the document as it is then. */
  async beginAgain(document: () => OpenDocument): Promise<void> {
    this.#begin();
    await this.ask("initialize", { ...(this.#introduction?.params as object), initializationOptions: this.#settings() });
    this.tell("initialized", {});
    this.tell("textDocument/didOpen", { textDocument: document() });
    this.#isOpen = true;
  }

  // What Monaco's client uses.

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    let sent = message as Message;
    if (sent.method === "initialize") this.#introduction = sent = introduced(sent, this.#settings());
    const forward: Answer = (answer) => this.#listener?.(unlessOutdated(answer) as never);
    if (sent.method === undefined || sent.id === undefined || sent.id === null) {
      if (this.#isOpen) this.#post(sent);
    } else if (this.#isOpen) this.#request(sent, forward);
    else forward(refusal(sent.id, "the server has stopped"));
  }

  setListener(listener: Listener): void {
    this.#listener = listener;
  }

  toString(): string {
    return "the server in the worker";
  }

  // The worker.

  #begin(): void {
    const worker = this.#start();
    this.#worker = worker;
    const fail = (reason: string): void => {
      if (this.#worker === worker) this.#stop(worker, reason);
    };
    worker.addEventListener("error", (event) => fail(event.message || "the worker did not start"));
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === "progress") this.#hearer.progressed(data.stage);
      else if (data.kind === "failed") fail(data.reason);
      else this.#came(JSON.parse(data.text) as Message);
    });
  }

  #stop(worker: Worker, reason: string): void {
    worker.terminate();
    this.#worker = null;
    this.#isOpen = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [id, answer] of waiting) answer(refusal(id, reason));
    this.#hearer.failed(reason);
  }

  #request(message: Message, answer: Answer): void {
    if (message.id === undefined || message.id === null) return;
    if (this.#worker === null) return answer(refusal(message.id, "the server has stopped"));
    this.#waiting.set(message.id, answer);
    this.#post(message);
  }

  #post(message: Message): void {
    this.#worker?.postMessage(JSON.stringify(message));
  }

  #came(message: Message): void {
    if (message.method === undefined && message.id !== undefined && message.id !== null) {
      const answer = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      answer?.(message);
      return;
    }
    this.#listener?.(message as never);
    this.#hearer.heard(message);
  }
}

function refusal(id: string | number, message: string): Message {
  return { jsonrpc: "2.0", id, error: { code: STOPPED, message } };
}

/** Of a text that has changed meanwhile there is nothing to show: Monaco asks again by itself. */
function unlessOutdated(answer: Message): Message {
  if (answer.error?.code !== CONTENT_MODIFIED) return answer;
  return { jsonrpc: "2.0", id: answer.id ?? null, result: null };
}

/** `initialize` with the settings, and with what this page can do beside what the client says of itself.
 *
 * Diagnostics are not asked for, as the client waits half a second before it does: they come by themselves. */
function introduced(message: Message, settings: Record<string, unknown>): Message {
  const params = structuredClone(message.params) as {
    capabilities: { textDocument: Record<string, Record<string, unknown>>; window?: object };
  };
  const document = params.capabilities.textDocument;
  delete document["diagnostic"];
  const completion = (document["completion"] ??= {});
  const item = (completion["completionItem"] ?? {}) as object;
  completion["completionItem"] = { ...item, snippetSupport: true, documentationFormat: ["markdown", "plaintext"] };
  params.capabilities.window = { showDocument: { support: true } };
  return { ...message, params: { ...params, initializationOptions: settings } };
}
