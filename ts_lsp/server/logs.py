"""Log records on their way to the client's log.

Owns `ClientLog`. Invariant: never a popup, never the standard output. Errors and warnings are always told; what happens
beside that is told as far as the client's trace asks for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from lsprotocol import types as lsp

_KINDS = ((logging.ERROR, lsp.MessageType.Error), (logging.WARNING, lsp.MessageType.Warning))
_LEVELS = {"off": logging.WARNING, "messages": logging.INFO, "verbose": logging.DEBUG}
_LOGGERS = ("ts_lsp", "pygls", "asyncio")


class ClientLog(logging.Handler):
    """Sends records to the client: above information as `window/logMessage`, the rest as `$/logTrace`."""

    def __init__(self, send: Callable[[object], None]) -> None:
        super().__init__(logging.WARNING)
        self._send = send
        self.setFormatter(logging.Formatter("%(message)s"))

    def attach(self) -> None:
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            logger.addHandler(self)
            logger.propagate = False
        self.trace("off")

    def trace(self, level: str) -> None:
        """As much is told from now on as a trace of this level wants."""
        self.setLevel(_LEVELS.get(level, logging.WARNING))
        logging.getLogger("ts_lsp").setLevel(self.level)
        for name in _LOGGERS[1:]:
            logging.getLogger(name).setLevel(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        kind = next((kind for level, kind in _KINDS if record.levelno >= level), None)
        if kind is None:
            self._send({"jsonrpc": "2.0", "method": lsp.LOG_TRACE, "params": {"message": text}})
        else:
            params = {"type": kind.value, "message": text}
            self._send({"jsonrpc": "2.0", "method": lsp.WINDOW_LOG_MESSAGE, "params": params})
