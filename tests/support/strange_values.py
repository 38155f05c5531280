"""Values of every type that a template can meet, and some that it cannot, for tests of what it may reach."""

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from jinja2 import Undefined
from jinja2.runtime import LoopContext, Macro
from markupsafe import Markup

from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.quick_access import QuickSandbox
from thinkpane.engine.template_globals import TemplateDict, TemplateNamespace


class Words(str):
    """A string with an attribute of its own."""

    __slots__ = ()
    mood = "mild"


class Table(dict[Any, Any]):
    """A dictionary that gives what it lacks, one name excepted."""

    size = 3

    def __missing__(self, key: Any) -> Any:
        if key == "role":
            raise KeyError(key)
        return f"made {key!r}"


class Answering(dict[Any, Any]):
    """A dictionary that has every attribute."""

    def __getattr__(self, name: str) -> str:
        return f"attribute {name}"


class Raising:
    """An object whose properties and entries raise."""

    @property
    def role(self) -> NoReturn:
        raise AttributeError("role is hidden")

    @property
    def content(self) -> NoReturn:
        raise KeyError("content is lost")

    @property
    def name(self) -> NoReturn:
        raise StopIteration("no more names")

    def __getitem__(self, key: Any) -> Any:
        if key == "role":
            return "an entry"
        raise ZeroDivisionError(key)


def stops() -> NoReturn:
    """A function that ends an iteration that there is none of."""
    raise StopIteration


def unsafe() -> str:
    """A function that is marked as unsafe."""
    return "unsafe"


unsafe.unsafe_callable = True  # type: ignore[attr-defined]


def breaking() -> Iterator[int]:
    """Two values, then the fault of a filter that meets what it was not made for."""
    yield 1
    yield 2
    raise AttributeError("'int' object has no attribute 'items'")


def loop(values: Any, steps: int) -> LoopContext:
    """A loop after so many steps."""
    made = LoopContext(values, Undefined)
    for _ in range(steps):
        next(made)
    return made


VALUES: dict[str, Callable[[], Any]] = {
    "dict": lambda: {"role": "user", "items": 1, "get": "got", "format": "f", "__class__": "c", 1: "one", None: "n"},
    "empty dict": dict,
    "dict subclass": lambda: Table(role="user", x=1),
    "answering dict": lambda: Answering(role="user"),
    "default dict": lambda: defaultdict(list, role="user"),
    "ordered dict": lambda: OrderedDict(role="user"),
    "str": lambda: "a {0} b",
    "str subclass": lambda: Words("{role} x"),
    "markup": lambda: Markup("<b>{0}</b>"),
    "list": lambda: ["user", {"role": "x"}, None],
    "tuple": lambda: ("user", 2),
    "deque": lambda: deque(["a"]),
    "set": lambda: {"a"},
    "bytes": lambda: b"raw",
    "int": lambda: 7,
    "float": lambda: 2.5,
    "bool": lambda: True,
    "none": lambda: None,
    "undefined": lambda: Undefined(name="lost"),
    "undefined entry": lambda: Undefined(obj={}, name="lost"),
    "namespace": lambda: TemplateNamespace(role="user", text="a", way="x".upper, shape="{0}".format, nothing=None),
    "loop": lambda: loop([1, {"role": "x"}, 3], 2),
    "loop at its start": lambda: loop([{"role": "x"}], 1),
    "loop over a generator": lambda: loop((each for each in (1, 2, 3)), 1),
    "loop that breaks": lambda: loop(breaking(), 2),
    "loop over formats": lambda: loop(["{0}".format, "{0}".format, "{0}".format], 2),
    "macro": lambda: a_macro(),
    "raising": Raising,
    "function": lambda: stops,
    "unsafe function": lambda: unsafe,
    "generator": lambda: (each for each in (1,)),
    "empty generator": lambda: (each for each in ""),
    "type": lambda: dict,
    "method": lambda: "a-b".split,
    "reading method": lambda: {"role": "user"}.get,
    "next": lambda: iter([]).__next__,
    "range": lambda: range(3),
    "template dict": TemplateDict,
}
"""By name, how to make one."""


def a_macro() -> Macro:
    """A macro with two arguments, one with a default."""
    environment: QuickSandbox = build_environment(Clock())
    template = environment.from_string("{% macro m(a, b='x') %}[{{ a }}{{ b }}]{% endmacro %}")
    made: Macro = vars(template.module)["m"]
    return made


NAMES = sorted(
    {
        *(name for make in VALUES.values() for name in object.__dir__(make()) if type(make()) is not LoopContext),
        *dir(LoopContext),
        *("role", "content", "name", "x", "text", "way", "shape", "nothing", "mood", "size", "lost", "type"),
        *("_private", "__globals__", "gi_frame", "func_code", "", " ", "é", "\x00", "\ud800", "0", "1", "mro"),
    }
)
"""Every attribute that one of them has, and names of none."""
