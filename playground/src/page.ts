/** The page: starts the server and loads the editor at the same time, and connects what a person does to both. */

import { Connection } from "./connection";
import type { Editor, Theme } from "./editor";
import { Examples, TORCH_VERSIONS, VERSION, WELCOME } from "./examples";
import type { Listing, Message } from "./messages";
import { byId, Panel } from "./panel";
import { fragmentOf, type Shared, sharedIn } from "./share";

const THEME = "ts-lsp-theme";
const status = byId("status");
const torch = byId<HTMLSelectElement>("torch");
let began = performance.now();

void open();

async function open(): Promise<void> {
  torch.append(...TORCH_VERSIONS.map((version) => new Option(version)));
  const theme = setUpTheme();
  const shared = await sharedIn(location.hash);
  chooseTorch(shared);
  let heard: (message: Message) => void = () => undefined;
  const start = (): Worker => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const hearer = { heard: (message: Message) => heard(message), progressed: busy, failed };
  const connection = new Connection(start, settings, hearer);
  const { Editor } = await import("./editor");
  const editor = new Editor(byId("editor"), shared?.text ?? WELCOME, theme.current);
  theme.onChange((current) => editor.show(current));
  heard = live(editor, connection);
  editor.connect(connection);
}

/** Keeps the panel and the controls together with the editor; gives who listens to the server. */
function live(editor: Editor, connection: Connection): (message: Message) => void {
  const panel = new Panel((line, column) => editor.reveal(line, column));
  const examples = new Examples((program) => (editor.text = program));
  examples.mark(editor.text);
  const list = latest(async () => {
    const told = { command: "ts-lsp.showDefinitions", arguments: [editor.document.uri] };
    const listing = (await connection.ask("workspace/executeCommand", told)) as Listing | null;
    if (listing !== null) panel.showDefinitions(listing);
  });
  const configure = (): void => connection.tell("workspace/didChangeConfiguration", { settings: settings() });
  editor.onFindings((findings) => panel.showFindings(findings));
  editor.onEdit(() => {
    examples.mark(editor.text);
    if (connection.hasStopped) void connection.beginAgain(() => editor.document).catch(console.debug);
    else void list();
  });
  torch.addEventListener("change", configure);
  byId("share").addEventListener("click", () => void share(editor));
  window.addEventListener("hashchange", async () => {
    const shared = await sharedIn(location.hash);
    if (shared === null) return;
    chooseTorch(shared);
    configure();
    examples.leave();
    editor.text = shared.text;
  });
  return (message) => {
    if (message.method !== "textDocument/publishDiagnostics") return;
    if (status.className !== "") ready();
    void list();
  };
}

function chooseTorch(shared: Shared | null): void {
  if (shared?.torch && TORCH_VERSIONS.includes(shared.torch)) torch.value = shared.torch;
}

function settings(): Record<string, unknown> {
  const hints = ["variable-types", "return-types", "refinements", "conversions"];
  return { "ts-lsp": { "torch-version": torch.value, "inlay-hints": hints, fade: ["dropped-branches"] } };
}

/** Runs one call at a time; those that come meanwhile are one more after it. */
function latest(run: () => Promise<void>): () => Promise<void> {
  let running = false;
  let again = false;
  return async function call(): Promise<void> {
    again = running;
    if (running) return;
    running = true;
    try {
      await run();
    } catch (fault) {
      console.debug(fault);
    }
    running = false;
    if (again) await call();
  };
}

// What the line below says.

function busy(stage: string): void {
  if (status.className !== "busy") began = performance.now();
  status.className = "busy";
  status.textContent = `${stage} …`;
}

function ready(): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  status.className = "";
  status.textContent = `ts-lsp ${VERSION}, ready after ${seconds} s. Nothing leaves this page.`;
}

function failed(reason: string): void {
  status.className = "failed";
  status.textContent = `The checker gave up: ${reason}. It begins again with your next edit.`;
}

// Links.

async function share(editor: Editor): Promise<void> {
  const fragment = await fragmentOf({ text: editor.text, torch: torch.value });
  history.replaceState(null, "", fragment);
  const button = byId("share");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Link copied";
  } catch {
    button.textContent = "Link is in the address bar";
  }
  setTimeout(() => (button.textContent = "Share"), 2500);
}

// Light and dark.

interface ThemeChoice {
  readonly current: Theme;
  onChange(tell: (theme: Theme) => void): void;
}

function setUpTheme(): ThemeChoice {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const heard: ((theme: Theme) => void)[] = [];
  const current = (): Theme => {
    const chosen = localStorage.getItem(THEME);
    return chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
  };
  const show = (): void => {
    document.documentElement.dataset["theme"] = current();
    for (const tell of heard) tell(current());
  };
  byId("theme").addEventListener("click", () => {
    localStorage.setItem(THEME, current() === "dark" ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
  return { current: current(), onChange: (tell) => void heard.push(tell) };
}
