"""Owners of characters: renders a template so that each character of the prompt knows who wrote it.

The tracing environment is a second compilation of the same template in which text is `OwnedText`. Its text is always
compared with the plain render; where they differ, owners are dropped and that is said (DESIGN.md, What is promised 2).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

from jinja2.filters import do_join, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from thinkpane.engine.owned_json import traced_json
from thinkpane.engine.owned_text import OwnedText, Run, attributed, joined, path_of
from thinkpane.engine.owned_values import Reads, owned
from thinkpane.engine.trace_code import Lines, Place, PlacedLexer, TracingCode, template_text


class TracingEnvironment(ImmutableSandboxedEnvironment):
    """The environment of one traced template. `begin` must be called before each render."""

    code_generator_class = TracingCode
    concat = staticmethod(joined)

    def trace(self, source: str) -> None:
        """Makes this the environment of `source`; called once, before it is compiled."""
        self.optimized = False
        self.data: list[OwnedText] = []
        self._places: list[tuple[int, int]] = []
        self._lines = Lines(template_text(source))
        self._from_macro: object = None
        self._lexer = PlacedLexer(self)
        for name, function in list(self.filters.items()):
            self.filters[name] = _owning(function)
        self.filters["join"] = _join
        self.filters["tojson"] = _tojson_of(self.filters["tojson"])
        self.begin({})

    def begin(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Starts a render of what is `given`, with fresh logs; gives back the same with values that know their path."""
        self.reads = Reads()
        self.lines: set[int] = set()
        self._from_macro = None
        self._given = {name: owned(value, name, self.reads) for name, value in given.items()}
        return self._given

    @property
    def lexer(self) -> PlacedLexer:
        """The lexer whose tokens know their place."""
        return self._lexer

    def line_of(self, lineno: int) -> int:
        """The line of a node."""
        return self._place(lineno)[0]

    def keep_place(self, lineno: int) -> int:
        """The number under which the generated code names a place."""
        self._places.append(self._place(lineno))
        return len(self._places) - 1

    def keep_constant(self, value: str, lineno: int) -> int:
        """The number of a string constant of the template."""
        line, column = self._place(lineno)
        self.data.append(OwnedText(value, [Run(len(value), line=line, column=column)] if value else []))
        return len(self.data) - 1

    def keep_data(self, value: str, lineno: int) -> int:
        """The number of a stretch of literal template text; each of its lines is owned by itself."""
        offset = lineno.offset if isinstance(lineno, Place) else -1
        runs: list[Run] = []
        for piece in value.splitlines(keepends=True) if offset >= 0 else [value]:
            line, column = self._lines.place(offset) if offset >= 0 else (int(lineno), 1)
            runs.append(Run(len(piece), line=line, column=column))
            offset += len(piece)
        self.data.append(OwnedText(value, runs))
        return len(self.data) - 1

    def _place(self, lineno: int) -> tuple[int, int]:
        if isinstance(lineno, Place) and lineno.offset >= 0:
            return self._lines.place(lineno.offset)
        return int(lineno), 1

    def named(self, name: str, value: Any) -> Any:
        """A name that the template looked up; a variable that was given is read by this, one of its own is not."""
        if name in self._given and self._given[name] is value:
            self.reads.add(name, value)
        return value

    def ran(self, lines: Iterable[int]) -> None:
        """Notes that the statement on these lines was executed."""
        self.lines.update(lines)

    def printed(self, value: Any, place: int) -> OwnedText:
        """What `{{ value }}` prints; characters that have no line yet were printed here."""
        line, column = self._places[place]
        if type(value) is OwnedText:
            if all(run.line for run in value._runs):
                return value
            return OwnedText(
                value, [run if run.line else run._replace(line=line, column=column) for run in value._runs]
            )
        text = str(value)
        path = path_of(value) or self.reads.path_of_last(value)
        return OwnedText(text, [Run(len(text), path, line=line, column=column)] if text else [])

    def called(self, value: Any, place: int) -> Any:
        """The result of a call: what a macro printed went through the line that called it."""
        if value is not self._from_macro or type(value) is not OwnedText:
            return value
        self._from_macro = None
        via = self._places[place][0]
        return OwnedText(value, [run._replace(via=(*run.via, via)) for run in value._runs])

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Every call of the template."""
        result = super().call(__context, __obj, *args, **kwargs)
        if isinstance(__obj, Macro):
            __self._from_macro = result
        return result

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """`"…".format` as jinja's sandbox wraps it, its result owned by what was filled in."""
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None
        sandboxed = wrapped

        def owning(*args: Any, **kwargs: Any) -> str:
            return attributed(str.__str__(sandboxed(*args, **kwargs)), (*args, *kwargs.values(), value.__self__))

        return owning


def _owning(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose new texts keep the owners of what they were made of."""

    @wraps(function)
    def owning(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if type(result) is not str or not result:
            return result
        return attributed(
            result, [each for each in (*args, *kwargs.values()) if path_of(each) or type(each) is OwnedText]
        )

    return owning


@wraps(do_join)
def _join(eval_ctx: EvalContext, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> Any:
    if eval_ctx.autoescape:
        return do_join(eval_ctx, value, d, attribute)
    listed = list(value)
    if attribute is not None:
        listed = [*map(make_attrgetter(eval_ctx.environment, attribute), listed)]
    woven = [each for item in listed for each in (d, item)][1:]
    return joined(woven)


def _tojson_of(plain: Callable[..., Any]) -> Callable[..., Any]:
    def tojson(
        x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
    ) -> Any:
        text = str(plain(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys))
        return traced_json(x, text, ensure_ascii, indent, separators, sort_keys)

    return tojson
