"""Text that `%` and `format` made, with owners: each piece belongs to the format or to the value that filled it."""

import re
from collections.abc import Callable, Iterator
from string import Formatter
from typing import Any

from thinkpane.engine.owned_repr import text_of
from thinkpane.engine.owned_text import OwnedText, attributed, joined, runs_of

_CONVERSION = re.compile(r"%(?:\((.*?)\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(.)", re.DOTALL)


def percent(format: OwnedText, values: Any) -> OwnedText:
    """`format % values`; raises what that raises."""
    plain = str.__mod__(format, values)
    operands = values if isinstance(values, tuple) else (values,)
    made = joined(_percent_pieces(format, operands))
    return made if made == plain else attributed(plain, (*operands, format))


def _percent_pieces(format: OwnedText, operands: tuple[Any, ...]) -> Iterator[str]:
    waiting = iter(operands)
    at = 0
    for found in _CONVERSION.finditer(format):
        yield format[at : found.start()]
        at = found.end()
        if found[2] == "%":
            yield format[at - 1 : at]
        elif found[1] is not None:
            yield _filled(found[0] % operands[0], operands[0][found[1]])
        else:
            taken = [each for _, each in zip(range(1 + found[0].count("*")), waiting, strict=False)]
            yield _filled(found[0] % tuple(taken), taken[-1])
    yield format[at:]


def braces(
    format: OwnedText,
    plain: str,
    filled: Callable[[str], str],
    value_of: Callable[[str], Any],
) -> OwnedText:
    """`plain`, which `format.format(…)` gave. filled: what one replacement field gives; value_of: the value that the
    name of a field stands for."""
    made = joined(_brace_pieces(format, filled, value_of))
    return made if made == plain else attributed(plain, (format,))


def _brace_pieces(format: OwnedText, filled: Callable[[str], str], value_of: Callable[[str], Any]) -> Iterator[str]:
    mark = runs_of(format)[0]._replace(start=None, end=None) if format else None
    number = 0
    for literal, name, specification, conversion in Formatter().parse(str.__str__(format)):
        if literal and mark:
            yield OwnedText(literal, [mark._replace(length=len(literal))])
        if name is None:
            continue
        if not name or name[0] in ".[":
            name = f"{number}{name}"
            number += 1
        ending = (f"!{conversion}" if conversion else "") + (f":{specification}" if specification else "")
        yield _filled(filled("{" + name + ending + "}"), value_of(name))


def _filled(text: str, value: Any) -> str:
    own = text_of(value)
    return own if own == text else attributed(text, (own,))
