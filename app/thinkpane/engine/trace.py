"""Owners of characters: renders a template so that each character of the prompt knows who wrote it.

The tracing environment is a second compilation of the same template in which text is `OwnedText`. Its text is always
compared with the plain render; where they differ, owners are dropped and that is said (docs/architecture.md).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jinja2.runtime import Context, Macro
from jinja2.sandbox import SandboxedFormatter

from thinkpane.engine.owned_filters import owning_filters
from thinkpane.engine.owned_format import braces, percent
from thinkpane.engine.owned_repr import text_of, texts_of
from thinkpane.engine.owned_text import OwnedText, Run, joined, runs_of
from thinkpane.engine.owned_values import Reads, owned
from thinkpane.engine.quick_access import QuickSandbox
from thinkpane.engine.trace_code import Lines, Place, PlacedLexer, TracingCode, template_text


class TracingEnvironment(QuickSandbox):
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
        self.filters.update(owning_filters(self.filters))
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
        text = text_of(value)
        runs = runs_of(text)
        if type(text) is OwnedText and all(run.line for run in runs):
            return text
        line, column = self._places[place]
        return OwnedText(text, [run if run.line else run._replace(line=line, column=column) for run in runs])

    def looked_up(self, _asked: None, value: Any) -> Any:
        """A value that is about to become text. None and truth values cannot know their path, but their read does."""
        path = self.reads.path_of_last(value)
        return value if path is None else OwnedText(str(value), [Run(len(str(value)), path)])

    def tilde(self, values: Iterable[Any]) -> OwnedText:
        """What `~` makes of its operands."""
        return texts_of(values)

    def modulo(self, left: Any, right: Any) -> Any:
        """`left % right`."""
        return percent(left, right) if type(left) is OwnedText else left % right

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
            text = sandboxed(*args, **kwargs)
            if type(value.__self__) is not OwnedText:
                return text
            given = (args, kwargs) if value.__name__ == "format" else ((), args[0])

            def filled(field: str) -> str:
                wrapped_again = super(TracingEnvironment, self).wrap_str_format(field.format)
                return wrapped_again(*given[0], **given[1]) if wrapped_again else ""

            return braces(
                value.__self__, text, filled, lambda name: SandboxedFormatter(self).get_field(name, *given)[0]
            )

        return owning
