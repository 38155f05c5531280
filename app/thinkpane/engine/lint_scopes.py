"""`set` inside of a loop: jinja forgets it when the round ends, so whoever reads it outside gets the old value."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from jinja2 import nodes

_LOOPS = (nodes.For,)
_SCOPES = (nodes.For, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.With, nodes.Block)


class LostSet(NamedTuple):
    """A `set` of `name` whose value is lost. read: the line that reads the old value. node: the set's target."""

    name: str
    node: nodes.Name
    read: int


@dataclass(frozen=True, slots=True)
class _Event:
    name: str
    stores: bool
    path: tuple[int, ...]
    order: int
    node: nodes.Name
    is_set: bool = False
    updates: bool = False


def lost_sets(tree: nodes.Template) -> Iterator[LostSet]:
    """Every `set` in a loop whose value somebody seems to want after its round, each name once a loop."""
    walk = _Walk()
    walk.visit(tree, ())
    stores: dict[str, list[_Event]] = {}
    loads: dict[str, list[_Event]] = {}
    for each in walk.events:
        (stores if each.stores else loads).setdefault(each.name, []).append(each)
    told: set[tuple[str, int]] = set()
    for name, found in stores.items():
        for each in found:
            loop = next((scope for scope in reversed(each.path) if scope in walk.loops), None)
            if loop is None or each.node in walk.targets or (name, loop) in told:
                continue
            read = _reader(each, loop, walk.loops[loop], found, loads.get(name, []))
            if read is not None:
                told.add((name, loop))
                yield LostSet(name, each.node, read.node.lineno)


def _reader(
    store: _Event, loop: int, span: tuple[int, int], stores: list[_Event], loads: list[_Event]
) -> _Event | None:
    first, last = span
    outer = [each for each in stores if each.order < first and each.path == store.path[: len(each.path)]]
    # A loop's own variable or a macro's argument outside: the inner `set` only takes the name for something else,
    # unless it builds on the outer value.
    if not (outer and (store.updates or any(each.is_set for each in outer))):
        return None
    for load in loads:
        if load.order > last and loop not in load.path:
            between = (each for each in stores if last < each.order < load.order)
            if not any(each.path == load.path[: len(each.path)] for each in between):
                return load
        elif first < load.order < store.order and loop in load.path:
            before = (each for each in stores if first < each.order < load.order)
            if not any(each.path == load.path[: len(each.path)] for each in before):
                return load
    return None


class _Walk:
    """Loads and stores of names in the order in which they run, each with the scopes around it."""

    def __init__(self) -> None:
        self.events: list[_Event] = []
        self.loops: dict[int, tuple[int, int]] = {}
        self.targets: set[nodes.Name] = set()
        self._order = 0

    def visit(self, node: nodes.Node, path: tuple[int, ...]) -> None:
        """Takes in `node` and all below it."""
        if isinstance(node, nodes.Name):
            self._order += 1
            self.events.append(_Event(node.name, node.ctx != "load", path, self._order, node))
        elif isinstance(node, nodes.For):
            self._visit_for(node, path)
        elif isinstance(node, _SCOPES):
            inner = (*path, id(node))
            for child in node.iter_child_nodes():
                self.visit(child, inner)
        elif isinstance(node, nodes.Assign | nodes.AssignBlock):
            self._visit_set(node, path)
        else:
            for child in node.iter_child_nodes():
                self.visit(child, path)

    def _visit_set(self, node: nodes.Assign | nodes.AssignBlock, path: tuple[int, ...]) -> None:
        before = len(self.events)
        for child in node.iter_child_nodes(exclude=("target",)):
            self.visit(child, path)
        read = {each.name for each in self.events[before:]}
        target = node.target
        if isinstance(node, nodes.Assign) and _is_namespace(node.node):
            return  # it starts a store of its own, and whoever reads the outer one of that name means the outer one
        for each in [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name):
            self._order += 1
            self.events.append(_Event(each.name, True, path, self._order, each, True, each.name in read))

    def _visit_for(self, node: nodes.For, path: tuple[int, ...]) -> None:
        self.visit(node.iter, path)
        inner = (*path, id(node))
        first = self._order
        self.targets.update(
            node.target.find_all(nodes.Name) if not isinstance(node.target, nodes.Name) else [node.target]
        )
        self.visit(node.target, inner)
        if node.test is not None:
            self.visit(node.test, inner)
        for child in node.body:
            self.visit(child, inner)
        self.loops[id(node)] = (first, self._order)
        for child in node.else_:
            self.visit(child, path)


def _is_namespace(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "namespace"
