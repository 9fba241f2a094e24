"""What JupyterLab is told of the server, by the entry point `jupyter_lsp_spec_v1`.

Owns `specification`. Invariant: it is asked whenever Jupyter starts, so nothing else is imported.
"""

from __future__ import annotations

import sys

NAME = "ts-lsp"


def specification(manager: object) -> dict[str, dict[str, object]]:
    """The server for Python in notebooks and files, run by the Python that has it installed."""
    return {
        NAME: {
            "version": 2,
            "display_name": "ts-lsp (TorchScript)",
            "argv": [sys.executable, "-m", "ts_lsp", "server"],
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/python", "text/x-ipython"],
            "requires_documents_on_disk": False,
        }
    }
