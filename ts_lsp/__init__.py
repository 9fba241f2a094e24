"""ts_lsp: what torch.jit.script would say, without importing torch or running code. See docs/architecture.md."""

from __future__ import annotations

__version__ = "0.1.0"
