"""Colours the code of a fence by its language, with Pygments' lexers and the theme's own colours."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from thinkpane.ui import theme

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

LONGEST = 20_000
"""Characters of code beyond which it stays plain: colouring it would hold the window up."""

_COLOURS = (
    ("Comment", "dim"),
    ("Keyword.Constant", "warning"),
    ("Keyword", "accent"),
    ("Operator.Word", "accent"),
    ("Literal.String", "good"),
    ("Literal.Number", "warning"),
    ("Name.Function", "system"),
    ("Name.Class", "system"),
    ("Name.Decorator", "system"),
    ("Name.Tag", "accent"),
    ("Name.Attribute", "system"),
    ("Name.Builtin", "system"),
    ("Generic.Deleted", "bad"),
    ("Generic.Inserted", "good"),
    ("Error", "bad"),
)
"""Kinds of Pygments' tokens, the first that fits, and the colours of a Theme."""


def coloured(source: str, language: str) -> Iterator[tuple[str, str]]:
    """The code in stretches with their colours (#rrggbb, "" = the text's own); together they are `source`."""
    lexer = _lexer(language) if len(source) <= LONGEST else None
    if lexer is None:
        yield source, ""
        return
    left = len(source)
    for kind, text in lexer.get_tokens(source):
        # A lexer may end its text with a newline that the source does not have.
        text = text[:left]
        left -= len(text)
        if text:
            yield text, _colour(kind, theme.current())
    if left:
        yield source[-left:], ""


@cache
def _lexer(language: str) -> "Lexer | None":
    """The lexer of that name, None where there is none; one that changes no character."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def _colour(kind: "_TokenType", colours: theme.Theme) -> str:
    name = str(kind).removeprefix("Token.")
    role = next((role for known, role in _COLOURS if name == known or name.startswith(f"{known}.")), "")
    return str(getattr(colours, role)) if role else ""
