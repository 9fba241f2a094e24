/** Monaco with Python's grammar, its own client of the protocol, and two themes for what the server colours. */

import "monaco-editor/features/register.all";
import "monaco-editor/languages/definitions/python/register";
import * as monaco from "monaco-editor/editor";
import { MonacoLspClient } from "monaco-lsp-client";
import type { Connection, OpenDocument } from "./connection";

const ADDRESS = monaco.Uri.parse("file:///playground/program.py");

export type Theme = "light" | "dark";

type Colours = Readonly<Record<"parameter" | "refined" | "dropped" | "property" | "function" | "type", string>>;

const COLOURS: Readonly<Record<Theme, Colours>> = {
  light: {
    parameter: "7a3e00",
    refined: "0b6e4f",
    dropped: "9a958c",
    property: "3d4f7c",
    function: "6b3fa0",
    type: "1f6fa8",
  },
  dark: {
    parameter: "f2b880",
    refined: "7fdcb5",
    dropped: "7d786f",
    property: "a9bdf0",
    function: "cfa8ff",
    type: "7cc4f0",
  },
};

self.MonacoEnvironment = {
  getWorker: () => new Worker(new URL("editor.worker.js", import.meta.url), { type: "module" }),
};

export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export class Editor {
  readonly #model = monaco.editor.createModel("", "python", ADDRESS);
  readonly #editor: monaco.editor.IStandaloneCodeEditor;

  constructor(place: HTMLElement, text: string, theme: Theme) {
    this.#model.setValue(text);
    for (const each of ["light", "dark"] as const) defineTheme(each);
    this.#editor = monaco.editor.create(place, {
      model: this.#model,
      theme: `ts-lsp-${theme}`,
      ariaLabel: "TorchScript program",
      automaticLayout: true,
      fontSize: 14,
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      padding: { top: 10 },
      fixedOverflowWidgets: true,
      "semanticHighlighting.enabled": true,
      inlayHints: { enabled: "on", fontSize: 12 },
      wordBasedSuggestions: "off",
      stickyScroll: { enabled: false },
    });
    monaco.editor.registerCommand("ts-lsp.showEntryPoint", (_, address: string, place: { line: number }) => {
      if (address === ADDRESS.toString()) this.reveal(place.line);
    });
  }

  /** Has Monaco's client speak to the server. */
  connect(connection: Connection): void {
    new MonacoLspClient(connection);
  }

  /** The program as the protocol has it. */
  get document(): OpenDocument {
    const version = this.#model.getVersionId();
    return { uri: ADDRESS.toString(), languageId: "python", version, text: this.text };
  }

  get text(): string {
    return this.#model.getValue();
  }

  /** Another program, as an edit that can be undone. */
  set text(text: string) {
    this.#editor.pushUndoStop();
    this.#editor.executeEdits("page", [{ range: this.#model.getFullModelRange(), text }]);
    this.#editor.pushUndoStop();
    this.#editor.setPosition({ lineNumber: 1, column: 1 });
    this.#editor.setScrollTop(0);
  }

  onEdit(tell: () => void): void {
    this.#model.onDidChangeContent(tell);
  }

  /** Tells the findings whenever they are others. */
  onFindings(tell: (findings: readonly Finding[]) => void): void {
    monaco.editor.onDidChangeMarkers((changed) => {
      if (changed.some((each) => each.toString() === ADDRESS.toString())) tell(this.#findings());
    });
  }

  reveal(line: number, column = 1): void {
    const place = { lineNumber: line + 1, column };
    this.#editor.setPosition(place);
    this.#editor.revealPositionInCenterIfOutsideViewport(place);
    this.#editor.focus();
  }

  show(theme: Theme): void {
    monaco.editor.setTheme(`ts-lsp-${theme}`);
  }

  #findings(): Finding[] {
    return monaco.editor
      .getModelMarkers({ resource: ADDRESS })
      .filter((each) => each.severity !== monaco.MarkerSeverity.Hint)
      .map((each) => ({
        code: typeof each.code === "string" ? each.code : "",
        message: each.message,
        line: each.startLineNumber - 1,
        column: each.startColumn,
      }))
      .sort((one, other) => one.line - other.line || one.column - other.column);
  }
}

function defineTheme(theme: Theme): void {
  const colours = COLOURS[theme];
  monaco.editor.defineTheme(`ts-lsp-${theme}`, {
    base: theme === "dark" ? "vs-dark" : "vs",
    inherit: true,
    rules: [
      { token: "parameter", foreground: colours.parameter },
      { token: "parameter.scripted.refined", foreground: colours.refined },
      { token: "variable.scripted.refined", foreground: colours.refined },
      ...["parameter", "variable", "property"].map((token) => ({
        token: `${token}.scripted.dropped`,
        foreground: colours.dropped,
      })),
      { token: "property", foreground: colours.property },
      { token: "function", foreground: colours.function },
      { token: "method", foreground: colours.function },
      { token: "class", foreground: colours.type },
      { token: "namespace", foreground: colours.type },
    ],
    colors: theme === "dark" ? { "editor.background": "#1b1a19" } : { "editor.background": "#faf9f7" },
  });
}
