"""The shipped facts against the real torch, and the shape of their files."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from types import ModuleType

import pytest

from ts_lsp.torchdata import loader, versions
from ts_lsp.torchdata.container import Container, pack
from ts_lsp.torchdata.loader import DATA_FOLDER, TorchData
from ts_lsp.torchdata.module_facts import NOT_KNOWN, given_of, with_arguments
from ts_lsp.torchdata.objects import (
    BooleanDispatch,
    BuiltinOperator,
    CustomClass,
    OpaqueObject,
    ScriptFunction,
    SpecialForm,
    TorchClass,
    TorchConstant,
    TorchModule,
)
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import (
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    UNKNOWN,
    DictType,
    ListType,
    NamedTupleType,
    OptionalType,
    Type,
)
from ts_lsp.types.schema_parser import SchemaSyntaxError, parse_schema, parse_type

EVERY_VERSION = pytest.mark.parametrize("version", versions.SHIPPED)


@pytest.fixture(scope="module")
def torch() -> ModuleType:
    found: ModuleType = pytest.importorskip("torch")
    return found


@pytest.fixture(scope="module")
def data(torch: ModuleType) -> TorchData:
    """The facts of the torch that runs, where they are shipped."""
    version = ".".join(torch.__version__.split(".")[:2])
    if version not in versions.SHIPPED:
        pytest.skip(f"no facts of torch {version}")
    return loader.load(version)


class TestSchemaTexts:
    def test_reads_types_defaults_and_keyword_only_arguments(self) -> None:
        schema = parse_schema("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
        assert (schema.name, schema.overload) == ("aten::add", "Tensor")
        assert [argument.type for argument in schema.arguments] == [TENSOR, TENSOR, NUMBER]
        assert [argument.keyword_only for argument in schema.arguments] == [False, False, True]
        default = schema.arguments[2].default
        assert default is not None
        assert default.value == 1
        assert [returned.type for returned in schema.returns] == [TENSOR]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("int[2]?", OptionalType(ListType(INT))),
            ("Dict(str, Tensor[])", DictType(STR, ListType(TENSOR))),
            ("Tensor(a!)[]", ListType(TENSOR)),
            ("Tensor?[]", ListType(OptionalType(TENSOR))),
            ("ScalarType", INT),
        ],
    )
    def test_reads_types(self, text: str, expected: Type) -> None:
        assert parse_type(text) == expected

    def test_keeps_what_a_type_is_called(self) -> None:
        first, second, third = parse_schema("f(SymInt[2] size, ScalarType? dtype=None, int n=3) -> ()").arguments
        assert (first.printed, first.list_size, second.printed, third.printed) == ("SymInt[2]", 2, "ScalarType?", None)

    def test_a_single_default_fills_a_sized_list(self) -> None:
        default = parse_schema("f(int[2] stride=1) -> ()").arguments[0].default
        assert default is not None
        assert default.value == (1, 1)

    def test_reads_variadic_signatures_and_named_results(self) -> None:
        schema = parse_schema("prim::rpc_async(...) -> ...")
        assert (schema.is_vararg, schema.is_varret) == (True, True)
        named = parse_schema("aten::max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)")
        assert [returned.name for returned in named.returns] == ["values", "indices"]

    def test_reads_quoted_defaults(self) -> None:
        default = parse_schema(r'f(str a=" \n\t, (", str b="\"\'\\") -> str').arguments[0].default
        assert default is not None
        assert default.value == " \n\t, ("

    @pytest.mark.parametrize("text", ["", "aten::add", "f(Dict(str) x) -> ()", "f(int) -> int", "f(int[ x) -> int"])
    def test_refuses_other_texts(self, text: str) -> None:
        with pytest.raises(SchemaSyntaxError):
            parse_schema(text)


class TestContainer:
    def test_gives_back_what_was_packed(self) -> None:
        entries = {f"k/{number:05}": "text " * (number % 40) for number in range(3000)}
        container = Container(pack(entries))
        assert {key: container.get(key) for key in entries} == entries
        assert list(container.keys("k/001")) == sorted(key for key in entries if key.startswith("k/001"))
        assert container.get("k/1.5") is None
        assert container.get("a") is None

    def test_one_look_up_inflates_one_block(self) -> None:
        container = Container(pack({f"{number:05}": str(number) for number in range(3000)}))
        container.get("01234")
        read, present = container.inflated_blocks()
        assert read == 1
        assert present > 40

    def test_other_files_are_refused(self) -> None:
        with pytest.raises(ValueError, match="not a table"):
            Container(b"PK\x03\x04" + bytes(40))


class TestVersions:
    def test_the_table_names_the_files(self) -> None:
        assert {path.stem for path in DATA_FOLDER.iterdir()} == set(versions.SHIPPED)

    @pytest.mark.parametrize(
        ("asked", "answered"),
        [
            ("1.13.1", "1.13"),
            ("2.4.0+cu121", "1.13"),
            ("2.13", "2.13"),
            ("3.0", "2.13"),
            ("0.4", "1.13"),
            (None, "2.13"),
        ],
    )
    def test_the_nearest_older_version_answers(self, asked: str | None, answered: str) -> None:
        assert versions.nearest(asked) == answered
        assert loader.load(asked).version == answered

    @EVERY_VERSION
    def test_files_are_small(self, version: str) -> None:
        assert (DATA_FOLDER / f"{version}.facts").stat().st_size < 1_000_000

    @EVERY_VERSION
    def test_typical_look_ups_leave_most_of_the_file_alone(self, version: str) -> None:
        data = TorchData(Container((DATA_FOLDER / f"{version}.facts").read_bytes()))
        for name in ("relu", "add", "cat", "zeros", "stack", "float32", "no_grad"):
            data.python_object(f"torch.{name}")
            data.schemas(f"aten::{name}")
        read, present = data._container.inflated_blocks()
        assert read <= 20
        assert read < present / 10

    @EVERY_VERSION
    def test_every_record_can_be_read(self, version: str) -> None:
        data = loader.load(version)
        for key in data._container.keys("p/"):
            assert data.python_object(key[2:]) is not None, key
        for key in data._container.keys("o/"):
            assert data.schemas(key[2:]), key
        for key in data._container.keys("n/"):
            assert data.module_facts(key[2:]) is not None, key
        for key in data._container.keys("t/"):
            for name in data.properties(key[2:]):
                assert data.attribute(key[2:], name) is not None


def test_loading_imports_nothing_heavy() -> None:
    program = "import sys, ts_lsp.torchdata.loader; print('torch' in sys.modules, 'json' in sys.modules)"
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert finished.stdout.split() == ["False", "False"]


class TestOperators:
    def test_candidates_are_the_registered_ones_in_order(self, torch: ModuleType, data: TorchData) -> None:
        registered: dict[str, list[str]] = {}
        for schema in torch._C._jit_get_all_schemas():
            registered.setdefault(schema.name, []).append(str(schema))
        assert set(data.operator_names()) == set(registered)
        for name, texts in registered.items():
            hidden = {f"{schema.name}.{schema.overload}" for schema in data.unmatchable_schemas(name)}
            shown = [text for text in texts if text.partition("(")[0] not in hidden]
            ours = [text for text in data.schema_texts(name) if "::" in text.partition("(")[0]]
            assert ours == shown, name

    def test_schemas_agree_with_the_registry(self, torch: ModuleType, data: TorchData) -> None:
        for theirs in torch._C._jit_get_all_schemas():
            ours = parse_schema(str(theirs))
            assert (ours.name, ours.overload) == (theirs.name, theirs.overload_name)
            assert [argument.name for argument in ours.returns] == [argument.name for argument in theirs.returns]
            assert len(ours.arguments) == len(theirs.arguments)
            for mine, real in zip(ours.arguments, theirs.arguments, strict=True):
                assert (mine.name, mine.keyword_only) == (real.name, real.kwarg_only), str(theirs)
                assert mine.list_size == (real.N or None), str(theirs)
                assert (mine.default is not None) == real.has_default_value(), str(theirs)
                assert printed(mine.type) == str(real.type), str(theirs)
                if mine.default is not None:
                    value = real.default_value
                    assert mine.default.value == (tuple(value) if isinstance(value, list) else value), str(theirs)
            for mine, real in zip(ours.returns, theirs.returns, strict=True):
                assert printed(mine.type) == str(real.type), str(theirs)

    def test_functions_written_in_torchscript_come_last(self, data: TorchData) -> None:
        names = [schema.name for schema in data.schemas("aten::add")]
        assert names.count("add") == 3
        assert names[-3:] == ["add"] * 3
        assert [schema.name for schema in data.schemas("aten::_single")] == ["_single", "_single"]
        assert data.has_operator("prim::shape")

    def test_schemas_that_never_match_stand_apart(self, data: TorchData) -> None:
        found = {
            f"{schema.name}.{schema.overload}"
            for name in data.operator_names()
            for schema in data.unmatchable_schemas(name)
        }
        assert found == {"aten::view.dtype", "aten::max.unary_out", "aten::min.unary_out"}

    def test_similar_names_are_the_compilers(self, torch: ModuleType, data: TorchData) -> None:
        for name in ("aten::rele", "aten::flaten", "aten::nonsensical", "aten::ad"):

            def stand_in() -> None: ...

            torch.jit._builtins._register_builtin(stand_in, name)
            message = refusal(torch, "def f():\n  return op()\n", op=stand_in)
            listed = [line.strip() for line in message.split("\n") if line.startswith("\taten::")]
            assert sorted(listed) == sorted(data.similar_operators(name))

    def test_renamed_operators(self, data: TorchData) -> None:
        assert data.alias_of("aten::absolute") == "aten::abs"
        assert data.alias_of("aten::special_expit") == "aten::sigmoid"
        assert data.alias_of("aten::add") == "aten::add"


class TestAttributes:
    def test_tensor_names_mean_what_the_compiler_says(self, torch: ModuleType, data: TorchData) -> None:
        # `__getitem__` and `tolist` are looked up by rules of their own.
        for name in sorted({name for name in dir(torch.Tensor) if name.isidentifier()} - {"__getitem__", "tolist"}):
            message = refusal(torch, f"def f(x: Tensor):\n  return x.{name}.__ts_probe__\n")
            attribute = data.tensor_attribute(name)
            if "is not defined on builtin" in message:
                assert name in data.tensor_methods, name
            elif "is not defined on Cast" in message:
                assert name in data.tensor_casts, name
            elif "has no attribute or method '__ts_probe__'" in message:
                assert attribute is not None, name
                assert f"'{printed(attribute)}' object" in message
            else:
                assert attribute is None, (name, message)
                assert name not in data.tensor_methods | data.tensor_casts, (name, message)

    def test_casts_take_no_arguments(self, data: TorchData) -> None:
        expected = {"byte", "char", "double", "float", "cfloat", "cdouble", "int", "long", "short", "half"}
        assert data.tensor_casts == expected

    def test_other_types(self, data: TorchData) -> None:
        assert data.attribute("Device", "type") == STR
        assert data.attribute("Device", "index") == OptionalType(INT)
        assert "append" in data.methods("List")
        assert "upper" in data.methods("str")
        assert "casefold" not in data.methods("str")


class TestPaths:
    def test_modules_have_the_members_python_sees(self, torch: ModuleType, data: TorchData) -> None:
        for module in (torch, torch.nn, torch.nn.functional, torch.linalg, torch.jit, math):
            members = data.members(module.__name__)
            assert members is not None
            assert set(dir(module)) - members <= {name for name in dir(module) if name.startswith("__")}
            assert "nope" not in members
        assert data.members("torch.functional.F") == data.members("torch.nn.functional")
        assert data.members("numpy") is None

    def test_aliases_are_one_object(self, data: TorchData) -> None:
        assert data.python_object("torch.functional.F.relu") == data.python_object("torch.nn.functional.relu")
        assert data.python_object("torch.no_grad") == data.python_object("torch.autograd.grad_mode.no_grad")
        assert data.canonical_path("torch.functional.F.relu") == "torch.nn.functional.relu"

    def test_constants(self, data: TorchData) -> None:
        pi = data.python_object("math.pi")
        assert isinstance(pi, TorchConstant)
        assert pi.value == math.pi
        assert data.python_object("torch.float32") == TorchConstant("torch.float32", "dtype", 6)
        assert data.python_object("torch.float") == data.python_object("torch.float32")
        assert data.python_object("torch.inf") == TorchConstant("torch.inf", "float", math.inf)

    def test_classes(self, data: TorchData) -> None:
        tensor, device = data.python_object("torch.Tensor"), data.python_object("torch.device")
        assert isinstance(tensor, TorchClass)
        assert (tensor.kind, tensor.operator, tensor.annotation) == ("tensor", "aten::Tensor", TENSOR)
        assert isinstance(device, TorchClass)
        assert (device.operator, device.annotation) == ("aten::device", DEVICE)
        no_grad, legacy = data.python_object("torch.no_grad"), data.python_object("torch.LongTensor")
        assert isinstance(no_grad, TorchClass)
        assert no_grad.kind == "context"
        assert no_grad.init is not None
        assert [argument.name for argument in no_grad.init.arguments] == ["self"]
        assert isinstance(legacy, TorchClass)
        assert legacy.kind == "legacy_tensor"

    def test_functions(self, data: TorchData) -> None:
        dropout = data.python_object("torch.nn.functional.dropout")
        assert isinstance(dropout, ScriptFunction)
        assert dropout.refusal is None
        assert [argument.type for argument in dropout.schemas[0].arguments][:2] == [TENSOR, FLOAT]
        interpolate = data.python_object("torch.nn.functional.interpolate")
        assert isinstance(interpolate, ScriptFunction)
        assert len(interpolate.schemas) == 4
        pool = data.python_object("torch.nn.functional.max_pool2d")
        assert isinstance(pool, BooleanDispatch)
        assert (pool.argument, pool.index, pool.default) == ("return_indices", 6, False)
        for branch in (pool.if_true, pool.if_false):
            assert isinstance(data.python_object(branch), ScriptFunction)

    def test_the_rest(self, data: TorchData) -> None:
        assert data.python_object("torch.ops.aten.add") == BuiltinOperator("torch.ops.aten.add", "aten::add")
        assert data.python_object("torch.nn.functional.torch") == TorchModule("torch")
        assert isinstance(data.python_object("torch.jit.fork"), SpecialForm)
        log2 = data.python_object("math.log2")
        assert isinstance(log2, OpaqueObject)
        assert log2.category == "python_builtin"
        assert data.python_object("torch.nope") is None

    def test_categories_are_the_compilers(self, torch: ModuleType, data: TorchData) -> None:
        """A sample of the names in the modules that people use, each put in front of the compiler again."""
        modules = (torch, torch.nn.functional, torch.linalg, torch.special, torch.fft, math)
        paths = [(module, name) for module in modules for name in dir(module) if not name.startswith("_")]
        for module, name in random.Random(0).sample(paths, 300):
            value = getattr(module, name)
            if isinstance(value, (ModuleType, type)):
                continue
            message = refusal(torch, f"def f():\n  return M.{name}.__ts_probe__\n", M=module)
            found = data.python_object(f"{module.__name__}.{name}")
            expected = next((kind for mark, kind in CATEGORIES.items() if mark in message), ScriptFunction)
            if isinstance(found, ScriptFunction) and found.refusal:
                expected = ScriptFunction
                assert "__ts_probe__" not in message.partition("<--- HERE")[0], name
            assert isinstance(found, expected), (module.__name__, name, message)


class TestModuleClasses:
    def test_linear(self, data: TorchData) -> None:
        facts = data.module_facts("torch.nn.Linear")
        assert facts is not None
        assert [name for name, _ in facts.parameters][:3] == ["in_features", "out_features", "bias"]
        assert facts.attributes["weight"] == TENSOR
        assert facts.constants["in_features"] == INT
        assert [schema.name for schema in facts.methods] == ["forward"]
        without_bias = next(variant for variant in facts.variants if variant.options == ("bias",))
        assert set(without_bias.changed.attributes) == {"bias"}

    def test_options_change_the_type(self, data: TorchData) -> None:
        facts = data.module_facts("torch.nn.BatchNorm2d")
        assert facts is not None
        plain = with_arguments(facts, {"affine": given_of(False)})
        assert (plain.attributes["weight"], plain.attributes["running_mean"]) == (NONE, TENSOR)
        unsettled = with_arguments(facts, {"track_running_stats": NOT_KNOWN})
        assert (unsettled.attributes["weight"], unsettled.attributes["running_mean"]) == (TENSOR, UNKNOWN)
        embedding = data.module_facts("torch.nn.Embedding")
        assert embedding is not None
        assert with_arguments(embedding, {"padding_idx": given_of(7)}).constants["padding_idx"] == INT
        assert with_arguments(embedding, {"padding_idx": given_of(None)}).constants["padding_idx"] == NONE

    def test_options_are_the_compilers(self, torch: ModuleType, data: TorchData) -> None:
        for cls, options in (
            (torch.nn.Linear, {"in_features": 2, "out_features": 3, "bias": False}),
            (torch.nn.LayerNorm, {"normalized_shape": 3, "elementwise_affine": False}),
        ):
            facts = data.module_facts(f"torch.nn.{cls.__name__}")
            assert facts is not None
            concrete = torch.jit._recursive.get_module_concrete_type(cls(**options))
            theirs = {name: str(kind) for name, (kind, _) in concrete.get_attributes().items()}
            ours = with_arguments(facts, {name: given_of(each) for name, each in options.items()}).attributes
            assert {name: printed(of) for name, of in ours.items()} == theirs

    def test_named_tuples_keep_their_fields(self, data: TorchData) -> None:
        facts = data.module_facts("torch.nn.LSTM")
        assert facts is not None
        packed = next(schema for schema in facts.methods if schema.name == "forward__1").arguments[1].type
        assert isinstance(packed, NamedTupleType)
        assert packed.fields == ("data", "batch_sizes", "sorted_indices", "unsorted_indices")
        assert packed.elements == (TENSOR, TENSOR, OptionalType(TENSOR), OptionalType(TENSOR))

    def test_custom_classes(self, data: TorchData) -> None:
        assert data.members("torch.classes.dist_rpc") == {"WorkerInfo"}
        worker = data.python_object("torch.classes.dist_rpc.WorkerInfo")
        assert isinstance(worker, CustomClass)
        (init,) = worker.methods
        assert [each.type for each in init.arguments[1:]] == [STR, INT]
        pair = data.python_object("torch.classes._TorchScriptTesting._FooReadWrite")
        assert isinstance(pair, CustomClass)
        assert pair.properties == (("x", INT, True), ("y", INT, False))
        static = data.python_object("torch.classes._TorchScriptTesting._StaticMethod")
        assert isinstance(static, CustomClass)
        assert [each.name for each in static.static_methods] == ["staticMethod", "staticMethodWithDefault"]

    def test_methods_are_the_compilers(self, torch: ModuleType, data: TorchData) -> None:
        for cls, arguments in ((torch.nn.Conv2d, (3, 4, 2)), (torch.nn.LSTM, (3, 4)), (torch.nn.BatchNorm1d, (4,))):
            facts = data.module_facts(f"torch.nn.{cls.__name__}")
            assert facts is not None
            compiled = torch.jit.script(cls(*arguments))._c
            assert set(compiled._method_names()) == {schema.name for schema in facts.methods}


CATEGORIES: dict[str, type] = {
    "not defined on builtin": BuiltinOperator,
    "not defined on function": ScriptFunction,
    "not defined on boolean dispatch": BooleanDispatch,
    "not defined on python value": OpaqueObject,
    "Python builtin": OpaqueObject,
    "object has no attribute or method": TorchConstant,
}


def refusal(torch: ModuleType, source: str, **names: object) -> str:
    """The compiler's message about a program that is wrong on purpose."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any of the compiler's exceptions
        torch._C.CompilationUnit().define(source, names.get)
    return str(caught.value)


def printed(of: Type) -> str:
    """A type as torch's Python bindings print it, which call a symbolic bool by the plain name."""
    return annotation_form(of).replace("SymBool", "bool")
