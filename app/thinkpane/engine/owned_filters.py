"""Jinja's filters with owners: what they make is what they would make, and its characters lead back to its input."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any

from jinja2.filters import do_join, make_attrgetter
from jinja2.nodes import EvalContext
from markupsafe import Markup

from thinkpane.engine.owned_format import percent
from thinkpane.engine.owned_json import traced_json
from thinkpane.engine.owned_markup import owned_markup
from thinkpane.engine.owned_repr import text_of, texts_of
from thinkpane.engine.owned_text import OwnedText, attributed, by_character, has_runs, joined, path_of, runs_of
from thinkpane.engine.owned_values import owned_number

_NUMBERS = ("int", "float", "round", "abs")
_TEXTS = ("trim", "upper", "lower", "capitalize", "title", "replace")
"""Filters that make a text of what they are given before they do anything."""


def owning_filters(plain: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """All filters of `plain`, owning."""
    found = {name: _owning(function, name in _NUMBERS) for name, function in plain.items()}
    found |= {name: _of_text(found[name]) for name in _TEXTS}
    found["join"] = _join
    found["tojson"] = _tojson_of(plain["tojson"])
    found["string"] = _string_of(plain["string"])
    found["format"] = _format_of(plain["format"])
    found["indent"] = _indent_of(plain["indent"])
    found["urlencode"] = _urlencode_of(plain["urlencode"])
    return found


def _owning(function: Callable[..., Any], is_number: bool) -> Callable[..., Any]:
    """A filter whose new texts (and numbers, where it makes those) keep the owners of what they were made of."""

    @wraps(function)
    def owning(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        operands = [*_known((*args, *kwargs.values()))]
        if not operands:
            return result
        if type(result) is str:
            return attributed(result, operands)
        if type(result) is Markup:
            return owned_markup(result, operands[0])
        path = path_of(operands[0]) if is_number and type(result) in (int, float) else None
        return result if path is None else owned_number(result, path)

    return owning


def _known(values: Iterable[Any]) -> Iterator[Any]:
    """Those of the values that know where they came from, and those inside of the containers that do not."""
    for each in values:
        if has_runs(each) or path_of(each) is not None:
            yield each
        elif type(each) in (list, tuple):
            yield from _known(each)
        elif type(each) is dict:
            yield from _known(each.values())


def _of_text(function: Callable[..., Any]) -> Callable[..., Any]:
    position = 1 if hasattr(function, "jinja_pass_arg") else 0

    @wraps(function)
    def of_text(*args: Any, **kwargs: Any) -> Any:
        if len(args) > position and isinstance(args[position], list | dict | int | float):
            args = (*args[:position], text_of(args[position]), *args[position + 1 :])
        return function(*args, **kwargs)

    return of_text


@wraps(do_join)
def _join(eval_ctx: EvalContext, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> Any:
    if eval_ctx.autoescape:
        return do_join(eval_ctx, value, d, attribute)
    listed = list(value)
    if attribute is not None:
        listed = [*map(make_attrgetter(eval_ctx.environment, attribute), listed)]
    return texts_of([each for item in listed for each in (d, item)][1:])


def _tojson_of(plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def tojson(
        x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
    ) -> Any:
        text = str(plain(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys))
        return traced_json(x, text, ensure_ascii, indent, separators, sort_keys)

    return tojson


def _string_of(plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def string(object: Any) -> Any:
        return plain(object) if isinstance(object, str) else text_of(object)

    return string


def _format_of(plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def format(value: Any, *args: Any, **kwargs: Any) -> Any:
        if type(value) is not OwnedText or (args and kwargs):
            return plain(value, *args, **kwargs)
        return percent(value, kwargs or args)

    return format


def _indent_of(plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def indent(s: str, width: int | str = 4, first: bool = False, blank: bool = False) -> Any:
        text = plain(s, width, first, blank)
        if type(s) is not OwnedText or not s:
            return text
        margin = width if isinstance(width, str) else " " * width
        # Jinja ends the text with a line break before it parts the lines, so that a last empty line counts.
        whole = s + "\n"
        pieces: list[str] = []
        for index, (line, full) in enumerate(zip(whole.splitlines(), whole.splitlines(keepends=True), strict=True)):
            pieces += [margin] if (first if index == 0 else line or blank) else []
            pieces += [line, OwnedText("\n", [runs_of(full[len(line) :])[0]._replace(length=1)])]
        pieces.pop()
        made = joined(pieces)
        return made if made == text else attributed(text, (s,))

    return indent


def _urlencode_of(plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def urlencode(value: Any) -> Any:
        text = plain(value)
        runs = by_character(text, value, plain) if type(value) is OwnedText else None
        return text if runs is None else OwnedText(text, runs)

    return urlencode
