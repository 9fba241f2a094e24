"""The language server protocol: documents, scheduling, conversions, and one thin handler for each feature.

Invariant: only this package knows pygls and lsprotocol; the event loop never analyses.
"""

from ts_lsp.server.protocol_types import import_lazily

import_lazily()
