"""What the expressions are made of.

Owns the tables: types, and for each type the shapes that give a value of it. A hole `<int>` stands for an expression of
that type; `T` is any type at all and `<name>` a fresh name. Invariant: filled in as it says, a shape is meant to
compile; mistakes come from the generator alone.
"""

from __future__ import annotations

from pathlib import Path

PREAMBLE = """\
import math
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor


class Pair(NamedTuple):
    left: int
    right: Tensor


class Color(Enum):
    RED = 1
    BLUE = 2


class Box:
    def __init__(self, size: int, label: str = "box"):
        self.size = size
        self.label = label

    def grown(self, by: int, twice: bool = False) -> int:
        return self.size + by

    def __add__(self, other: int) -> int:
        return self.size + other

    def __getitem__(self, index: int) -> str:
        return self.label

    def __len__(self) -> int:
        return self.size


def scale(x: Tensor, by: float = 1.0, names: Optional[List[str]] = None) -> Tensor:
    return x * by


def pick(values: List[int], at: int, *, default: Optional[int]) -> Optional[int]:
    return values[at] if at < len(values) else default


def plain(x, n: int):
    return x + n


def many(a: int, b: str = "b", c: Optional[Tensor] = None, d: Tuple[int, int] = (1, 2)) -> Tuple[int, str]:
    return a, b


def nothing(x: List[int]):
    x.append(1)


NUMBER = 3
RATIO = 0.5
FLAG = True
WORD = "word"
PAIR_OF = (1, "a")
LISTED = [1, 2]
KIND = torch.float32
PLACE = torch.device("cpu")
BLUE = Color.BLUE


"""

SCALARS = ("int", "float", "bool", "str", "complex", "Tensor")
TYPES = (
    *SCALARS,
    "torch.device",
    "Optional[int]",
    "Optional[float]",
    "Optional[str]",
    "Optional[Tensor]",
    "List[int]",
    "List[float]",
    "List[bool]",
    "List[str]",
    "List[Tensor]",
    "List[Optional[Tensor]]",
    "List[List[int]]",
    "Optional[List[int]]",
    "Dict[str, int]",
    "Dict[int, Tensor]",
    "Dict[str, List[int]]",
    "Tuple[int, int]",
    "Tuple[int, Tensor, str]",
    "Tuple[Tensor]",
    "List[Tuple[int, str]]",
    "Union[int, str]",
    "Union[int, List[int]]",
    "Optional[Union[int, Tensor]]",
    "Pair",
    "Color",
    "Box",
    "Any",
)
"""The types of parameters, and what takes the place of another type."""

RARE_TYPES = (
    "Optional[Dict[str, Tensor]]",
    "Optional[Tuple[int, str]]",
    "Optional[Pair]",
    "Optional[Box]",
    "Optional[Color]",
    "Optional[Any]",
    "Optional[bool]",
    "Optional[torch.device]",
    "List[Any]",
    "List[Pair]",
    "List[Box]",
    "List[Color]",
    "List[Dict[str, int]]",
    "List[Optional[int]]",
    "List[List[Tensor]]",
    "List[Union[int, str]]",
    "List[complex]",
    "List[torch.device]",
    "Dict[str, Any]",
    "Dict[str, Tensor]",
    "Dict[int, str]",
    "Dict[str, Optional[int]]",
    "Dict[str, Dict[str, int]]",
    "Dict[float, bool]",
    "Dict[Tensor, int]",
    "Dict[str, Tuple[int, Tensor]]",
    "Tuple[Any, int]",
    "Tuple[int, Tuple[str, Tensor]]",
    "Tuple[Optional[int], Optional[Tensor]]",
    "Tuple[List[int], Dict[str, int]]",
    "Tuple[float, float]",
    "Tuple[()]",
    "Tuple[int, ...]",
    "Union[Tensor, List[Tensor]]",
    "Union[int, float]",
    "Union[int, float, complex]",
    "Union[List[int], List[str]]",
    "Union[Dict[str, int], Dict[str, str]]",
    "Union[Pair, Box, None]",
    "Union[Tuple[int, int], int]",
    "torch.dtype",
    "torch.Size",
    "torch.Generator",
    "torch.layout",
    "None",
    "list[int]",
    "dict[str, int]",
    "int | None",
    "Tensor | int",
    "List",
    "'number'",
    "torch.jit.Future[int]",
    "torch.jit.Future[Tensor]",
    "'Optional[int]'",
)
"""Types that are seldom written, and some that do not exist."""

SHAPES: dict[str, tuple[str, ...]] = {
    "int": (
        "3",
        "-1",
        "0",
        "len(<List[T]>)",
        "len(<str>)",
        "len(<Dict[str, int]>)",
        "int(<float>)",
        "int(<Tensor>)",
        "int(<str>)",
        "<Tensor>.dim()",
        "<Tensor>.size(<int>)",
        "<Tensor>.shape[<int>]",
        "<Tensor>.dtype",
        "torch.float32",
        "<int> + <int>",
        "<int> - <int>",
        "<int> * <int>",
        "<int> // <int>",
        "<int> % <int>",
        "<int> ** <int>",
        "<int> & <int>",
        "<int> | <int>",
        "<int> ^ <int>",
        "<int> << <int>",
        "<int> >> <int>",
        "-<int>",
        "~<int>",
        "abs(<int>)",
        "max(<int>, <int>)",
        "min(<int>, <int>)",
        "sum(<List[int]>)",
        "max(<List[int]>)",
        "round(<int>)",
        "<Tensor>.numel()",
        "<Pair>.left",
        "<Color>.value",
        "<Box>.size",
        "<Box>.grown(<int>)",
        "<Box> + <int>",
        "len(<Box>)",
        "ord(<str>)",
        "hash(<str>)",
        "<List[int]>.index(<int>)",
        "<List[int]>.pop()",
        "<str>.find(<str>)",
        "math.floor(<float>)",
        "<Tensor>.shape[0]",
        "torch.iinfo(<int>).max",
        "<List[int]>.count(<int>)",
    ),
    "float": (
        "2.5",
        "1e-3",
        "float(<int>)",
        "float(<str>)",
        "float(<Tensor>)",
        "<float> + <float>",
        "<float> + <int>",
        "<int> / <int>",
        "<float> * <int>",
        "<float> ** <int>",
        "<float> // <float>",
        "<float> % <float>",
        "-<float>",
        "abs(<float>)",
        "math.sqrt(<float>)",
        "math.pow(<float>, <int>)",
        "math.pi",
        "sum(<List[float]>)",
        "max(<float>, <int>)",
        "round(<float>)",
        "math.inf",
        "torch.pi",
        "abs(<complex>)",
        "<complex>.real",
    ),
    "bool": (
        "True",
        "False",
        "<int> < <int>",
        "<float> <= <int>",
        "<str> == <str>",
        "<int> != <int>",
        "not <bool>",
        "<bool> and <bool>",
        "<bool> or <bool>",
        "<Optional[int]> is None",
        "<Optional[Tensor]> is not None",
        "<int> in <List[int]>",
        "<str> in <Dict[str, int]>",
        "<str> not in <List[str]>",
        "isinstance(<T>, int)",
        "isinstance(<T>, (int, str))",
        "bool(<int>)",
        "bool(<Tensor>)",
        "<Tensor>.is_cuda",
        "all(<List[bool]>)",
        "any(<List[bool]>)",
        "<int> < <int> < <int>",
        "<str>.startswith(<str>)",
        "<Color> == <Color>",
        "<str> in <str>",
        "<Tensor>.is_contiguous()",
        "math.isnan(<float>)",
        "<List[int]> == <List[int]>",
        "torch.is_tensor(<Tensor>)",
        "<bool> == <bool>",
        "<torch.device> == <torch.device>",
        "torch.is_floating_point(<Tensor>)",
        "<str> < <str>",
        "isinstance(<T>, List[int])",
        "isinstance(<T>, Tensor)",
        "hasattr(<Pair>, 'left')",
        "<bool> & <bool>",
    ),
    "str": (
        "'ab'",
        "''",
        "str(<T>)",
        "<str> + <str>",
        "<str> * <int>",
        "<str>[<int>]",
        "<str>[<int>:]",
        "<str>.upper()",
        "f'{<int>}'",
        "f'a{<T>}b'",
        "'{} {}'.format(<T>, <T>)",
        "'%d' % <int>",
        "'%s %d' % (<str>, <int>)",
        "<str>.join(<List[str]>)",
        "<Color>.name",
        "<Box>.label",
        "<Box>[<int>]",
        "<torch.device>.type",
        "chr(<int>)",
        "hex(<int>)",
        "<str>.strip(<str>)",
        "<str>.replace(<str>, <str>)",
    ),
    "complex": (
        "2j",
        "1 + 2j",
        "complex(<float>, <float>)",
        "<complex> + <complex>",
        "<complex> * <int>",
        "complex(<int>)",
    ),
    "Tensor": (
        "torch.zeros(2)",
        "torch.ones([<int>, <int>])",
        "torch.tensor(<float>)",
        "torch.tensor(<List[int]>)",
        "<Tensor> + <Tensor>",
        "<Tensor> * <float>",
        "<int> - <Tensor>",
        "<Tensor> / <int>",
        "<Tensor> @ <Tensor>",
        "<Tensor> // <int>",
        "<Tensor> ** <int>",
        "<Tensor> < <Tensor>",
        "<Tensor> == <int>",
        "-<Tensor>",
        "~<Tensor>",
        "<Tensor>[<int>]",
        "<Tensor>[<int>:<int>]",
        "<Tensor>[..., <int>]",
        "<Tensor>[<Tensor>]",
        "<Tensor>[None, <int>]",
        "<Tensor>[:, ::<int>]",
        "<Tensor>[<int>, <Tensor>, :]",
        "<Tensor>.view(<int>, <int>)",
        "<Tensor>.t()",
        "<Tensor>.T",
        "<Tensor>.float()",
        "<Tensor>.to(<torch.device>)",
        "<Tensor>.to(torch.float32)",
        "<Tensor>.sum(dim=<int>)",
        "<Tensor>.reshape(<List[int]>)",
        "<Tensor>.permute(<int>, <int>)",
        "torch.cat(<List[Tensor]>, dim=<int>)",
        "torch.stack([<Tensor>, <Tensor>])",
        "F.relu(<Tensor>)",
        "<Tensor>.mean()",
        "<Pair>.right",
        "<Tensor> & <Tensor>",
        "torch.max(<Tensor>, dim=<int>)[0]",
        "torch.max(<Tensor>, dim=<int>).values",
        "abs(<Tensor>)",
        "<Tensor>.grad",
        "scale(<Tensor>)",
        "scale(<Tensor>, <float>)",
        "scale(<Tensor>, names=<List[str]>)",
        "plain(<Tensor>, <int>)",
        "torch.where(<Tensor>, <Tensor>, <Tensor>)",
        "<Tensor>.data",
        "torch.jit.annotate(Tensor, <Tensor>)",
        "max(<Tensor>, <Tensor>)",
        "<Tensor>.type(torch.int)",
        "torch.arange(<int>)",
        "torch.full([<int>], <float>)",
        "<Tensor>.expand(<int>, -1)",
        "<Tensor>.new_zeros(<List[int]>)",
        "torch.rand(<int>, <int>)",
        "round(<Tensor>)",
    ),
    "torch.device": ("torch.device('cpu')", "<Tensor>.device", "torch.device(<str>)", "torch.device('cuda', <int>)"),
    "Optional[int]": (
        "<int>",
        "None",
        "<Pair>.left",
        "pick(<List[int]>, <int>, default=<Optional[int]>)",
        "<Dict[str, int]>.get(<str>)",
    ),
    "Optional[float]": ("<float>", "None"),
    "Optional[str]": ("<str>", "None"),
    "Optional[Tensor]": ("<Tensor>", "None", "<Tensor>.grad", "<List[Optional[Tensor]]>[<int>]"),
    "List[int]": (
        "[<int>, <int>]",
        "[<int>]",
        "<Tensor>.shape",
        "<Tensor>.size()",
        "list(range(<int>))",
        "[<int>] * <int>",
        "[<name> + 1 for <name> in <List[int]>]",
        "[<int> for <name> in range(<int>)]",
        "list(<Dict[str, int]>.values())",
        "[len(<name>) for <name> in <List[str]>]",
        "torch.jit.annotate(List[int], [])",
        "sorted(<List[int]>)",
        "<Tensor>.stride()",
        "[<name> for <name>, _ in <List[Tuple[int, str]]>]",
        "list(<Tuple[int, int]>)",
    ),
    "List[float]": ("[<float>, <float>]", "[1.0]", "[<name> * 2.0 for <name> in <List[float]>]"),
    "List[bool]": ("[<bool>, <bool>]", "[<name> > 1 for <name> in <List[int]>]"),
    "List[str]": (
        "[<str>, <str>]",
        "<str>.split(<str>)",
        "list(<str>)",
        "<str>.split()",
        "list(<Dict[str, int]>.keys())",
        "[str(<name>) for <name> in <List[T]>]",
    ),
    "List[Tensor]": (
        "[<Tensor>, <Tensor>]",
        "[]",
        "torch.split(<Tensor>, <int>)",
        "<Tensor>.chunk(<int>)",
        "<Tensor>.unbind()",
        "torch.meshgrid(<List[Tensor]>)",
        "[<name> + 1 for <name> in <Tensor>]",
        "<Tensor>.split([<int>, <int>])",
    ),
    "List[Optional[Tensor]]": ("[<Tensor>, None]", "[<Optional[Tensor]>]"),
    "List[List[int]]": ("[<List[int]>, <List[int]>]", "[<List[int]>]"),
    "Dict[str, int]": (
        "{<str>: <int>}",
        "{<str>: <int>, <str>: <int>}",
        "{<name>: <int> for <name> in <List[str]>}",
        "dict(a=<int>, b=<int>)",
        "dict([(<str>, <int>)])",
        "torch.jit.annotate(Dict[str, int], {})",
        "<Dict[str, int]>.copy()",
        "{<str>: <name> for <name> in <List[int]>}",
    ),
    "Dict[int, Tensor]": ("{<int>: <Tensor>}", "{<name>: <Tensor> for <name> in range(<int>)}"),
    "Dict[str, List[int]]": ("{<str>: <List[int]>}", "{<str>: [1], <str>: <List[int]>}"),
    "Tuple[int, int]": ("(<int>, <int>)", "<int>, <int>"),
    "Tuple[int, Tensor, str]": ("(<int>, <Tensor>, <str>)", "(<int>, *(<Tensor>, <str>))"),
    "Tuple[Tensor]": ("(<Tensor>,)",),
    "List[Tuple[int, str]]": (
        "[(<int>, <str>)]",
        "list(zip(<List[int]>, <List[str]>))",
        "list(enumerate(<List[str]>))",
    ),
    "Union[int, str]": ("<int>", "<str>"),
    "Union[int, List[int]]": ("<int>", "<List[int]>"),
    "Optional[Union[int, Tensor]]": ("<int>", "<Tensor>", "None"),
    "Optional[List[int]]": ("<List[int]>", "None"),
    "Pair": ("Pair(<int>, <Tensor>)", "Pair(right=<Tensor>, left=<int>)"),
    "Color": ("Color.RED", "Color(<int>)"),
    "Box": ("Box(<int>)", "Box(<int>, label=<str>)"),
    "Any": ("<T>",),
}

GENERIC: tuple[str, ...] = (
    "<T> if <bool> else <T>",
    "<List[T]>[<int>]",
    "(<T>, <int>)[0]",
    "[<T>, <T>][<int>]",
    "torch.jit.annotate(T, <T>)",
    "<List[T]>.pop()",
    "{<str>: <T>}[<str>]",
    "(<T>)",
)
"""Shapes that give whatever type their `T` is."""

LOOSE: tuple[str, ...] = tuple(Path(__file__).with_name("loose.txt").read_text(encoding="utf-8").splitlines())
"""Shapes that take anything, and often fail: a line each."""

STATEMENTS: tuple[str, ...] = (
    "<new:T> = <T>",
    "<new:T> = <T>",
    "<new:T>: T = <T>",
    "<new:T>: T = <T>",
    "<new:int>, <new:str> = <int>, <str>",
    "<new:int>, <new:Tensor>, <new:str> = <Tuple[int, Tensor, str]>",
    "<old:T> = <T>",
    "<old:int> += <int>",
    "<old:Tensor> *= <T>",
    "<old:T> += <T>",
    "<old:List[int]>[<int>] = <int>",
    "<old:Dict[str, int]>[<str>] = <int>",
    "<old:Tensor>[<int>] = <T>",
    "<old:List[T]>.append(<T>)",
    "<old:Dict[str, int]>.update(<Dict[str, int]>)",
    "assert <bool>, <str>",
    "assert <old:Optional[int]> is not None",
    "assert isinstance(<old:Union[int, str]>, int)",
    "if <bool>:\n    <old:T> = <T>",
    "if <old:Optional[Tensor]> is None:\n    <old:Optional[Tensor]> = <Tensor>",
    "for <new:int> in range(<int>):\n    <old:T> = <T>",
    "for <new:T> in <List[T]>:\n    print(<T>)",
    "for <new:str>, <new:int> in <Dict[str, int]>.items():\n    print(<T>)",
    "while <bool>:\n    <old:int> -= <int>",
    "print(<T>, <T>)",
    "<T>",
    "<new:T> = <new:T> = <T>",
    "<new:T>, *<new:List[T]> = <T>, <T>, <T>",
    "*<new:List[T]>, <new:T> = <T>",
    "(<new:T>, <new:int>), <new:str> = (<T>, <int>), <str>",
    "<new:T>, <new:T> = <T>",
    "<new:int>, <new:int> = <Tensor>.shape",
    "<new:Tensor>, <new:Tensor> = torch.max(<Tensor>, <int>)",
    "[<new:int>, <new:int>] = <Tuple[int, int]>",
    "<new:T>: List = <T>",
    "<new:Optional[T]>: Optional[T] = None",
    "<new:List[T]>: List[T] = []",
    "<new:Dict[str, T]>: Dict[str, T] = {}",
    "<new:Tensor>: Tensor",
    "<new:List[T]> = []\n<old:List[T]>.append(<T>)",
    "<new:T> = <T>  # type: T",
    "<old:Box>.size = <T>",
    "<old:Box>.size += <T>",
    "<old:Box>.other = <T>",
    "<old:Pair>.left = <T>",
    "<old:List[T]>[<int>] += <T>",
    "<old:List[T]>[<T>] = <T>",
    "<old:List[T]>[<int>:] = <T>",
    "<old:Tensor>[<T>] += <T>",
    "<old:Tensor>[<int>:, <T>] = <T>",
    "<old:Tensor>[<Tensor>] = <T>",
    "<old:Dict[str, T]>[<T>] = <T>",
    "<old:Tuple[int, int]>[0] = <T>",
    "<old:T> -= <T>",
    "<old:int> /= <int>",
    "<old:int> //= <T>",
    "<old:T> @= <T>",
    "<old:float> **= <T>",
    "<old:str> += <T>",
    "<old:List[T]> += <T>",
    "<old:bool> |= <T>",
    "del <old:T>",
    "del <old:List[T]>[<int>]",
    "del <old:Dict[str, T]>[<T>]",
    "assert <T>",
    "assert <T>, <T>",
    "assert <old:Optional[T]> is not None\nprint(<old:Optional[T]>)",
    "assert isinstance(<old:Any>, T)\n<new:T> = <old:Any>",
    "assert isinstance(<old:Optional[Union[int, Tensor]]>, Tensor)",
    "raise ValueError(<T>)",
    "raise <T>",
    "pass",
    "return <T>",
    "with torch.no_grad():\n    <new:T> = <T>",
    "with <T>:\n    pass",
    "if <T>:\n    <new:T> = <T>\nelse:\n    <old:T> = <T>",
    "if <bool>:\n    <old:T> = <T>\nelse:\n    <old:T> = <T>",
    "if <bool>:\n    return <T>",
    "if <bool>:\n    return <T>\nelse:\n    return <T>",
    "if <bool>:\n    raise ValueError(<str>)",
    "if <old:Optional[T]> is not None:\n    print(<old:Optional[T]>)",
    "if <old:Optional[int]> is None:\n    return <T>",
    "if isinstance(<old:Union[int, str]>, str):\n    print(<old:Union[int, str]> + <str>)",
    "if isinstance(<old:Union[int, str]>, str):\n    pass\nelse:\n    print(<old:Union[int, str]> + 1)",
    "if isinstance(<old:Any>, T):\n    return <old:Any>",
    "if <old:Optional[int]> is not None and <old:Optional[int]> > <int>:\n    print(<old:Optional[int]> + 1)",
    "if not <T>:\n    pass\nelif <T>:\n    <old:T> = <T>",
    "if torch.jit.is_scripting():\n    return <T>",
    "for <new:T> in <T>:\n    print(<T>)",
    "for <new:int>, <new:T> in enumerate(<List[T]>):\n    print(<T>)",
    "for <new:int>, <new:T> in zip(<List[int]>, <List[T]>):\n    print(<T>)",
    "for <new:int> in <Tuple[int, int]>:\n    print(<T>)",
    "for <new:int> in range(<T>, <T>):\n    if <bool>:\n        break\n    <old:T> = <T>",
    "for <new:int> in range(<int>):\n    <new:T> = <T>\n    continue",
    "for <new:str> in <Dict[str, T]>:\n    <old:Dict[str, T]>[<str>] = <T>",
    "for <new:Tensor> in <Tensor>:\n    <old:Tensor> += <Tensor>",
    "for <new:int>, <new:str> in <List[Tuple[int, str]]>:\n    print(<T>)",
    "while <T>:\n    <old:T> = <T>\n    break",
    "while True:\n    <old:int> += 1\n    if <bool>:\n        return <T>",
    "print(<T>, <T>)\nprint(<T>)",
)
"""Statements. `<new:T>` binds a name of that type, `<old:T>` is a name of it."""
