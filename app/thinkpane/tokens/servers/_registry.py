"""Finds the kinds of servers with a tokenizer: one module in this folder each, with one public constant `SERVER`."""

from functools import cache

from thinkpane.registry import kinds_in
from thinkpane.tokens import servers
from thinkpane.tokens.servers._api import ServerKind


@cache
def all_servers() -> tuple[ServerKind, ...]:
    """Every kind, in the order in which they are tried.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `SERVER`.
    """
    return tuple(sorted(kinds_in(servers, "SERVER"), key=lambda each: each.order))
