"""Whether the process that started the server is still there."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":

    def is_running(process: int) -> bool:
        """Whether a process of this number runs."""
        import ctypes

        synchronize, timed_out = 0x00100000, 0x00000102
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(synchronize, False, process)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
        finally:
            kernel.CloseHandle(handle)

else:

    def is_running(process: int) -> bool:
        """Whether a process of this number runs; True where that cannot be known."""
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            return True
        return True
