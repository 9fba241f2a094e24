/** What goes between the page and the worker beside the language server protocol's own messages, and those as far as
 * the page itself reads them. */

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Told by the worker: a message of the server, how far it has come, or that it cannot go on. */
export type FromWorker =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "progress"; readonly stage: string }
  | { readonly kind: "failed"; readonly reason: string };

export interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
}

export interface Definition extends Entry {
  readonly verdict: "ok" | "error" | "unknown";
  readonly schema: string | null;
  readonly unknownReason: string;
  readonly firstError: { readonly code: string; readonly line: number } | null;
  readonly variables: readonly { readonly name: string; readonly types: readonly string[] }[];
  readonly attributes: readonly {
    readonly name: string;
    readonly kind: string;
    readonly type: string | null;
    readonly why: string;
  }[];
}

export interface Unreached extends Entry {
  readonly why: string;
}

/** The answer to the command `ts-lsp.showDefinitions`. */
export interface Listing {
  readonly definitions: readonly Definition[];
  readonly unreached: readonly Unreached[];
}
