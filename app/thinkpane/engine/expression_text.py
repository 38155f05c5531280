"""Jinja expressions written out again, as a person names them: `p.type`, `messages[0]['role']`."""

from jinja2 import nodes

LONGEST = 120
"""Characters after which an expression is cut short."""


def expression_text(node: nodes.Node) -> str:
    """The expression `node`; what is no chain of names, attributes, subscripts, calls and filters becomes `…`."""
    found = _text(node, 0)
    return found if len(found) <= LONGEST else found[: LONGEST - 1] + "…"


def _text(node: nodes.Node, depth: int) -> str:
    if depth > 12:
        return "…"
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Const):
        return repr(node.value)[:40]
    if isinstance(node, nodes.Getattr):
        return f"{_text(node.node, depth + 1)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        return f"{_text(node.node, depth + 1)}[{_text(node.arg, depth + 1)}]"
    if isinstance(node, nodes.Call):
        return f"{_text(node.node, depth + 1)}({'…' if node.args or node.kwargs else ''})"
    if isinstance(node, nodes.Filter) and node.node is not None:
        return f"{_text(node.node, depth + 1)} | {node.name}"
    if isinstance(node, nodes.Neg):
        return f"-{_text(node.node, depth + 1)}"
    return "…"
