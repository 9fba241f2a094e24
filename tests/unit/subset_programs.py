"""Programs that the compiler's front end refuses or accepts, shared by the tests of the subset.

Each is the text of a module that defines `f` (a function) or `C` (a class). The line of the first refusal is marked
`# <<`, and no line is marked where the front end accepts. `codes` lists all refusals in the compiler's order.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    text: str
    codes: tuple[str, ...]


def _program(text: str, *codes: str) -> Program:
    return Program(text.lstrip("\n"), codes)


def _body(body: str, *codes: str, parameters: str = "x: int, y: int") -> Program:
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    return Program(f"def f({parameters}):\n{lines}", codes)


PROGRAMS: dict[str, Program] = {
    # Statements
    "nested function": _body("def g():  # <<\n    return lambda: 0\nreturn x", "nested-function"),
    "decorated nested function": _body("@staticmethod\ndef g():  # <<\n    pass\nreturn x", "nested-function"),
    "nested async function": _body("async def g():  # <<\n    pass\nreturn x", "async-function"),
    "nested class": _body("class G:  # <<\n    a = 1\nreturn x", "nested-class"),
    "import": _body("import math  # <<\nreturn x", "local-import"),
    "import from": _body("from math import pi  # <<\nreturn x", "local-import"),
    "global": _body("global z  # <<\nreturn x", "global-statement"),
    "try": _body("try:  # <<\n    x = y\nexcept ValueError:\n    pass\nreturn x", "try-statement"),
    "try finally": _body("try:  # <<\n    x = y\nfinally:\n    pass\nreturn x", "try-statement"),
    "match": _body("match x:  # <<\n    case 1:\n        pass\nreturn x", "match-statement"),
    "dead code": _body("return x\nif False:\n    import os  # <<", "local-import"),
    "for else": _body(
        "for i in range(3):  # <<\n    a = lambda: 0\nelse:\n    x = 1\nreturn x", "loop-else", "lambda-expression"
    ),
    "while else": _body("while x < 3:  # <<\n    x += 1\nelse:\n    x = 1\nreturn x", "loop-else"),
    "bare raise": _body("if x > 3:\n    raise  # <<\nreturn x", "bare-raise"),
    "raise from": _body("if x > 3:\n    raise ValueError('a') from (lambda: 0)\nreturn x"),
    "bare annotation": _body("z: int  # <<\nz = x\nreturn z", "bare-annotation"),
    "annotated self attribute": _body("self.a: int = 3  # <<\nreturn x", "annotated-attribute", parameters="self, x"),
    "annotated attribute": _body("x.a.b: int = 3  # <<\nreturn x", "annotated-target", parameters="x"),
    "annotated attribute of subscript": _body("x[0].b: int = 3  # <<\nreturn x", "annotated-target", parameters="x"),
    "floor division assigned": _body("x //= y  # <<\nreturn x", "augmented-operator"),
    "matrix product assigned": _body("x @= y  # <<\nreturn x", "augmented-operator", parameters="x, y"),
    "augmented over lines": _body("x //= (  # <<\n    y + 1)\nreturn x", "augmented-operator"),
    "augmented on a later line": _body("x[\n    0\n] //= y  # <<\nreturn x", "augmented-operator", parameters="x, y"),
    "augmented after text that is not ASCII": _body(
        "z = '\u00e9\u00e9\u00e9'\nx //= y  # <<\nreturn x", "augmented-operator"
    ),
    "augmented operand first": _body("x //= (lambda: 0)  # <<\nreturn x", "lambda-expression", "augmented-operator"),
    "other augmented": _body("x += y\nx -= y\nx *= y\nx %= y\nx |= y\nx &= y\nx ^= y\nx <<= y\nx >>= y\nreturn x"),
    "with target": _body("with x as (a, b):  # <<\n    pass\nreturn y", "with-target", parameters="x, y"),
    "value before targets": _body("__jit_a = lambda: 0  # <<", "lambda-expression", "reserved-name"),
    "annotated order": _body(
        "__jit_a: (lambda: 0) = b'a'  # <<", "bytes-literal", "reserved-name", "lambda-expression"
    ),
    "chained, deleted, asserted": _body("a = b = x\ndel b\nassert a == x, 'no'\npass\nreturn a"),
    # Expressions
    "lambda": _body("return (\n    lambda: 0)  # <<", "lambda-expression"),
    "yield": _body("yield x  # <<", "yield-expression"),
    "yield from": _body("yield from [x]  # <<", "yield-expression"),
    "walrus": _body("if (z := x) > 1:  # <<\n    return z\nreturn x", "walrus-expression"),
    "set": _body("return {x, lambda: 0}  # <<", "set-literal"),
    "set comprehension": _body("return {i for i in [x]}  # <<", "set-literal"),
    "bytes": _body("return b'abc'  # <<", "bytes-literal"),
    "bytes docstring": _body("b'abc'  # <<\nreturn x", "bytes-literal"),
    "unary plus": _body("return +x  # <<", "unary-plus"),
    "unary plus after its operand": _body("return +(lambda: 0)  # <<", "lambda-expression", "unary-plus"),
    "other unary": _body("return (-x, not x, ~x)"),
    "filtered": _body("return [i for i in [x] if i]  # <<", "filtered-comprehension"),
    "filtered dict": _body("return {i: i for i in [x] if i}  # <<", "filtered-comprehension"),
    "nested comprehension": _body("return [i for i in [x] for j in [y]]  # <<", "nested-comprehension"),
    "generator": _body("return sum(i for i in [x] if i)  # <<", "filtered-comprehension"),
    "generator over lines": _body("return sum(  # <<\n    i for i in [x] if i)", "filtered-comprehension"),
    "element before iterable": _body(
        "return [(lambda: i) for __jit_i in [b'a']]  # <<", "lambda-expression", "reserved-name", "bytes-literal"
    ),
    "dict unpacked first": _body("return {  # <<\n    **x, 'a': 1}", "dict-unpacking", parameters="x"),
    "dict unpacked last": _body("return {'a': 1,\n    **x}  # <<", "dict-unpacking", parameters="x"),
    "dict unpacked twice": _body("return {**x, **y}  # <<", "dict-unpacking", parameters="x, y"),
    "keywords unpacked": _body("return g(x,\n    **y)  # <<", "keyword-unpacking", parameters="x, y"),
    "keyword value first": _body(
        "return g(a=b'', **(lambda: 0))  # <<", "bytes-literal", "lambda-expression", "keyword-unpacking"
    ),
    "conversion": _body("return f'{x!r}'  # <<", "fstring-format"),
    "self-documenting": _body("return f'{x=}'  # <<", "fstring-format"),
    "format specification": _body("return f'a{x:3d}b'  # <<", "fstring-format"),
    "lone surrogate": _body("return '\\ud800'  # <<", "lone-surrogate"),
    "lone surrogate in f-string": _body("return f'\\ud800{(lambda: 0)}'  # <<", "lambda-expression", "lone-surrogate"),
    "plain f-string": _body("return f'a{x}b' 'c'"),
    "reserved name": _body("__jit_x = x  # <<\nreturn x", "reserved-name"),
    "reserved attribute is fine": _body("return x.__jit_y", parameters="x"),
    "reserved parameter is fine": _body("return 1", parameters="__jit_x: int"),
    "star in call": _body("return g(*x, lambda: 0)  # <<", "lambda-expression", parameters="x"),
    "operators": _body("return (x @ y, x // y, x ** y, x and y or x, x < y <= x, x is y, x not in [y])"),
    "slices": _body("return x[1:, lambda: 0, ::2]  # <<", "lambda-expression", parameters="x"),
    # Signature
    "variable arguments": _program("def f(x,\n      *args):  # <<\n    return x\n", "variadic-parameter"),
    "keywords before variable arguments": _program(
        "def f(\n    *args,\n    **kw,  # <<\n):\n    return 1\n", "variadic-parameter", "variadic-parameter"
    ),
    "keyword-only default": _program(
        "def f(x,\n      *, a: int,\n      b: int = 2):  # <<\n    return x\n", "keyword-only-default"
    ),
    "keyword-only default refused itself": _program(
        "def f(x, *, b=lambda: 0):  # <<\n    return x\n", "lambda-expression", "keyword-only-default"
    ),
    "keyword-only": _program("def f(x: int, *, a: int):\n    return x\n"),
    "positional-only annotation unread": _program("def f(x: (lambda: 0), /):\n    return 1\n"),
    "annotation refused": _program(
        "def f(x: (lambda: 0)) -> b'':  # <<\n    return 1\n", "lambda-expression", "bytes-literal"
    ),
    "positional default unread": _program("def f(x: int = (lambda: 0)):\n    return 1\n"),
    "signature before body": _program("def f(*args):  # <<\n    import os\n", "variadic-parameter", "local-import"),
    "async": _program("async def f(x):  # <<\n    return x\n", "not-a-function"),
    # Type comments
    "signature comment": _program("def f(x, y):\n    # type: (int, int) -> int\n    return x\n"),
    "signature comment with commas and more": _program("def f(x):\n    # type: (int,) -> int more\n    return x\n"),
    "local type comment": _program(
        "def f(x):\n    y = [x]  # type: List[int]  # <<\n    return y\n", "misplaced-type-comment"
    ),
    "two local type comments": _program(
        "def f(x):\n    y = [x]  # type: List[int]  # <<\n    z = [x]  # type: List[int]\n    return y\n",
        "misplaced-type-comment",
        "misplaced-type-comment",
    ),
    "type ignore": _program("def f(x: int):\n    y = [x]  # type: ignore\n    return y\n"),
    "type ignore with one code": _program("def f(x: int):\n    y = [x]  # type: ignore[no-any]\n    return y\n"),
    "type ignore with two codes": _program(
        "def f(x):\n    y = [x]  # type: ignore[a, b] <<\n    return y\n", "misplaced-type-comment"
    ),
    "type ignore and noqa": _program(
        "def f(x):\n    y = [x]  # type: ignore # noqa <<\n    return y\n", "misplaced-type-comment"
    ),
    "signature and local comment": _program(
        "def f(x):\n    # type: (int) -> int\n    y = [x]  # type: List[int]  # <<\n    return x\n",
        "misplaced-type-comment",
    ),
    "two signatures": _program(
        "def f(x):\n    # type: (int) -> int\n    # type: (int) -> int  # <<\n    return x\n", "malformed-type-comment"
    ),
    "comment in a string": _program(
        "def f(x):\n    '''Use # type: ignore <<'''\n    return x\n", "misplaced-type-comment"
    ),
    "no parameter list": _program("def f(x):\n    # type: int -> int  # <<\n    return x\n", "malformed-type-comment"),
    "unclosed list": _program("def f(x):\n    # type: (int -> int  # <<\n    return x\n", "malformed-type-comment"),
    "empty entry": _program("def f(x):\n    # type: (, int) -> int  # <<\n    return x\n", "malformed-type-comment"),
    "no return type": _program("def f(x):\n    # type: (int)\n    return x\n"),
    "arrow without type": _program("def f(x):\n    # type: (int) -> # <<\n    return x\n", "malformed-type-comment"),
    "count": _program("def f(x, y):  # <<\n    # type: (int) -> int\n    return x\n", "type-comment-count"),
    "count over lines": _program(
        "def g(h):\n    return h\n\n@g\ndef f(x,  # <<\n      y):\n    # type: (int) -> int\n    return x\n",
        "type-comment-count",
    ),
    "comment after annotations": _program(
        "def f(x: (lambda: 0), y):  # <<\n    # type: (int) -> int\n    import os\n    return x\n",
        "lambda-expression",
        "type-comment-count",
        "local-import",
    ),
    "prefix before everything": _program(
        "def f(*x):\n    return lambda: 0  #type: int <<\n",
        "type-comment-prefix",
        "variadic-parameter",
        "lambda-expression",
    ),
    "prefix with blanks": _program("def f(x):\n    return x  # type : int <<\n", "type-comment-prefix"),
    "prefix of ignore is fine": _program("def f(x: int):\n    return x  #type: ignore\n"),
    "over lines": _program(
        "def f(x,  # type: int\n      y,  # type: int\n      ):\n    # type: (...) -> int\n    return x\n"
    ),
    "over lines with noqa": _program(
        "def f(x,  # type: int  # noqa\n      y,  # type: int\n):\n    # type: (...) -> int  # <<\n    return x\n",
        "malformed-type-comment",
    ),
    "over lines, too few": _program(
        "def f(  # <<\n    x,  # type: int\n    y,\n):\n    # type: (...) -> int\n    return x\n",
        "type-comment-count",
    ),
    # Alignment
    "wrapped decorator that starts like a definition": _program(
        "def g(**kw):\n    return lambda h: h\n\n@g(\n    default=3,  # <<\n    a=4)\ndef f(x):\n    return x\n",
        "unaligned-source",
    ),
    "comment to the left": _program("if True:\n    def f(x: int):\n# far left\n        return x\n"),
    "string tail to the left": _program("if True:\n    def f(x: int):\n        '''a\nb'''\n        return x\n"),
    "form feed in an indented function": _program(
        "if True:\n    def f(x: int):\n        y = x\n\f        return y  # <<\n", "unaligned-source"
    ),
    # The block that is left to Python
    "ignored block": _program(
        "import torch\n\ndef f(x):\n    with torch.jit._IgnoreContextManager(x='inp:int', y='out:int'):\n"
        "        y = (lambda: x)()\n    return y\n"
    ),
    "ignored block without colon": _program(
        "import torch\n\ndef f(x):\n    with torch.jit._IgnoreContextManager(x='int'):  # <<\n"
        "        y = (lambda: x)()\n    return y\n",
        "malformed-ignored-block",
    ),
    # Classes
    "class methods in alphabetical order": _program(
        "class C:\n    def __init__(self):\n        self.a = 1\n\n    def b(self):\n        return lambda: 0\n\n"
        "    def a(self):\n        import os  # <<\n",
        "local-import",
        "lambda-expression",
    ),
    "class properties last": _program(
        "class C:\n    def __init__(self):\n        self.a = 1\n\n    @property\n    def a(self):\n"
        "        return lambda: 0\n\n    def z(self):\n        import os  # <<\n",
        "local-import",
        "lambda-expression",
    ),
    "class static method unread": _program(
        "class C:\n    def __init__(self):\n        self.a = 1\n\n    @staticmethod\n    def s():\n"
        "        return lambda: 0\n"
    ),
    "class constructor is static": _program(
        "class C:\n    def __new__(cls, *args):\n        return object.__new__(cls)\n\n"
        "    def __init__(self):\n        self.a = 1\n"
    ),
    "class assignment refused quietly": _program(
        "class C:\n    a = lambda: 0\n    b: int\n\n    def __init__(self):\n        self.a = 1\n"
    ),
    "class division": _program(
        "class C:\n    a = 1 / 2  # <<\n\n    def __init__(self):\n        self.b = 1\n", "class-level-division"
    ),
    "class bytes": _program(
        "class C:\n    a = b'a'  # <<\n\n    def __init__(self):\n        self.b = 1\n", "bytes-literal"
    ),
    "class refused quietly before bytes": _program(
        "class C:\n    a = (lambda: 0, b'a')\n\n    def __init__(self):\n        self.b = 1\n"
    ),
    "class unary plus": _program(
        "class C:\n    a = +1  # <<\n\n    def __init__(self):\n        self.b = 1\n", "unary-plus"
    ),
    "annotated attribute in __init__": _program("class C:\n    def __init__(self):\n        self.a: int = 1\n"),
    "annotated attribute in a method": _program(
        "class C:\n    def __init__(self):\n        self.a = 1\n\n    def g(self):\n        self.a: int = 2  # <<\n",
        "annotated-attribute",
    ),
    "method type comment": _program(
        "class C:\n    def __init__(self, x):\n        # type: (int) -> None\n        self.a = x\n"
    ),
    "method type comment counts self out": _program(
        "class C:\n    def __init__(self, x):  # <<\n        # type: (C, int) -> None\n        self.a = x\n",
        "type-comment-count",
    ),
    "comment left of an indented class": _program(
        "if True:\n    class C:\n# left  # <<\n        def __init__(self):\n            self.a = 1\n",
        "unaligned-source",
    ),
}
