"""The test suite's own checks, cut down to their compile call.

Comparing a function with a compiled copy of its text, running it, and expecting an error's wording tell nothing
about the compiler's verdict on the function. Checks of source strings are left whole: tests use what they return.
"""

from __future__ import annotations

import contextlib
from typing import Any

import torch
from torch.testing._internal import jit_utils


class _ToleratingAnything:
    """Stands for an expected error: whether it comes, and what it says, is not what is recorded."""

    exception: BaseException | None = None

    def __enter__(self) -> _ToleratingAnything:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.exception = error
        return isinstance(error, Exception)


def _tolerate(self: object, expected: object, *arguments: Any, **keywords: Any) -> _ToleratingAnything | None:
    """What becomes of assertRaises and its kin; the call may follow the exception and its pattern."""
    callables = [index for index, argument in enumerate(arguments) if callable(argument)]
    if not callables:
        return _ToleratingAnything()
    with _ToleratingAnything():
        arguments[callables[0]](*arguments[callables[0] + 1 :], **keywords)
    return None


def shorten_checks() -> None:
    """Replace the checks of the test suite's base class for the rest of this process."""
    test_case = jit_utils.JitTestCase
    check, check_raises = test_case.checkScript, test_case.checkScriptRaisesRegex

    def check_script(self: Any, script: Any, *arguments: Any, **keywords: Any) -> Any:
        if isinstance(script, str):
            return check(self, script, *arguments, **{"frames_up": 2, **keywords})
        return torch.jit.script(script)

    def check_script_raises(self: Any, script: Any, *arguments: Any, **keywords: Any) -> Any:
        if isinstance(script, str):
            return check_raises(self, script, *arguments, **{"frames_up": 2, **keywords})
        with contextlib.suppress(Exception):
            torch.jit.script(script)
        return None

    test_case.checkScript = check_script
    test_case.checkScriptRaisesRegex = check_script_raises
    test_case.checkModule = lambda self, module, arguments: torch.jit.script(module)
    for name in ("assertRaises", "assertRaisesRegex", "assertRaisesRegexWithHighlight"):
        setattr(test_case, name, _tolerate)
