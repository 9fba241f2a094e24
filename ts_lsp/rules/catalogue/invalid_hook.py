"""Hook whose signature does not go with the module's `forward`.

## What it does
Finds forward hooks and pre-hooks that are registered on a compiled module and whose parameters or result are not
annotated as TorchScript wants them.

## Why TorchScript refuses it
The hooks of a module compile along with it, and a call of the module runs them with the arguments and the result of
`forward`, so their types have to be those: the arguments as one tuple, the result as it is.

## Example
```py
def watch(module, inputs, output):
    print(output)

class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

double = Double()
double.register_forward_hook(watch)
torch.jit.script(double)
```

## Use instead
```py
def watch(self, input: Tuple[Tensor], output: Tensor):
    print(output)

class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

double = Double()
double.register_forward_hook(watch)
torch.jit.script(double)
```

## Compiler's wording
Hook 'X' on module 'M' expected the input argument to be typed as a Tuple; has the wrong inner types for the input tuple
argument; is missing a return annotation.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain, quoted
from ts_lsp.semantic.facts import Finding

_REASONS = {
    "parameters": "takes other parameters than a hook does: `(self, input: Tuple[...], output: T)`, without `output` "
    "if it runs before `forward`",
    "input": "has to take the arguments of `forward` as a tuple",
    "output": "has to take what `forward` returns, or the hook before it",
    "no-return": "runs before `forward` and needs a return annotation",
    "return": "runs before `forward` and may return only None or new arguments for it",
    "name": "has the name of a method of the module, or of another of its hooks",
    "object": "is an object and no function",
    "no-forward": "belongs to a module without a `forward` that compiles",
}


def message(finding: Finding) -> str:
    reason = _REASONS.get(plain(finding, "reason"), "does not go with the types of `forward`")
    expected = quoted(finding.data.get("expected"), "")
    wanted = f", here {expected}" if expected else ""
    return f"The hook {named(finding, 'name', 'of this module')} {reason}{wanted}."


RULE = Rule(
    code="invalid-hook",
    summary="hook whose signature does not go with the module's `forward`",
    category="classes",
    message=message,
)
