"""Makes the generated pages of `docs/` from what they describe.

`python -m scripts.generate_docs --write` writes them, `--check` ends with 1 where one is not up to date.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scripts.rule_examples import CATEGORIES
from ts_lsp.rules.model import Rule
from ts_lsp.rules.registry import codes, find_rule, page

DOCS = Path(__file__).resolve().parent.parent / "docs"

_RULES_INTRODUCTION = """\
# Rules

<!-- Made by scripts/generate_docs.py from the files of ts_lsp/rules/catalogue. -->

What ts-lsp reports. Each rule can be silenced for a line by `# ts-lsp: ignore[code]`, and turned off or given another
severity in the settings. `ts-lsp explain CODE` shows a rule's page in the terminal.

The examples leave out their first lines: `import torch`, `from torch import Tensor, nn`, and the names of `typing`.
All of them are checked by the real compiler.
"""


def generated_pages() -> dict[Path, str]:
    """The text of each generated page."""
    return {DOCS / "rules.md": _rules_page()}


def _rules_page() -> str:
    rules = [rule for code in codes() if (rule := find_rule(code)) is not None]
    parts = [_RULES_INTRODUCTION]
    for category, title in CATEGORIES.items():
        own = [rule for rule in rules if rule.category == category]
        listed = "\n".join(f"- [`{rule.code}`](#{rule.code}): {rule.summary}" for rule in own)
        parts.append(f"## {title}\n\n{listed}\n")
    parts.extend(_rule_section(rule) for rule in rules)
    return "\n".join(parts)


def _rule_section(rule: Rule) -> str:
    """The rule's page, its headings below those of the categories."""
    body = page(rule.code).partition("\n## What it does\n")[2].replace("\n## ", "\n#### ").strip()
    return f"### {rule.code}\n\n*{rule.severity}*\n\n{body}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", action="store_true")
    mode.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    stale = [path for path, text in generated_pages().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if arguments.write:
            path.write_text(generated_pages()[path], encoding="utf-8")
        print(f"{'wrote' if arguments.write else 'stale'}: {path.name}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
