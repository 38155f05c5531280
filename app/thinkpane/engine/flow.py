"""Reads a template's statements in order, some times over, until no name can be anything more than is known."""

from collections.abc import Iterator, Sequence
from typing import Any

from jinja2 import nodes

from thinkpane.engine.flow_expressions import Expressions, given_names
from thinkpane.engine.flow_notes import Notes
from thinkpane.engine.flow_scopes import Names
from thinkpane.engine.flow_values import NOTHING, Value, any_of

PASSES = 6
"""Macros that hand a value on to macros above them need one more each; nobody nests deeper."""

_GIVEN = {
    "messages": Value(kinds=("messages",)),
    "tools": Value(kinds=("tools",)),
    "add_generation_prompt": NOTHING,
    **dict.fromkeys(("loop", "caller", "varargs", "kwargs", "self", "super"), NOTHING),
}
"""What every template is given, and what Jinja binds itself. `documents` is not among them: few templates read it."""


class Flow:
    """One template, read through; `names` and `notes` then hold what was found."""

    def __init__(self, tree: nodes.Template) -> None:
        self.names = Names()
        for name, value in _GIVEN.items():
            self.names.bind(name, value, parameter=True)
        self.notes = Notes()
        self._printed: list[Value] = []
        self._read = Expressions(self.names, self.notes)
        for _ in range(PASSES):
            self._read.notes = self.notes = Notes()
            self._body(tree.body)
            if not self.names.changed:
                break
            self.names.start_again()

    def _body(self, body: Sequence[nodes.Node]) -> None:
        for each in body:
            self._statement(each)

    def _statement(self, node: nodes.Node) -> None:
        match node:
            case nodes.Output():
                self._output(node)
            case nodes.Assign():
                self._bind(node.target, self._read.read(node.node), node.node)
            case nodes.AssignBlock():
                self._bind(node.target, self._text_of(node.body))
            case nodes.If():
                self._if(node)
            case nodes.For():
                self._for(node)
            case nodes.Macro():
                self._macro(node)
            case nodes.CallBlock():
                self._read.read(node.call)
                self._in_scope(node, node.body, [each.name for each in node.args])
            case nodes.With():
                self._with(node)
            case _:
                self._other(node)

    def _output(self, node: nodes.Output) -> None:
        for each in node.nodes:
            if not isinstance(each, nodes.TemplateData):
                value = self._read.read(each)
                self.notes.use(value, "printed")
                self._printed.append(value)

    def _bind(self, target: nodes.Node, value: Value, made: nodes.Node | None = None) -> None:
        if isinstance(target, nodes.NSRef):
            self.names.bind_attribute(target.name, target.attr, value)
        elif isinstance(target, nodes.Name):
            self.names.bind(target.name, value)
            if target.name == "tools":
                self.notes.use(value, "walked")
            if "tools" in value.kinds:
                self.notes.use(Value(variables=(target.name,)), "walked")
            if isinstance(made, nodes.Call) and isinstance(made.node, nodes.Name) and made.node.name == "namespace":
                for named in made.kwargs:
                    self.names.bind_attribute(target.name, named.key, self._read.read(named.value))
        elif isinstance(target, nodes.Tuple):
            for each in target.items:
                self._bind(each, NOTHING)

    def _if(self, node: nodes.If) -> None:
        for branch in (node, *node.elif_):
            self._read.condition(branch.test)
            self.names.guard(1)
            self._body(branch.body)
            self.names.guard(-1)
        self.names.guard(1)
        self._body(node.else_)
        self.names.guard(-1)
        self._defaults(node)

    def _defaults(self, node: nodes.If) -> None:
        """`if x is not defined: set x = 1`, and `if x is defined: set y = x, else: set y = 1`."""
        asked = given_names(node.test)
        if asked is None or (asked[1] and node.elif_):
            return
        (name,), when_set = asked
        fallback = node.else_ if when_set else node.body
        targets = {name}
        if when_set:
            copies = [
                each for each in node.body if isinstance(each, nodes.Assign) and isinstance(each.node, nodes.Name)
            ]
            targets = {key for each in copies if each.node.name == name and (key := _target(each.target))}  # type: ignore[attr-defined]  # a Name, as said
        values = [self._read.read(each.node) for each in _assigns(fallback) if _target(each.target) in targets]
        if values and all(each.constants for each in values):
            self.notes.default(Value(variables=(name,)), any_of(values))

    def _for(self, node: nodes.For) -> None:
        value = self._read.read(node.iter)
        self.names.enter(id(node))
        entry = self._read.walked(value)
        if isinstance(node.target, nodes.Name):
            self.names.bind(node.target.name, entry)
        elif isinstance(node.target, nodes.Tuple) and node.target.items:
            first, *rest = node.target.items
            self._bind(first, Value(constants=value.members))
            for each in rest:
                self._bind(each, Value(constants=value.entries))
        if node.test is not None:
            self._read.condition(node.test)
        self._body(node.body)
        self._body(node.else_)
        self.names.leave()

    def _macro(self, node: nodes.Macro) -> None:
        self.names.macros[node.name] = node
        defaults = [self._read.read(each) for each in node.defaults]
        self.names.enter(node.name)
        for each in node.args:
            self.names.bind(each.name, NOTHING, parameter=True)
        for parameter, value in zip(node.args[len(node.args) - len(defaults) :], defaults, strict=True):
            self.names.bind(parameter.name, value, parameter=True)
        found = self._text_of(node.body)
        known = self._read.returned.get(node.name, NOTHING)
        if found | known != known:
            self._read.returned[node.name] = known | found
            self.names.changed = True
        self.names.leave()

    def _text_of(self, body: Sequence[nodes.Node]) -> Value:
        """What a body prints, as far as it is a message's text or a variable's."""
        outside, self._printed = self._printed, []
        self._body(body)
        found = any_of(self._printed)
        self._printed = outside
        return Value(variables=found.variables, texts=found.texts)

    def _with(self, node: nodes.With) -> None:
        values = [self._read.read(each) for each in node.values]
        self.names.enter(id(node))
        for target, value in zip(node.targets, values, strict=True):
            self._bind(target, value)
        self._body(node.body)
        self.names.leave()

    def _in_scope(self, node: nodes.Node, body: Sequence[nodes.Node], parameters: Sequence[str]) -> None:
        self.names.enter(id(node))
        for name in parameters:
            self.names.bind(name, NOTHING, parameter=True)
        self._body(body)
        self.names.leave()

    def _other(self, node: nodes.Node) -> None:
        for each in node.iter_child_nodes():
            if isinstance(each, nodes.Expr):
                self._read.read(each)
        body: Any = getattr(node, "body", None)
        if isinstance(body, list):
            self._in_scope(node, body, ())


def _target(node: nodes.Node) -> str:
    """The name that is bound: `x`, `ns.x`; "" where several are."""
    if isinstance(node, nodes.NSRef):
        return f"{node.name}.{node.attr}"
    return node.name if isinstance(node, nodes.Name) else ""


def _assigns(body: Sequence[nodes.Node]) -> Iterator[nodes.Assign]:
    for each in body:
        yield from [each] if isinstance(each, nodes.Assign) else each.find_all(nodes.Assign)
