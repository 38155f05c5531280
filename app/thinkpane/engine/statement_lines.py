"""On which lines a template's statements stand: the same count for what a render executed and for what it could."""

from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import nodes


def statement_lines(statement: nodes.Node, line_of: Callable[[int], int]) -> tuple[int, ...]:
    """The lines of one statement, ascending: where it starts; of output each line that prints something.

    line_of: turns a node's own number into a line (the tracing environment's knows the true one).
    """
    if not isinstance(statement, nodes.Output):
        return (line_of(statement.lineno),)
    found: set[int] = set()
    for piece in statement.nodes:
        first = line_of(piece.lineno)
        if isinstance(piece, nodes.TemplateData):
            found.update(first + at for at, line in enumerate(piece.data.split("\n")) if line.strip())
        else:
            found.add(first)
    return tuple(sorted(found)) or (line_of(statement.lineno),)


def executable_lines(tree: nodes.Template, line_of: Callable[[int], int]) -> tuple[int, ...]:
    """The lines of all statements of a template, ascending."""
    found = {line for each in _statements(tree) for line in statement_lines(each, line_of)}
    return tuple(sorted(found))


def _statements(node: nodes.Node) -> Iterator[nodes.Node]:
    """What the code generator visits in blocks: the bodies of a node, of its branches, and all in them."""
    for name in ("body", "else_"):
        body: Any = getattr(node, name, None)
        for each in body if isinstance(body, list) else []:
            yield each
            yield from _statements(each)
    for branch in getattr(node, "elif_", ()):
        yield from _statements(branch)
