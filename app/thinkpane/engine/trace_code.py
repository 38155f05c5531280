"""How a traced template is compiled: tokens remember where they stand, the generated code says who wrote what.

Nothing is decided here about text: the code calls the tracing environment (trace.py) where it prints, joins or calls.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NoReturn

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.lexer import Lexer

from thinkpane.engine.statement_lines import statement_lines


class Place(int):
    """A token's line, as jinja counts it, that also knows its offset in the template's text (-1: not found)."""

    offset: int

    @classmethod
    def at(cls, line: int, offset: int) -> "Place":
        """The place on `line` at `offset`."""
        place = cls(line)
        place.offset = offset
        return place


class PlacedLexer(Lexer):
    """Jinja's lexer whose line numbers are `Place`s. White space control only ever drops white space between tokens,
    so that each token is found in the text behind the one before."""

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        text = template_text(source)
        at = 0
        for line, token, value in super().tokeniter(source, name, filename, state):
            found = text.find(value, at)
            if found >= 0:
                at = found + len(value)
            yield Place.at(line, found), token, value


def template_text(source: str) -> str:
    """The template's text as jinja's lexer sees it: newlines are \\n, one at the end is dropped."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n")


class Lines:
    """Turns offsets into lines and columns, both counted from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(index + 1 for index, each in enumerate(text) if each == "\n")]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


class TracingCode(CodeGenerator):
    """Generates code that hands each printed value, each constant and each call to the tracing environment."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> NoReturn:
        raise nodes.Impossible()

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.printed(" + self._asking(node))

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(f"{')' if self._asking(node) else ''}, {self._place(node)})")

    def _asking(self, node: nodes.Expr) -> str:
        # Arguments are evaluated in order: what was read before is forgotten, so that only this node's read counts.
        is_read = isinstance(node, nodes.Getattr | nodes.Getitem | nodes.Name)
        return "environment.looked_up(environment.reads.forget_last(), " if is_read else ""

    def visit_TemplateData(self, node: nodes.TemplateData, frame: Frame) -> None:
        self.write(f"environment.data[{self._tracing.keep_data(node.data, node.lineno)}]")

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:
        if type(node.value) is str:
            self.write(f"environment.data[{self._tracing.keep_constant(node.value, node.lineno)}]")
        else:
            super().visit_Const(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:
        if node.ctx != "load":
            super().visit_Name(node, frame)
            return
        self.write(f"environment.named({node.name!r}, ")
        super().visit_Name(node, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.tilde((")
        for each in node.nodes:
            self.write(self._asking(each))
            self.visit(each, frame)
            self.write("), " if self._asking(each) else ", ")
        self.write("))")

    def visit_Mod(self, node: nodes.BinExpr, frame: Frame) -> None:
        self.write("environment.modulo(")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        self.write("environment.called(")
        super().visit_Call(node, frame, forward_caller=forward_caller)
        self.write(f", {self._place(node)})")

    def blockvisit(self, nodes: Any, frame: Frame) -> None:
        if not nodes:
            super().blockvisit(nodes, frame)
        for node in nodes:
            self.writeline(f"environment.ran({statement_lines(node, self._tracing.line_of)})")
            super().blockvisit((node,), frame)

    @property
    def _tracing(self) -> Any:
        return self.environment

    def _place(self, node: nodes.Node) -> int:
        return int(self._tracing.keep_place(leftmost(node).lineno))


_FIRST: dict[type[nodes.Node], str] = {
    nodes.Getattr: "node",
    nodes.Getitem: "node",
    nodes.Call: "node",
    nodes.Filter: "node",
    nodes.Test: "node",
    nodes.CondExpr: "expr1",
    nodes.Compare: "expr",
}


def leftmost(node: nodes.Node) -> nodes.Node:
    """The node whose token stands first in the expression `node`."""
    while True:
        name = _FIRST.get(type(node))
        if name is not None:
            first = getattr(node, name)
        elif isinstance(node, nodes.BinExpr):
            first = node.left
        elif isinstance(node, nodes.Concat):
            first = node.nodes[0]
        else:
            return node
        if first is None:
            return node
        node = first
