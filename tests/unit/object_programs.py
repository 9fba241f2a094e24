"""Programs that construct modules and hand them to the compiler, for `test_objects`.

`PROGRAMS` are deterministic. `WORLDS` hide an argument from the source: each says the worlds to expect. `INCOMPLETE`
run code that is not known. All stand below the same imports.
"""

from __future__ import annotations

PROGRAMS = {
    "scalars and containers": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = 1, (2.5, "x")
                self.c = [1, 2, 3]
                self.d = {"k": 1, "l": 2}
                self.e = None
                self.f = self.g = True
                self.h: int = 7
                self.i = -self.a + 3 * 2 ** 2 // 5
                self.j = 1j
                self.k = len(self.c) + sum(self.c) + max(1, 5) + min(self.c)
                self.l = float(self.a) / 3
                self.m = str(self.a) + f"{self.a:03d}-{self.b[1]!r}" + "%s_%d" % ("p", 3) + "{}".format(4)
                self.n = [x * 2 for x in self.c if x > 1]
                self.o = {i: str(i) for i in range(3)}
                self.p = (*self.c, 9)
                self.q = self.c[::-1] + self.c[:1]
                self.r = not self.f
                self.s = 3 if self.a == 1 else 4
                self.t = int("12"), bool(0), round(2.6), abs(-3)
                self.u = math.sqrt(16.0), math.pi
                self.v = "a,b".split(",")
                self.w = ",".join(str(each) for each in self.c)
                self.x = list(zip(self.c, "abc"))
                self.y = sorted([3, 1, 2])
                self.z = tuple(reversed(self.c))
        torch.jit.script(M())
        """,
    "parameters and buffers": """
        class M(nn.Module):
            def __init__(self, n, bias=True):
                super().__init__()
                self.w = nn.Parameter(torch.empty(n, n))
                if bias:
                    self.b = nn.Parameter(torch.zeros(n))
                else:
                    self.register_parameter("b", None)
                self.register_buffer("one", torch.ones(n))
                self.register_buffer("none", None, persistent=False)
                self.register_buffer("two", tensor=torch.arange(3).float().view(1, -1) * 2)
                self.one = torch.zeros(3)
                self.w = None
                self.plain = torch.zeros(2)
                self.shared = self.b
                self.x = nn.Buffer(torch.zeros(1))
                nn.init.zeros_(self.plain)
        torch.jit.script(M(3))
        torch.jit.script(M(3, bias=False))
        """,
    "submodules of every kind": """
        class Block(nn.Module):
            def __init__(self, n, act=nn.ReLU, bias=True):
                super().__init__()
                self.lin = nn.Linear(n, n, bias=bias)
                self.act = act()
        class M(nn.Module):
            def __init__(self, n: int, depth=2):
                super(M, self).__init__()
                self.blocks = nn.ModuleList([Block(n) for i in range(depth)])
                layers = []
                for i in range(depth):
                    layers.append(nn.Linear(n, n * 2))
                    layers += [nn.ReLU()]
                layers.insert(0, nn.Identity())
                layers.extend([nn.Dropout(0.1), Block(n, act=nn.GELU)])
                self.seq = nn.Sequential(*layers)
                self.named = nn.Sequential(OrderedDict([("a", nn.Conv2d(1, 2, 3)), ("b", nn.ReLU())]))
                self.d = nn.ModuleDict({"x": nn.Linear(1, 2)})
                self.d["y"] = nn.Identity()
                self.d.update({"z": nn.ReLU()})
                self.add_module("added", nn.Linear(1, 1))
                self.register_module("none", None)
                self.blocks.append(Block(1))
                self.blocks.extend([Block(1), Block(2)])
                self.blocks += [nn.Identity()]
                self.blocks[0] = nn.Tanh()
                self.list = [nn.Linear(1, 1)]
                self.replaced = nn.Linear(1, 1)
                self.replaced = None
                self.pl = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(2)])
                self.pd = nn.ParameterDict({"k": nn.Parameter(torch.zeros(1))})
                self.first, self.second = nn.Linear(1, 2), nn.Linear(2, 1)
                self.twice = nn.Sequential(self.first, self.first)
                self.rest = self.seq[1:3]
                self.one = self.seq[0]
        torch.jit.script(M(4))
        """,
    "names made at run time": """
        class M(nn.Module):
            def __init__(self, sizes):
                super().__init__()
                for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
                    setattr(self, f"conv{i}", nn.Conv2d(a, b, 3))
                    self.add_module("norm%d" % i, nn.BatchNorm2d(b))
                    self.register_buffer("buf_" + str(i), torch.zeros(b))
                self.last = getattr(self, "conv1")
                self.absent = getattr(self, "nothing", 5)
                self.has = hasattr(self, "conv0"), hasattr(self, "conv9")
                for name, module in self.named_children():
                    setattr(self, name + "_kind", type(module).__name__)
        torch.jit.script(M([1, 2, 4]))
        """,
    "methods that build": """
        class M(nn.Module):
            scale = 3
            def __init__(self, widths=(2, 3)):
                super().__init__()
                self.inplanes = 2
                self.layer1 = self._make_layer(widths[0], 2)
                self.layer2 = self._make_layer(widths[1], 1, stride=2)
                self.out = self.static(self.inplanes)
                self.k = self.scale * 2
                self._finish()
            def _make_layer(self, planes, blocks, stride=1):
                downsample = None
                if stride != 1 or self.inplanes != planes * 2:
                    downsample = nn.Sequential(nn.Conv2d(self.inplanes, planes * 2, 1), nn.BatchNorm2d(planes * 2))
                layers = [downsample if downsample is not None else nn.Identity()]
                self.inplanes = planes * 2
                for _ in range(1, blocks):
                    layers.append(nn.Conv2d(self.inplanes, planes, 3))
                return nn.Sequential(*layers)
            @staticmethod
            def static(n):
                return nn.Linear(n, 1)
            def _finish(self):
                self.finished = True
        torch.jit.script(M())
        """,
    "inheritance": """
        class Base(nn.Module):
            kind = "base"
            def __init__(self, n):
                super().__init__()
                self.n = n
                self.inner = self.make()
            def make(self):
                return nn.Linear(self.n, 1)
        class Mixin:
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.mixed = True
        class A(Mixin, Base):
            def __init__(self, n, *extra, **options):
                super().__init__(n + 1)
                self.extra = extra
                self.options = options
            def make(self):
                return nn.Sequential(super().make(), nn.ReLU())
        class B(Base):
            pass
        class C(Base):
            def __init__(self):
                Base.__init__(self, 5)
                nn.Module.__setattr__(self, "direct", 3)
        class Left(Base):
            def __init__(self, n):
                super().__init__(n)
                self.left = 1
        class Right(Base):
            def __init__(self, n):
                super().__init__(n)
                self.right = 2
        class Both(Left, Right):
            def __init__(self):
                super().__init__(3)
                self.kind_again = self.kind
        class After(nn.Module, Mixin):
            pass
        torch.jit.script(A(3, 4, 5, key="value"))
        torch.jit.script(B(n=2))
        torch.jit.script(C())
        torch.jit.script(Both())
        torch.jit.script(After())
        """,
    "order of initialisation": """
        class Late(nn.Module):
            def __init__(self):
                self.early = 1
                super().__init__()
                self.late = 2
        class Never(nn.Module):
            def __init__(self):
                self.x = 1
        class Twice(nn.Module):
            def __init__(self):
                nn.Module.__init__(self)
                self.lost = nn.Linear(1, 1)
                self.kept = 3
                nn.Module.__init__(self)
                self.fc = nn.Linear(1, 1)
        torch.jit.script(Late())
        torch.jit.script(Never())
        torch.jit.script(Twice())
        """,
    "filing attributes": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.x = 3
                self.x = nn.Linear(1, 1)
                self.y = nn.Parameter(torch.zeros(1))
                self.y = nn.Parameter(torch.zeros(2))
                self.m = nn.ReLU()
                del self.m
                self.n = 1
                del self.n
                self.z = None
                self.z = nn.ReLU()
                self.child = nn.Linear(2, 2)
                self.child.extra = 5
                self.child.bias = None
                self.child.tag = "t"
                self._private = 1
                self._modules["direct"] = nn.Tanh()
                try:
                    self.y = 3
                except TypeError:
                    self.refused = True
                self.register_buffer("b", torch.zeros(1))
                self.b = None
        torch.jit.script(M())
        """,
    "control flow": """
        class M(nn.Module):
            def __init__(self, mode="a", norm=None, dims=(1, 2), flag=False):
                super().__init__()
                if mode == "a":
                    self.net = nn.Linear(1, 1)
                elif mode in ("b", "c"):
                    self.net = nn.ReLU()
                else:
                    raise ValueError(mode)
                if norm is None:
                    norm = nn.BatchNorm2d
                self.norm = norm(3)
                if isinstance(dims, int):
                    dims = (dims,)
                assert len(dims) > 0, "no dims"
                n = 0
                while n < 3:
                    n += 1
                    if n == 2:
                        break
                else:
                    self.never = 1
                self.n = n
                for i in range(10):
                    if i % 2:
                        continue
                    if i > 6:
                        break
                    self.last = i
                else:
                    self.never = 2
                with torch.no_grad():
                    self.t = torch.zeros(3)
                if flag and not dims:
                    self.flagged = 1
                self.both = flag or "default"
                self.third = (not flag) and 3
                self.order = 1 < len(dims) <= 2
                try:
                    self.x = [1][0]
                except IndexError:
                    self.x = 2
                finally:
                    self.y = 3
                if norm is nn.BatchNorm2d:
                    self.is_batch = True
                if type(self.net) == nn.Linear:
                    self.is_linear = True
                if mode != "z":
                    return
                self.unreached = 1
        torch.jit.script(M())
        torch.jit.script(M("b", nn.InstanceNorm2d, dims=3))
        torch.jit.script(M("c", lambda n: nn.GroupNorm(1, n), flag=True))
        """,
    "functions and partials": """
        def conv(i, o, *, k=3):
            return nn.Sequential(nn.Conv2d(i, o, k), nn.ReLU())
        def chain(*sizes):
            for a, b in zip(sizes, sizes[1:]):
                yield nn.Linear(a, b)
        class M(nn.Module):
            def __init__(self, act=F.relu):
                super().__init__()
                norm = functools.partial(nn.BatchNorm2d, eps=1e-3)
                self.norm = norm(4)
                self.conv = conv(1, 2, k=1)
                make = lambda n: nn.Linear(n, n)
                self.made = make(3)
                def nested(n, m=self.made.in_features):
                    return nn.Linear(n, m)
                self.nested = nested(2)
                self.act = act
                self.fn = lambda x: x + 1
                self.chain = nn.Sequential(*chain(1, 2, 3))
                self.mapped = nn.ModuleList(map(make, [1, 2]))
                args = (2, 3)
                options = {"bias": False}
                self.spread = nn.Linear(*args, **options)
                self.copies = nn.ModuleList([copy.deepcopy(self.conv) for _ in range(2)])
                self.table = {"relu": nn.ReLU, "tanh": nn.Tanh}["tanh"]()
                counts = dict(a=1)
                counts.update(b=2)
                counts.setdefault("c", 3)
                self.counts = counts
                self.keys = list(counts.keys())
                self.items = [k + str(v) for k, v in counts.items()]
                class Local(nn.Module):
                    def __init__(self, k):
                        super().__init__()
                        self.k = k
                self.local = Local(4)
                import math as m
                self.floor = m.floor(2.5)
        torch.jit.script(M())
        """,
    "configurations": """
        import enum
        from dataclasses import dataclass, field
        from typing import NamedTuple
        class Mode(enum.Enum):
            A = 1
            B = 2
        @dataclass
        class Config:
            hidden: int
            depth: int = 2
            sizes: List[int] = field(default_factory=lambda: [1, 2])
            mode: Mode = Mode.A
            def __post_init__(self):
                self.total = self.hidden * self.depth
        class Shape(NamedTuple):
            height: int
            width: int = 4
        class Plain:
            factor = 2
            def __init__(self, n):
                self.n = n
            @property
            def double(self):
                return self.n * self.factor
            def layer(self):
                return nn.Linear(self.n, self.double)
        class M(nn.Module):
            def __init__(self, cfg: Config, shape=Shape(3), plain=Plain(5)):
                super().__init__()
                self.hidden = cfg.hidden
                self.total = cfg.total
                self.layers = nn.ModuleList(nn.Linear(cfg.hidden, s) for s in cfg.sizes)
                self.mode = cfg.mode
                if cfg.mode == Mode.A:
                    self.is_a = True
                self.area = shape.height * shape.width
                self.double = plain.double
                self.made = plain.layer()
                self.value = cfg.mode.value
                self.name = Mode.B.name
        torch.jit.script(M(Config(3)))
        torch.jit.script(M(cfg=Config(hidden=2, mode=Mode.B, sizes=[5])))
        """,
    "registries that decorators fill, settings that contexts change": """
        import os
        from dataclasses import asdict, dataclass, replace
        MODELS = {}
        ALIASES = {"small": "Little"}
        ALIASES["s"] = "Little"
        SIZES = []
        FAST = False
        MODE = "a"
        @dataclass
        class Config:
            width: int = 3
            rate: float = 0.5
        def register(builder):
            MODELS[builder.__name__] = builder
            SIZES.append(len(MODELS))
            return builder
        def named(name):
            def add(builder):
                _store(name, builder)
                return builder
            return add
        def _store(name, builder):
            MODELS[name] = builder
        def set_mode(mode):
            global MODE
            MODE = mode
        class fast:
            def __init__(self, value):
                global FAST
                self.before = FAST
                FAST = value
            def __enter__(self):
                return self.before
            def __exit__(self, *error):
                global FAST
                FAST = self.before
        class M(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.values = asdict(config)["width"], config.rate
                self.fast = FAST
                self.mode = MODE
                self.sizes = list(SIZES)
                self.names = sorted(MODELS)
        @register
        def Little():
            return M(Config(1))
        @named("big")
        def build_big(rate=0.25):
            return M(replace(Config(width=9), rate=rate))
        set_mode("b")
        def create(name, **options):
            name = ALIASES.get(name, name)
            if name not in MODELS:
                raise RuntimeError(name)
            with fast(True) as before:
                model = MODELS[name](**options)
            model.before = before
            return model
        torch.jit.script(create("s"))
        torch.jit.script(create("big", rate=1.5))
        torch.jit.script(M(Config()))
        """,
    "layers by name, and descriptions of blocks": """
        import re, types
        from collections.abc import Callable, Sequence
        from dataclasses import dataclass
        BASIC = dict(relu=nn.ReLU, gelu=nn.GELU, hard_swish=nn.Hardswish if "hardswish" in dir(F) else None)
        QUIET = dict(none=nn.Identity)
        TABLES = (BASIC, QUIET)
        for table in TABLES:
            table.setdefault("hardswish", table.get("hard_swish"))
        @dataclass
        class Options:
            kind: str = "relu"
            repeat: int = 1
        def layer(name):
            if isinstance(name, Callable):
                return name
            return BASIC[name.lower()]
        def bound(norm, **more):
            options = {}
            if isinstance(norm, functools.partial):
                options.update(norm.keywords)
                norm = norm.func
            if isinstance(norm, types.FunctionType) or isinstance(norm, str):
                raise TypeError
            return functools.partial(norm, **options, **more)
        def decode(text):
            kind, *parts = text.split("_")
            options = {}
            for part in parts:
                pieces = re.split(r"(\\d.*)", part)
                if len(pieces) >= 2:
                    key, value = pieces[:2]
                    options[key] = value
            return kind, int(options["r"]), float(options["se"]) if "se" in options else None
        class M(nn.Module):
            def __init__(self, blocks):
                super().__init__()
                blocks = [blocks] if not isinstance(blocks, Sequence) else blocks
                self.several = [isinstance(each, Sequence) for each in (nn.Linear, Options, layer, None, [1], "a")]
                self.act = layer(blocks[0].kind)()
                self.swish = layer("hardswish")()
                self.same = layer(nn.Tanh)()
                self.norm = bound(functools.partial(nn.LayerNorm, eps=1e-3), bias=False)(4)
                self.decoded = decode("ds_r2_se0.25"), decode("ir_r1_k3")
                self.inner = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
                self.paths = [name for name, each in self.named_modules() if hasattr(each, "reset_parameters")]
        torch.jit.script(M(Options("gelu")))
        """,
    "functions applied to every module": """
        class Block(nn.Module):
            def __init__(self, rate):
                super().__init__()
                self.linear = nn.Linear(2, 2)
                self.drop = nn.Dropout(rate) if rate > 0 else nn.Identity()
            def reset(self, scale=1):
                self.scale = scale
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                rates = torch.linspace(0, 0.2, 4).split([1, 3])
                self.blocks = nn.ModuleList(Block(rate) for part in rates for rate in part.tolist())
                self.seen = []
                self.apply(functools.partial(self._init, scale=3))
            def _init(self, module, scale):
                if isinstance(module, nn.Linear):
                    nn.init.zeros_(module.bias)
                elif hasattr(module, "reset"):
                    module.reset(scale)
                self.seen.append(type(module).__name__)
        torch.jit.script(M())
        """,
    "defaults that are partial, and inherited configurations": """
        import collections.abc
        import itertools
        import numbers
        from dataclasses import dataclass
        from functools import partial
        @dataclass
        class Base:
            width: int
            norm: object = None
        class Derived(Base):
            def __init__(self, width, scale=2):
                super().__init__(width * scale)
                self.scale = scale
        def wrapped(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs)
            return inner
        class M(nn.Module):
            def __init__(self, config, norm=partial(nn.BatchNorm2d, eps=1e-3), drop=0.2, size=3):
                super().__init__()
                self.norm = norm(config.width)
                self.scale = config.scale
                self.rates = [x.item() for x in torch.linspace(0, drop, 4)]
                self.drops = nn.ModuleList(nn.Dropout(r) for r in self.rates)
                self.pair = size if isinstance(size, collections.abc.Iterable) else tuple(itertools.repeat(size, 2))
                self.whole = isinstance(size, numbers.Integral)
                self.chained = list(itertools.chain([1], (2, 3)))
        @wrapped
        def build(scale):
            return M(Derived(4, scale=scale))
        model = build(3)
        torch.jit.script(model)
        torch.jit.script(build(1))
        """,
    "constructors that are methods": """
        class M(nn.Module):
            def __init__(self, n, bias):
                super().__init__()
                self.fc = nn.Linear(n, n, bias=bias)
                self.n = n
            @classmethod
            def small(cls, bias=False):
                return cls(2, bias)
            @staticmethod
            def large():
                return M(100, True)
        class Sub(M):
            pass
        torch.jit.script(M.small())
        torch.jit.script(Sub.small(bias=True))
        torch.jit.script(M.large())
        torch.jit.script(M.small().eval())
        """,
    "methods that give the module back": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(1, 1).requires_grad_(False)
                self.other = nn.Linear(1, 1).double().eval()
                self.apply(self._init)
            def _init(self, m):
                if isinstance(m, nn.Linear):
                    nn.init.zeros_(m.weight)
        model = M().eval()
        torch.jit.script(model)
        torch.jit.script(M().to("cpu").train().float())
        """,
    "changes after construction": """
        def hook(module, input, output):
            return output
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(1, 1)
                self.ml = nn.ModuleList()
        model = M()
        model.foo = 3
        model.fc = nn.Identity()
        model.ml.append(nn.ReLU())
        model.add_module("extra", nn.Tanh())
        model.register_forward_hook(hook)
        model.eval()
        torch.jit.script(model)
        model.foo = "later"
        again = M()
        again.early = 1
        again = again.eval()
        for child in again.children():
            child.seen = True
        if again.early:
            again.late = 2
        torch.jit.script(again.train())
        def test():
            m = M()
            m.inside = [1.5]
            m.fc.tag = 2
            return torch.jit.script(m)
        test()
        """,
    "frozen and nested calls": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_forward_pre_hook(self.before)
                self.x = 1
            def before(self, module, input):
                return None
        torch.jit.freeze(torch.jit.script(M().eval()))
        torch.jit.script(nn.Sequential(nn.Linear(1, 2), M(), nn.ReLU()))
        torch.jit.script(nn.Sequential(*[nn.Linear(n, n) for n in range(1, 3)]))
        scripted = torch.jit.script(nn.ModuleDict({"m": M()}))
        """,
    "subclasses of torch's classes": """
        class Lin(nn.Linear):
            def __init__(self, n):
                super().__init__(n, n, bias=False)
                self.extra = self.in_features + 1
                self.weight2 = nn.Parameter(torch.zeros(1))
                self.shape = (self.out_features,)
        class Seq(nn.Sequential):
            def __init__(self, n):
                super().__init__(nn.Linear(n, n), nn.ReLU())
                self.append(nn.Tanh())
                self.tag = len(self)
        class Many(nn.ModuleList):
            def __init__(self, n):
                super().__init__()
                for i in range(n):
                    self.append(nn.Linear(i + 1, 1))
        class Bare(nn.Conv2d):
            pass
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = Lin(2)
                self.seq = Seq(3)
                self.many = Many(2)
                self.bare = Bare(1, 2, 3)
                self.count = [m.in_features for m in self.many]
                self.kinds = [isinstance(m, nn.Linear) for m in self.seq.children()]
                self.nested = nn.Sequential(*self.seq, *[Lin(1)])
        torch.jit.script(M())
        torch.jit.script(Lin(4))
        """,
    "properties and class attributes": """
        class M(nn.Module):
            sizes: List[int] = [1, 2]
            __constants__ = ["k"]
            act = F.relu
            def __init__(self):
                super().__init__()
                self.k = 3
                self.width = 5
                self.area = self.width * self.k
                self.from_class = self.sizes
            @property
            def width(self):
                return self._width
            @width.setter
            def width(self, value):
                self._width = value * 2
        torch.jit.script(M())
        """,
    "idioms of vision transformers": """
        class Block(nn.Module):
            def __init__(self, dim, drop_path=0.0, mlp_ratio=4.0, norm_layer=nn.LayerNorm):
                super().__init__()
                self.norm = norm_layer(dim)
                self.drop = nn.Dropout(drop_path) if drop_path >= 0.0 else nn.Identity()
                hidden = int(dim * mlp_ratio)
                self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))
        class M(nn.Module):
            def __init__(self, dim=8, depths=(1, 2)):
                super().__init__()
                self.patch = nn.Conv2d(3, dim, kernel_size=4, stride=4)
                self.pos = nn.Parameter(torch.zeros(1, 4, dim))
                index = 0
                self.stages = nn.ModuleList()
                for i, depth in enumerate(depths):
                    stage = nn.Sequential(*[Block(dim, 0.1 * (index + j)) for j in range(depth)])
                    self.stages.append(stage)
                    index += depth
                self.total = index
                self.head = nn.Linear(dim, 10) if index > 0 else nn.Identity()
                for m in self.modules():
                    if isinstance(m, nn.Linear):
                        nn.init.trunc_normal_(m.weight, std=0.02)
                        if m.bias is not None:
                            nn.init.zeros_(m.bias)
                for p in self.parameters():
                    p.requires_grad = False
        torch.jit.script(M())
        """,
}

WORLDS: dict[str, tuple[str, list[tuple[str, ...]]]] = {
    "a flag": (
        """
        class M(nn.Module):
            def __init__(self, n: int, bias: bool):
                super().__init__()
                self.n = n
                if bias:
                    self.b = nn.Parameter(torch.zeros(n))
                else:
                    self.register_parameter("b", None)
                if not bias:
                    self.without = 1
        def build(n, bias):
            return torch.jit.script(M(n, bias))
        build(3, True)
        build(4, False)
        """,
        [("when `bias=True`",), ("when `bias=False`",)],
    ),
    "an optional argument": (
        """
        class M(nn.Module):
            def __init__(self, n, down: Optional[nn.Module] = None, kind="a"):
                super().__init__()
                if n < 0:
                    raise ValueError(n)
                self.down = down
                if down is not None:
                    self.extra = nn.ReLU()
                self.kind = "big" if n > 5 else "small"
        def build(n, has):
            down = nn.Linear(1, 1) if has else None
            return torch.jit.script(M(n, nn.Linear(1, 1)))
        build(3, True)
        """,
        [()],
    ),
    "choices by name": (
        """
        class M(nn.Module):
            def __init__(self, act):
                super().__init__()
                if act == "relu":
                    self.act = nn.ReLU()
                elif act == "tanh":
                    self.act = nn.Tanh()
                else:
                    raise NotImplementedError(act)
        def build(act):
            return torch.jit.script(M(act))
        build("relu")
        build("tanh")
        """,
        [("when `act == 'relu'`",), ("when `act != 'relu'`",)],
    ),
}

INCOMPLETE = {
    "a base that is not known": """
        from elsewhere import Base
        class M(Base, nn.Module):
            def __init__(self):
                super().__init__()
                self.x = 1
        torch.jit.script(M())
        """,
    "a function that is given the object": """
        from elsewhere import patch
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                patch(self)
        torch.jit.script(M())
        """,
    "names from a loop that is not known": """
        from elsewhere import NAMES
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                for name in NAMES:
                    setattr(self, name, 1)
        torch.jit.script(M())
        """,
    "a list that grows in a loop that is not known": """
        from elsewhere import SIZES
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList()
                layers = [nn.ReLU()]
                for size in SIZES:
                    self.layers += [nn.Linear(size, size)]
                    layers.append(nn.ReLU())
                self.seq = nn.Sequential(*layers)
        torch.jit.script(M())
        """,
    "an endless range": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                for i in range(10**9):
                    self.add_module(str(i), nn.ReLU())
        torch.jit.script(M())
        """,
    "an endless loop": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                while True:
                    self.x = 1
        torch.jit.script(M())
        """,
    "endless recursion": """
        class M(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.inner = M(n + 1)
        torch.jit.script(M(0))
        """,
    "too many choices": """
        class M(nn.Module):
            def __init__(self, *flags):
                super().__init__()
                for i, flag in enumerate(flags):
                    if flag:
                        setattr(self, f"x{i}", i)
        def build(a, b, c, d, e, f, g, h, i, j, k, l):
            return torch.jit.script(M(a, b, c, d, e, f, g, h, i, j, k, l))
        """,
    "its dictionary": """
        class M(nn.Module):
            def __init__(self, path):
                super().__init__()
                self.__dict__.update(torch.load(path))
        torch.jit.script(M("a"))
        """,
}
