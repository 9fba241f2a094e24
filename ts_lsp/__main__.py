"""`python -m ts_lsp`: the same as the `ts-lsp` script."""

from __future__ import annotations

from ts_lsp.cli.app import run

if __name__ == "__main__":
    run()
