/** The programs that the page offers: one of its own, and those on the pages of the rules. */

import data from "../.build/data.json";
import { byId, prose } from "./panel";

export const TORCH_VERSIONS: readonly string[] = data.torch;
export const VERSION: string = data.version;

type Example = (typeof data.categories)[number]["examples"][number];

export const WELCOME = `from typing import List, Optional

import torch
from torch import Tensor, nn


class Pooled(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.project = nn.Linear(width, 8)
        self.scale = 0.5

    def forward(self, x: Tensor, mask: Optional[Tensor] = None):
        y = self.project(x) * self.scale
        if mask is not None:
            y = y * mask
        return y.mean(dim=1)


pooled = torch.jit.script(Pooled(4))


@torch.jit.script
def longest(names: List[str]) -> str:
    best = None
    for name in names:
        if best is None or len(name) > len(best):
            best = name
    return best


@torch.jit.script
def average(values: List[float]) -> float:
    total = 0
    for value in values:
        total += value
    return total / len(values)


def report(values):
    print(f"{average(values):.2f}")
`;

/** The list of examples, and the line that says what the chosen one is about. */
export class Examples {
  readonly #list = byId<HTMLSelectElement>("example");
  readonly #show: (program: string) => void;
  #chosen: Example | null = null;

  constructor(show: (program: string) => void) {
    this.#show = show;
    this.#list.append(new Option("Your own program", "own"), new Option("A first look", "welcome"));
    for (const [index, { title, examples }] of data.categories.entries()) {
      const group = document.createElement("optgroup");
      group.label = title;
      group.append(...examples.map((each, place) => new Option(named(examples, place), `${index}.${place}`)));
      this.#list.append(group);
    }
    this.#list.addEventListener("change", () => this.#choose(this.#list.value));
    byId("fails").addEventListener("click", () => this.#turn("fails"));
    byId("works").addEventListener("click", () => this.#turn("works"));
  }

  /** The program comes from elsewhere. */
  leave(): void {
    this.#chosen = null;
    byId("rule").hidden = true;
  }

  /** Says of a program that is no rule's which entry of the list it is. What is made of a rule's example is still one. */
  mark(program: string): void {
    if (this.#chosen === null) this.#list.value = program === WELCOME ? "welcome" : "own";
  }

  #choose(value: string): void {
    const [category, place] = value.split(".").map(Number);
    this.#chosen = data.categories[category ?? -1]?.examples[place ?? -1] ?? null;
    byId("rule").hidden = this.#chosen === null;
    if (this.#chosen !== null) {
      const link = byId<HTMLAnchorElement>("rule-code");
      link.textContent = this.#chosen.code;
      link.href = `${data.rules}#${this.#chosen.code}`;
      byId("rule-summary").replaceChildren(...prose(this.#chosen.summary));
      byId("rule-why").replaceChildren(...prose(this.#chosen.why));
      this.#turn("fails");
    } else if (value === "welcome") this.#show(WELCOME);
  }

  #turn(form: "fails" | "works"): void {
    for (const each of ["fails", "works"]) byId(each).setAttribute("aria-pressed", String(each === form));
    if (this.#chosen !== null) this.#show(this.#chosen[form]);
  }
}

/** A rule's code, numbered where it has several examples. */
function named(examples: readonly Example[], place: number): string {
  const code = examples[place]?.code ?? "";
  const same = examples.filter((each) => each.code === code);
  return same.length > 1 ? `${code} ${same.indexOf(examples[place] as Example) + 1}` : code;
}
