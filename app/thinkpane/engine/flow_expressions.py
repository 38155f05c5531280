"""Follows values through a template's expressions: what each may be, and what it is compared with on the way."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from jinja2 import nodes

from thinkpane.engine.flow_calls import Calls
from thinkpane.engine.flow_notes import Notes
from thinkpane.engine.flow_scopes import Names
from thinkpane.engine.flow_values import MESSAGE_TEXT, NOTHING, Constant, Value, any_of, constant

JOINED = 64
"""Texts that one concatenation of constants may make: '[l' ~ n ~ ']' in a loop over ten numbers makes ten."""

_SAME: frozenset[str] = frozenset({"eq", "ne"})
_SIZES: frozenset[str] = frozenset({"lt", "lteq", "gt", "gteq"})


class Expressions:
    """Reads expressions with `read`, conditions with `condition`; both note what they see."""

    def __init__(self, names: Names, notes: Notes) -> None:
        self.names = names
        self.notes = notes
        self.returned: dict[str, Value] = {}
        self._calls = Calls(self)
        self._readers: dict[type[nodes.Node], Callable[[Any], Value]] = {
            nodes.Const: lambda node: constant(node.value),
            nodes.Name: lambda node: self.names.load(node.name, node.lineno, "other"),
            nodes.Getattr: lambda node: self._field(self.read(node.node), node.attr, node.node),
            nodes.Getitem: self._item,
            nodes.Filter: self._calls.filter,
            nodes.Call: self._calls.call,
            nodes.Test: self._test,
            nodes.Compare: self._compare,
            nodes.CondExpr: self._choice,
            nodes.Or: self._or,
            nodes.And: self._and,
            nodes.Not: self._not,
            nodes.Add: self._joined,
            nodes.Concat: self._joined,
            nodes.List: self._listed,
            nodes.Tuple: self._listed,
            nodes.Dict: self._table,
        }

    def read(self, node: nodes.Node | None) -> Value:
        """What the expression may be."""
        if node is None:
            return NOTHING
        reader = self._readers.get(type(node))
        if reader is not None:
            return reader(node)
        parts = [self.read(each) for each in node.iter_child_nodes()]
        if isinstance(node, nodes.BinExpr | nodes.UnaryExpr):
            for each in parts:
                self.notes.use(each, "number")
        return NOTHING

    def condition(self, node: nodes.Node | None) -> Value:
        """Reads what is tested for truth."""
        value = self.read(node)
        self.notes.use(value, "truth")
        return value

    def entry(self, value: Value, name: str = "[]", first: bool | None = None) -> Value:
        """One entry of a list, or of what stands in its place. first: whether it is the first one, where known."""
        kinds = {"messages": "message", "content": "part"}
        return Value(
            constants=value.members,
            variables=tuple(each + name for each in value.variables),
            texts=tuple(each.piece(first is True) for each in value.texts),
            kinds=tuple(kinds[each] for each in value.kinds if each in kinds),  # type: ignore[misc]  # both are Kinds
        )

    def walked(self, value: Value) -> Value:
        """One entry of what a loop goes through."""
        self.notes.use(value, "walked")
        return self.entry(value)

    def field(self, value: Value, name: str) -> Value:
        """A field of a message, a part or an object, by its name."""
        for each in value.variables:
            self.notes.uses.setdefault(each, set()).add("fields")
        found = Value(constants=value.entries, variables=tuple(f"{each}.{name}" for each in value.variables))
        if "message" in value.kinds:
            self.notes.fields.setdefault(name)
            if name == "role":
                found |= Value(kinds=("role",))
            if name == "content":
                found |= MESSAGE_TEXT
        if "part" in value.kinds and name in ("text", "content"):
            found |= Value(texts=MESSAGE_TEXT.texts)
        return found

    def _field(self, value: Value, name: str, of: nodes.Node) -> Value:
        """`a.name`: an attribute of a namespace, else a field."""
        if isinstance(of, nodes.Name) and (kept := self.names.lookup(f"{of.name}.{name}")) is not None:
            return kept
        return self.field(value, name)

    def _item(self, node: nodes.Getitem) -> Value:
        value = self.read(node.node)
        if isinstance(node.arg, nodes.Slice):
            for each in node.arg.iter_child_nodes():
                self.read(each)
            return value
        key = self.read(node.arg)
        names = [each for _, each in key.constants if isinstance(each, str)]
        if names:
            return any_of(self._field(value, name, node.node) for name in names[:JOINED])
        self.notes.compare(key, value.members)
        if value.entries:
            return Value(constants=value.entries)
        first = [each for _, each in key.constants] == [0]
        return self.entry(value, first=first)

    def _test(self, node: nodes.Test) -> Value:
        if node.name in ("defined", "undefined"):
            if isinstance(node.node, nodes.Name):
                self.names.load(node.node.name, node.lineno, "tested")
            else:
                self.read(node.node)
            return NOTHING
        value = self.read(node.node)
        given = any_of(self.read(each) for each in node.args or ())
        if node.name in ("true", "false"):
            self.notes.compare(value, constant(node.name == "true").constants)
        elif node.name in ("equalto", "eq", "==", "ne", "!=", "sameas"):
            self.same(value, given, node.lineno)
        elif node.name == "in":
            self.within(value, given, node.lineno)
        return NOTHING

    def _compare(self, node: nodes.Compare) -> Value:
        left = self.read(node.expr)
        for each in node.ops:
            right = self.read(each.expr)
            if each.op in _SAME:
                self.same(left, right, node.lineno)
            elif each.op in ("in", "notin"):
                self.within(left, right, node.lineno)
            elif each.op in _SIZES:
                self.notes.use(left, "number")
                self.notes.use(right, "number")
            left = right
        return NOTHING

    def same(self, one: Value, other: Value, line: int) -> None:
        """Two values are compared for being equal."""
        for value, wanted in ((one, other), (other, one)):
            self.notes.compare(value, wanted.constants)
            self.notes.look(value, wanted.constants, "is", line)

    def within(self, one: Value, other: Value, line: int) -> None:
        """The first value is looked for in the second: an entry in a list, a key in a table, a text in a text."""
        self.notes.compare(one, other.members)
        self.notes.compare(self.entry(Value(variables=other.variables)), one.constants)
        if other.kinds != ("part",):  # a part is an object: 'image' in it asks for its field
            self.notes.look(other, one.constants, "in", line)
        if "message" in other.kinds:
            self.notes.fields.update({each: None for _, each in one.constants if isinstance(each, str)})

    def _choice(self, node: nodes.CondExpr) -> Value:
        self.condition(node.test)
        found, other = self.read(node.expr1), self.read(node.expr2)
        asked = given_names(node.test)
        if asked:
            (name,), when_set = asked
            chosen, fallback = (found, other) if when_set else (other, found)
            if name in chosen.variables or any(each in self.notes.values.get(name, ()) for each in chosen.constants):
                self.notes.default(Value(variables=(name,)), fallback)
        return found | other

    def _or(self, node: nodes.Or) -> Value:
        left, right = self.condition(node.left), self.condition(node.right)
        if isinstance(node.left, nodes.Name) and right.constants:
            self.notes.default(left, right)
        return left | right

    def _and(self, node: nodes.And) -> Value:
        return self.condition(node.left) | self.condition(node.right)

    def _not(self, node: nodes.Not) -> Value:
        self.condition(node.node)
        return NOTHING

    def _joined(self, node: nodes.Add | nodes.Concat) -> Value:
        pieces = node.nodes if isinstance(node, nodes.Concat) else [node.left, node.right]
        values = [self.read(each) for each in pieces]
        for each in values:
            self.notes.use(each, "printed")
        whole = any_of(values)
        return Value(_products(values), whole.members, whole.entries, texts=whole.texts, kinds=whole.kinds)

    def _listed(self, node: nodes.List | nodes.Tuple) -> Value:
        found = any_of(self.read(each) for each in node.items)
        return Value(members=found.constants)

    def _table(self, node: nodes.Dict) -> Value:
        keys = any_of(self.read(each.key) for each in node.items)
        values = any_of(self.read(each.value) for each in node.items)
        return Value(members=keys.constants, entries=values.constants)


def given_names(test: nodes.Node) -> tuple[tuple[str, ...], bool] | None:
    """The variable whose being set `test` asks for; true where the test holds when it is set, false when it is not.

    None where it asks for nothing of the kind.
    """
    if isinstance(test, nodes.Test) and isinstance(test.node, nodes.Name) and test.name in ("defined", "undefined"):
        return (test.node.name,), test.name == "defined"
    if isinstance(test, nodes.Name):
        return (test.name,), True
    if isinstance(test, nodes.Not):
        inner = given_names(test.node)
        return (inner[0], not inner[1]) if inner else None
    if isinstance(test, nodes.And):
        inner = given_names(test.left)
        return inner if inner and inner[1] else None
    return None


def _products(values: Sequence[Value]) -> tuple[Constant, ...]:
    count = 1
    for each in values:
        count *= len(each.constants)
    if not 0 < count <= JOINED:
        return ()
    texts = ("".join(str(each) for _, each in parts) for parts in product(*(value.constants for value in values)))
    return tuple(("str", each) for each in texts)
