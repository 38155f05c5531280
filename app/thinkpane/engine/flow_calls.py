"""Follows values through filters, methods and macros: which ones keep a value, and which ones look for something."""

from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from thinkpane.engine.flow_values import NOTHING, Text, Value, any_of, constant
from thinkpane.engine.template_facts import Looked

if TYPE_CHECKING:
    from thinkpane.engine.flow_expressions import Expressions

CASES = frozenset({"lower", "upper", "casefold"})
KEEPING = CASES | {
    *("trim", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace", "string", "safe", "title"),
    *("capitalize", "list", "unique", "sort", "reverse", "int", "float"),
}
"""Filters and methods after which a value is still the same choice, spelled otherwise."""

SEARCHES: dict[str, Looked] = {
    "startswith": "starts",
    "endswith": "ends",
    "find": "in",
    "rfind": "in",
    "index": "in",
    "count": "in",
    "removeprefix": "starts",
    "removesuffix": "ends",
    "replace": "removes",
}
SPLITS = frozenset({"split", "rsplit", "partition", "rpartition"})
PICKS = frozenset({"selectattr", "rejectattr", "select", "reject", "map"})
TABLES = frozenset({"items", "keys", "values", "dictsort"})
RANGE = 64
"""Numbers of a `range` that are followed one by one."""


class Calls:
    """The part of `Expressions` that knows filters, methods, macros and functions."""

    def __init__(self, expressions: "Expressions") -> None:
        self._of = expressions

    def filter(self, node: nodes.Filter) -> Value:
        """`value | name(…)`."""
        if node.name in ("default", "d"):
            return self._default(node)
        value = self._of.read(node.node)
        given = [self._of.read(each) for each in self._arguments(node)]
        if node.name in PICKS:
            self._of.notes.use(value, "walked")
            self._picked(value, node.args)
            return value
        if node.name == "join":
            self._of.notes.use(value, "walked")
            return Value(texts=value.texts)
        if node.name in ("first", "last"):
            return self._of.entry(value, first=node.name == "first")
        return self._passed(value, node.name, given, node.lineno)

    def call(self, node: nodes.Call) -> Value:
        """`name(…)` and `value.name(…)`."""
        if isinstance(node.node, nodes.Name):
            return self._function(node.node.name, node)
        given = [self._of.read(each) for each in self._arguments(node)]
        if not isinstance(node.node, nodes.Getattr):
            self._of.read(node.node)
            return NOTHING
        value, name = self._of.read(node.node.node), node.node.attr
        if name == "get":
            return self._get(value, given)
        return self._passed(value, name, given, node.lineno)

    def _passed(self, value: Value, name: str, given: list[Value], line: int) -> Value:
        """What a filter or method of that name makes of the value."""
        wanted = given[0] if given else NOTHING
        if name in SEARCHES:
            self._of.notes.look(value, wanted.constants, SEARCHES[name], line)
        if name in SPLITS:
            return self._split(value, wanted, line)
        if name in TABLES:
            self._of.notes.use(value, "fields")
            return Value(members=value.members, entries=value.entries, kinds=value.kinds)
        if name == "tojson":
            self._of.notes.use(value, "dumped")
        if name in ("int", "float", "abs", "round"):
            self._of.notes.use(value, "number")
        if name in CASES:
            texts = tuple(Text(each.opening, each.closing, each.cut, True) for each in value.texts)
            return Value(value.constants, value.members, value.entries, value.variables, texts, value.kinds)
        return value if name in KEEPING else NOTHING

    def _split(self, value: Value, mark: Value, line: int) -> Value:
        """A list of pieces. A piece behind a tag ends where it is split again."""
        self._of.notes.look(value, mark.constants, "splits", line)
        marks = [each for _, each in mark.constants if isinstance(each, str)]
        for each in marks:
            self._of.notes.close(value, each)
        texts = [Text(each.opening, each.closing, cut, each.any_case) for each in value.texts for cut in marks or [""]]
        return Value(texts=tuple(texts))

    def _default(self, node: nodes.Filter) -> Value:
        if isinstance(node.node, nodes.Name):
            value = self._of.names.load(node.node.name, node.lineno, "tested")
        else:
            value = self._of.read(node.node)
        given = [self._of.read(each) for each in self._arguments(node)]
        fallback = given[0] if given else constant("")
        self._of.notes.default(value, fallback)
        return value | fallback

    def _get(self, value: Value, given: list[Value]) -> Value:
        """`value.get(key, fallback)`."""
        key = given[0] if given else NOTHING
        fallback = given[1] if len(given) > 1 else NOTHING
        self._of.notes.compare(key, value.members)
        names = [each for _, each in key.constants if isinstance(each, str)]
        return any_of(self._of.field(value, name) for name in names) | Value(constants=value.entries) | fallback

    def _picked(self, value: Value, arguments: list[nodes.Expr]) -> None:
        """`select('equalto', x)` and `selectattr('name', 'equalto', x)`."""
        constants = [each.value for each in arguments if isinstance(each, nodes.Const)]
        for test in ("equalto", "eq", "==", "in"):
            if test in constants[:2] and len(constants) > constants.index(test) + 1:
                place = constants.index(test)
                entry = self._of.entry(value)
                if place == 1 and isinstance(constants[0], str):
                    entry = self._of.field(entry, constants[0])
                self._of.notes.compare(entry, constant(constants[place + 1]).constants)

    def _function(self, name: str, node: nodes.Call) -> Value:
        macro = self._of.names.macros.get(name)
        if macro is None:
            self._of.names.load(name, node.lineno, "called")
        given = [self._of.read(each) for each in node.args]
        named = {each.key: self._of.read(each.value) for each in node.kwargs}
        if macro is not None:
            places = [each.name for each in macro.args]
            for parameter, value in [*zip(places, given, strict=False), *named.items()]:
                self._of.names.bind_in(macro.name, parameter, value)
            return self._of.returned.get(name, NOTHING)
        if name == "range":
            return Value(members=_counted([each.constants for each in given]))
        return any_of([*given, *named.values()]) if name == "dict" else NOTHING

    @staticmethod
    def _arguments(node: nodes.Filter | nodes.Call) -> list[nodes.Expr]:
        return [*(node.args or ()), *(each.value for each in node.kwargs or ())]


def _counted(arguments: list[Any]) -> tuple[tuple[str, Any], ...]:
    ends = [[each for kind, each in found if kind == "int"] for found in arguments]
    if not ends or any(len(each) != 1 for each in ends):
        return ()
    try:
        numbers = range(*(each[0] for each in ends))
        few = len(numbers) <= RANGE
    except (TypeError, ValueError, OverflowError):
        return ()
    return tuple(("int", each) for each in numbers) if few else ()
