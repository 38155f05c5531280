"""What stands in a template that may go wrong, read from its syntax tree; nothing is run."""

from collections.abc import Iterator
from typing import cast

from jinja2 import nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.expression_text import expression_text
from thinkpane.engine.lint_scopes import lost_sets
from thinkpane.engine.lint_values import MOST_FACTS, Fact
from thinkpane.engine.template_errors import compile_problem
from thinkpane.engine.trace_code import Place, PlacedLexer
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject

SHOWN = 2_000
"""Characters of a text that are passed on."""

_TEXT_FIELDS = ("content", "text")
_TAGS: dict[type[nodes.Node], str] = {
    nodes.Break: "break",
    nodes.Continue: "continue",
    nodes.Include: "include",
    nodes.Import: "import",
    nodes.FromImport: "from",
    nodes.Extends: "extends",
    nodes.Block: "block",
    nodes.FilterBlock: "filter",
    nodes.With: "with",
    nodes.ScopedEvalContextModifier: "autoescape",
}
_OPERATORS: dict[type[nodes.Node], str] = {nodes.FloorDiv: "//", nodes.Pow: "**"}
_PASSING = (nodes.Filter, nodes.Concat, nodes.Add, nodes.CondExpr, nodes.Or, nodes.Getitem)


class _PlacedEnvironment(ImmutableSandboxedEnvironment):
    """An environment whose syntax trees know the offset of each token."""

    @property
    def lexer(self) -> PlacedLexer:
        """The lexer whose tokens know their place."""
        return PlacedLexer(self)


def lint_facts_job(payload: JsonObject) -> JsonObject:
    """The job "lint_facts": {source} in, {facts} out (lint_values.py).

    Raises ThinkpaneError (kind "template") when the source cannot be parsed.
    """
    source = cast("str", payload["source"])
    try:
        environment = build_environment(Clock(), _PlacedEnvironment)
        facts = [*_Facts(environment.parse(source), environment).all()]
    except Exception as error:  # noqa: BLE001 - a parser may end in RecursionError, MemoryError, …
        problem = compile_problem(error, source)
        raise ThinkpaneError(problem) from None
    return {"facts": [each.as_json() for each in facts[:MOST_FACTS]]}


def _fact(kind: str, name: str, node: nodes.Node, text: str = "", *flags: str) -> Fact:
    line = node.lineno
    start = line.offset if isinstance(line, Place) else -1
    return Fact(kind, name[:SHOWN], int(line), start, text[:SHOWN], flags)


class _Facts:
    """The facts of one tree."""

    def __init__(self, tree: nodes.Template, environment: _PlacedEnvironment) -> None:
        self._tree = tree
        self._environment = environment
        self._own = {each.name for each in tree.find_all(nodes.Name) if each.ctx != "load"}
        self._own |= {each.name for each in tree.find_all(nodes.Macro)} | {
            "loop",
            "caller",
            "varargs",
            "kwargs",
            "self",
        }
        self._texts = _text_names(tree)
        self._callees = {id(each.node) for each in tree.find_all(nodes.Call)}

    def all(self) -> Iterator[Fact]:
        """Every fact, those of a kind in the order of the tree."""
        for lost in lost_sets(self._tree):
            yield _fact("lost-set", lost.name, lost.node, str(int(lost.read)))
        waiting: list[nodes.Node] = [self._tree]
        while waiting:
            node = waiting.pop()
            yield from self._of(node)
            waiting.extend(reversed([*node.iter_child_nodes()]))

    def _of(self, node: nodes.Node) -> Iterator[Fact]:
        if isinstance(node, nodes.Call):
            yield from self._of_call(node)
        elif isinstance(node, nodes.Filter):
            yield from self._of_filter(node)
        elif isinstance(node, nodes.Test):
            flags = () if node.name in self._environment.tests else ("unknown",)
            yield _fact("test", node.name, node, expression_text(node.node), *flags)
        elif isinstance(node, nodes.Name):
            if node.ctx == "load":
                yield _fact("name", node.name, node, "", *(("set",) if node.name in self._own else ()))
        elif isinstance(node, nodes.Getattr | nodes.Getitem):
            yield from self._of_attribute(node)
        elif isinstance(node, nodes.Compare):
            yield from self._of_compare(node)
        elif isinstance(node, nodes.If | nodes.CondExpr):
            yield from self._of_branch(node)
        else:
            yield from _of_other(node)

    def _of_call(self, node: nodes.Call) -> Iterator[Fact]:
        called = node.node
        if isinstance(called, nodes.Getattr):
            yield _fact("method", called.attr, called, expression_text(called.node))
            first = node.args[0] if node.args else None
            if isinstance(first, nodes.Const) and isinstance(first.value, str):
                if called.attr in ("split", "rsplit") and not first.value:
                    yield _fact("empty-split", called.attr, node)
                if called.attr == "replace" and first.value:
                    yield _fact("replaced", first.value, node, expression_text(called.node))
        elif isinstance(called, nodes.Name) and called.name not in self._own:
            yield _fact("function", called.name, node)

    def _of_filter(self, node: nodes.Filter) -> Iterator[Fact]:
        if node.node is None:
            return
        flags = [str(each.key) for each in node.kwargs]
        if node.name not in self._environment.filters:
            flags.append("unknown")
        yield _fact("filter", node.name, node, expression_text(node.node), *flags)
        first = node.args[0] if node.args else None
        if node.name == "replace" and isinstance(first, nodes.Const) and isinstance(first.value, str) and first.value:
            yield _fact("replaced", first.value, node, expression_text(node.node))

    def _of_attribute(self, node: nodes.Getattr | nodes.Getitem) -> Iterator[Fact]:
        if id(node) in self._callees:
            return
        if isinstance(node, nodes.Getattr):
            yield _fact("attribute", node.attr, node, expression_text(node))
        elif isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            yield _fact("attribute", node.arg.value, node, expression_text(node), "subscript")

    def _of_compare(self, node: nodes.Compare) -> Iterator[Fact]:
        left = node.expr
        for operand in node.ops:
            right = operand.expr
            if operand.op in ("in", "notin"):
                if isinstance(left, nodes.Const) and left.value == "":
                    yield _fact("empty-in", expression_text(right), node)
                elif isinstance(left, nodes.Const) and isinstance(left.value, str) and self._is_text(right):
                    yield _fact("tested", left.value, node, expression_text(right))
                if isinstance(right, nodes.List | nodes.Tuple):
                    for each in right.items:
                        yield from self._compared(left, each)
            elif operand.op in ("eq", "ne"):
                yield from self._compared(left, right)
                yield from self._compared(right, left)
            left = right

    def _compared(self, one: nodes.Node, other: nodes.Node) -> Iterator[Fact]:
        if not isinstance(other, nodes.Const):
            return
        if isinstance(other.value, str) and expression_text(one).rstrip("']\"").endswith("role"):
            yield _fact("role", other.value, other, expression_text(one))
        elif isinstance(one, nodes.Name):
            yield _fact("compared", one.name, one, str(other.value), type(other.value).__name__)

    def _of_branch(self, node: nodes.If | nodes.CondExpr) -> Iterator[Fact]:
        body: list[nodes.Node] = [*node.body] if isinstance(node, nodes.If) else [node.expr1]
        tested = [
            each.expr.value
            for each in _compares(node.test)
            if each.ops[0].op == "in"
            and isinstance(each.expr, nodes.Const)
            and isinstance(each.expr.value, str)
            and each.expr.value
            and self._is_text(each.ops[0].expr)
        ]
        if tested:
            printed = " ".join(_literal(body)).strip()
            if printed:
                for word in tested:
                    yield _fact("gated", word, node, printed)

    def _is_text(self, node: nodes.Node) -> bool:
        return _carries_text(node, self._texts)


def _of_other(node: nodes.Node) -> Iterator[Fact]:
    if isinstance(node, nodes.Const):
        if isinstance(node.value, str):
            yield _fact("constant", "", node, node.value)
    elif isinstance(node, nodes.TemplateData):
        yield _fact("data", "", node, node.data)
    elif isinstance(node, nodes.Output):
        for each in node.nodes:
            if not isinstance(each, nodes.TemplateData):
                yield _fact("printed", expression_text(each), each)
    elif isinstance(node, nodes.CallBlock):
        called = node.call.node
        is_generation = isinstance(called, nodes.ExtensionAttribute)
        yield _fact("tag", "generation" if is_generation else "call", node)
    elif type(node) in _TAGS:
        yield _fact("tag", _TAGS[type(node)], node)
    elif type(node) in _OPERATORS:
        yield _fact("operator", _OPERATORS[type(node)], node)


def _compares(node: nodes.Node) -> Iterator[nodes.Compare]:
    if isinstance(node, nodes.Compare):
        yield node
    elif isinstance(node, nodes.And | nodes.Or):
        yield from _compares(node.left)
        yield from _compares(node.right)


def _literal(body: list[nodes.Node]) -> Iterator[str]:
    """The texts that these nodes print by themselves."""
    for node in body:
        if isinstance(node, nodes.TemplateData):
            yield node.data
        elif isinstance(node, nodes.Const) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, nodes.Output | nodes.If | nodes.For | nodes.Concat | nodes.Add):
            yield from _literal([*node.iter_child_nodes(exclude=("test", "iter", "target"))])


def _text_names(tree: nodes.Template) -> set[str]:
    """The names that hold a message's text, or were made of it."""
    names: set[str] = set()
    assigned = [each for each in tree.find_all(nodes.Assign) if isinstance(each.target, nodes.Name)]
    for _round in range(4):
        more = {cast("nodes.Name", each.target).name for each in assigned if _carries_text(each.node, names)}
        if more <= names:
            break
        names |= more
    return names


def _carries_text(node: nodes.Node, names: set[str]) -> bool:
    if isinstance(node, nodes.Name):
        return node.name in names
    if isinstance(node, nodes.Getattr) and node.attr in _TEXT_FIELDS:
        return True
    if isinstance(node, nodes.Getitem):
        if isinstance(node.arg, nodes.Const) and node.arg.value in _TEXT_FIELDS:
            return True
        return _carries_text(node.node, names)
    if isinstance(node, nodes.Call):
        return isinstance(node.node, nodes.Getattr) and _carries_text(node.node.node, names)
    if isinstance(node, _PASSING):
        return any(_carries_text(each, names) for each in node.iter_child_nodes())
    return False
