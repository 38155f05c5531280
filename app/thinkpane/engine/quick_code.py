"""What is printed as a sum, `{{ '<|im_start|>' + role + '\\n' + content }}`, is printed term by term.

The terms are worked out one after another, as jinja does. As long as all of them are texts (`type(x) is str`), each is
handed on as it is: a message of megabytes is not copied for each `+`, and a chunk that is a message is that very
string. With the first term that is anything else, what stands before it is joined, and Python adds up the rest.
"""

from typing import Final

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

_MOST_TERMS: Final = 64
"""Terms of a sum that are parted. Jinja puts each `+` in parentheses, and Python refuses some 200 of them, one in
another: a sum that transformers cannot render must not be rendered here."""


class QuickCode(CodeGenerator):
    """Jinja's code for templates, but for what it prints as a sum or a chain of `~`."""

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        """`{{ … }}` and the text between."""
        if frame.require_output_check or self.environment.finalize is not None or _may_escape(frame):
            super().visit_Output(node, frame)
            return
        others: list[nodes.Expr] = []
        for child in node.nodes:
            terms = self._terms(child, frame)
            if not terms:
                others.append(child)
                continue
            self._print(others, node, frame)
            others = []
            put = self._print_sum if isinstance(child, nodes.Add) else self._print_chain
            put(child, terms, frame)
        self._print(others, node, frame)

    def _terms(self, child: nodes.Expr, frame: Frame) -> list[nodes.Expr]:
        """What is added up; nothing where jinja's own code is as good."""
        if isinstance(child, nodes.Concat):
            found = child.nodes
        elif isinstance(child, nodes.Add):
            found = _added(child)
        else:
            return []
        too_long = isinstance(child, nodes.Add) and len(found) > _MOST_TERMS
        return [] if too_long or _is_constant(child, frame) else found

    def _print(self, children: list[nodes.Expr], node: nodes.Output, frame: Frame) -> None:
        if children:
            super().visit_Output(nodes.Output(children, lineno=node.lineno, environment=self.environment), frame)

    def _print_chain(self, child: nodes.Expr, terms: list[nodes.Expr], frame: Frame) -> None:
        """All terms are worked out before the first one is made a text, as `str_join` does."""
        names = [self._worked_out(term, child, frame) for term in terms]
        self._hand_on([f"str({name})" for name in names], frame)

    def _print_sum(self, child: nodes.Expr, terms: list[nodes.Expr], frame: Frame) -> None:
        whole, texts = self.temporary_identifier(), self.temporary_identifier()
        self.writeline(f"{texts} = True", child)
        before: list[str] = []
        for term in terms:
            constant = _constant_text(term)
            name = repr(constant) if constant is not None else self._worked_out(term, child, frame)
            if constant is None:
                self.writeline(f"if {texts} and type({name}) is not str:")
                self._within(f"{texts} = False", f"{whole} = {' + '.join([*before, name])}")
            if before:
                self.writeline(f"{'if' if constant is not None else 'elif'} not {texts}:")
                self._within(f"{whole} = {whole} + {name}")
            before.append(name)
        self.writeline(f"if {texts}:")
        self.indent()
        self._hand_on(before, frame)
        self.outdent()
        self.writeline("else:")
        self.indent()
        self._hand_on([f"str({whole})"], frame)
        self.outdent()

    def _worked_out(self, term: nodes.Expr, child: nodes.Expr, frame: Frame) -> str:
        name = self.temporary_identifier()
        self.writeline(f"{name} = ", child)
        self.visit(term, frame)
        return name

    def _within(self, *lines: str) -> None:
        self.indent()
        for line in lines:
            self.writeline(line)
        self.outdent()

    def _hand_on(self, texts: list[str], frame: Frame) -> None:
        for each in texts:
            self.writeline(f"yield {each}" if frame.buffer is None else f"{frame.buffer}.append({each})")


def _may_escape(frame: Frame) -> bool:
    return frame.eval_ctx.volatile or bool(frame.eval_ctx.autoescape)


def _added(child: nodes.Expr) -> list[nodes.Expr]:
    """The terms of ((a + b) + c) + …, from left to right."""
    found: list[nodes.Expr] = []
    while isinstance(child, nodes.Add):
        found.append(child.right)
        child = child.left
    return [child, *reversed(found)]


def _is_constant(child: nodes.Expr, frame: Frame) -> bool:
    try:
        child.as_const(frame.eval_ctx)
    except Exception:  # noqa: BLE001 - jinja, too, leaves to the render what cannot be worked out before
        return False
    return True


def _constant_text(term: nodes.Expr) -> str | None:
    """The text that a term always is."""
    found = term.value if isinstance(term, nodes.Const) else None
    return found if type(found) is str else None
