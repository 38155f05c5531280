"""The Jinja environment of chat templates: the only place that builds one.

It is the environment of transformers 5.24 (`utils/chat_template_utils.py`, described in the project's reference):
immutable sandbox (quick_access.py says the same, sooner), trim_blocks and lstrip_blocks, loop controls, the
`generation` tag, a plain `tojson`, and the globals `raise_exception`, `strftime_now`, `dict` and `namespace`. Whatever
is not set here is Jinja's default, so one trailing newline of a template is dropped and undefined values print as
nothing.

Parsing, compiling and rendering are all program execution: only the worker process may do them.
"""

import json
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, TypeVar

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from thinkpane.engine.quick_access import QuickSandbox
from thinkpane.engine.template_globals import TemplateDict, TemplateNamespace, raise_exception

COMPILED_KEPT = 32
"""How many compiled templates are kept; the window and its analyses use a handful."""


class Clock:
    """The time `strftime_now` tells: `frozen` where it is set, else the machine's local time."""

    def __init__(self) -> None:
        self.frozen: datetime | None = None

    def strftime_now(self, format: str) -> str:
        """The time in `format` (strftime's)."""
        return (self.frozen or datetime.now()).strftime(format)


class GenerationTag(Extension):
    """`{% generation %}…{% endgeneration %}`: marks what the model wrote, prints its body unchanged."""

    tags = {"generation"}  # noqa: RUF012 - jinja's Extension declares it so

    def parse(self, parser: Parser) -> nodes.Node:
        """The body as a call block, which gives it a scope of its own, as in transformers."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_print_body"), [], [], body).set_lineno(line)

    def _print_body(self, caller: Macro) -> str:
        return caller()


_as_json: Final = json.JSONEncoder(ensure_ascii=False).encode
"""What `json.dumps` makes an encoder for at each call."""


def tojson(
    x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """JSON as chat templates write it: nothing is escaped for HTML, the order of keys is kept."""
    if ensure_ascii is False and indent is None and separators is None and sort_keys is False:
        return _as_json(x)
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


_Environment = TypeVar("_Environment", bound=ImmutableSandboxedEnvironment)


def build_environment(clock: Clock, kind: type[_Environment] = QuickSandbox) -> _Environment:  # type: ignore[assignment]
    """A fresh environment of that kind (trace.py has its own) whose `strftime_now` asks `clock`."""
    environment = kind(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
    environment.filters["tojson"] = tojson
    named: dict[str, Callable[..., Any]] = {
        "raise_exception": raise_exception,
        "strftime_now": clock.strftime_now,
        "dict": TemplateDict(),
        "namespace": TemplateNamespace,
    }
    environment.globals.update(named)
    return environment


@lru_cache(maxsize=COMPILED_KEPT)
def compiled(source: str) -> tuple[jinja2.Template, Clock]:
    """The compiled template and its clock, kept by source.

    Raises whatever Jinja and Python raise: TemplateSyntaxError, but also SyntaxError, RecursionError, MemoryError, …
    """
    clock = Clock()
    return build_environment(clock).from_string(source), clock


def parsed(source: str) -> nodes.Template:
    """The template's syntax tree; constants are not evaluated, so this is cheaper and safer than compiling."""
    return build_environment(Clock()).parse(source)


def generated_python(source: str) -> str:
    """The Python that Jinja generates for `source`, with its line table at the end (template_errors.py reads it)."""
    return build_environment(Clock()).compile(source, raw=True)
