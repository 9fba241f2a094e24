/** The panel beside the editor: findings, and the definitions with what the compiler makes of them. */

import type { Finding } from "./editor";
import type { Definition, Entry, Listing, Unreached } from "./messages";

type Reveal = (line: number, column?: number) => void;

export class Panel {
  readonly #findings = byId("findings");
  readonly #definitions = byId("definitions");
  readonly #reveal: Reveal;

  constructor(reveal: Reveal) {
    this.#reveal = reveal;
  }

  showFindings(findings: readonly Finding[]): void {
    byId("findings-count").textContent = String(findings.length);
    const items = findings.map((each) => {
      const button = element("button", "", element("span", "code", each.code), " ", ...prose(each.message), " ");
      button.append(element("span", "place", `line ${each.line + 1}`));
      button.addEventListener("click", () => this.#reveal(each.line, each.column));
      return element("li", "", button);
    });
    this.#findings.replaceChildren(...(items.length ? items : [element("li", "nothing", "Nothing to report.")]));
  }

  showDefinitions({ definitions, unreached }: Listing): void {
    const shown = [
      ...definitions.map((each) => ({ line: each.line, shown: this.#compiled(each) })),
      ...unreached.map((each) => ({ line: each.line, shown: this.#left(each) })),
    ].sort((one, other) => one.line - other.line);
    byId("definitions-count").textContent = `${definitions.length} compiled, ${unreached.length} left to Python`;
    const nothing = element("p", "nothing", "Nothing is defined yet.");
    this.#definitions.replaceChildren(...(shown.length ? shown.map((each) => each.shown) : [nothing]));
  }

  #compiled(definition: Definition): HTMLElement {
    const button = this.#button(definition, definition.verdict, definition.verdict);
    if (definition.schema !== null) button.append(element("code", "schema", definition.schema));
    const error = definition.firstError;
    if (error !== null) {
      const where = `first error in line ${error.line + 1}: `;
      button.append(element("span", "note", where, element("span", "code", error.code)));
    }
    if (definition.unknownReason) button.append(element("span", "note", ...prose(definition.unknownReason)));
    const block = element("div", "definition", button);
    const types = [...definition.attributes.map(attribute), ...definition.variables.map(variable)];
    if (types.length) block.append(element("dl", "types", ...types.flat()));
    return block;
  }

  #left(definition: Unreached): HTMLElement {
    const button = this.#button(definition, "python", "python");
    button.append(element("span", "note", ...prose(definition.why)));
    return element("div", "definition", button);
  }

  #button(entry: Entry, verdict: string, shown: string): HTMLElement {
    const badge = element("span", `verdict ${verdict}`, shown);
    const name = element("code", "", entry.name);
    const kind = element("span", "kind", ` ${entry.kind}, line ${entry.line + 1}`);
    const button = element("button", "", badge, " ", name, kind);
    button.addEventListener("click", () => this.#reveal(entry.line));
    return button;
  }
}

type Row = [HTMLElement, HTMLElement];

function attribute({ name, kind, type, why }: Definition["attributes"][number]): Row {
  return [element("dt", "", `.${name}`), element("dd", "", kind === "dropped" ? `left out: ${why}` : (type ?? kind))];
}

function variable({ name, types }: Definition["variables"][number]): Row {
  return [element("dt", "", name), element("dd", "", types.join(", then "))];
}

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as Kind;
}

export function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (made instanceof HTMLButtonElement) made.type = "button";
  made.append(...children);
  return made;
}

/** A sentence in which code stands between backquotes. */
export function prose(text: string): Node[] {
  return text
    .split("`")
    .map((part, index) => (index % 2 ? element("code", "", part) : document.createTextNode(part)));
}
