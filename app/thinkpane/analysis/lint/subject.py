"""What a check looks at: one template with one request, its render and all that is known of both."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from thinkpane.analysis.lint.traced import Traced
from thinkpane.engine.lint_values import Fact, Use
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.places import value_at
from thinkpane.templates.template import Template

# How jinja says that a value is missing: an attribute or key of an object, or a variable.
_MISSING = re.compile(r"has no attribute '([^']+)'|'([^']+)' is undefined")

PROBE: JsonValue = [{"role": "user", "content": "hi"}]
"""The conversation that a template is tried on where none is given."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One template and one request.

    facts: what stands in the template (engine/lint_values.py). request: what is rendered, after steps and profile.
    given: the conversation is the person's, not the probe. chosen: the names of the variables that the person set.
    target: the kind of the endpoint that the prompt goes to, "" = not known.
    trace: the render, None where it failed; problem: why it failed. uses: what it left unsaid (lint_run.py).
    tokens: the template's special tokens. params: what is sent besides the prompt.
    numbers: what to call each message, () = counted from 1.
    """

    template: Template
    facts: tuple[Fact, ...]
    request: RenderRequest
    given: bool = True
    chosen: frozenset[str] = frozenset()
    target: str = ""
    trace: Traced | None = None
    problem: Problem | None = None
    uses: tuple[Use, ...] = ()
    tokens: tuple[str, ...] = ()
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    numbers: tuple[int, ...] = ()

    @property
    def source(self) -> str:
        """The template's text."""
        return self.request.source

    @property
    def text(self) -> str:
        """The prompt, "" where there is none."""
        return self.trace.text if self.trace else ""

    @property
    def generates(self) -> bool:
        """Whether the prompt is meant to end where a new reply begins."""
        return self.request.add_generation_prompt is not False and not self.request.continue_final_message

    def of_kind(self, *kinds: str) -> Iterator[Fact]:
        """The facts of these kinds."""
        return (each for each in self.facts if each.kind in kinds)

    def names(self, kind: str) -> frozenset[str]:
        """The names of the facts of a kind."""
        return frozenset(each.name for each in self.of_kind(kind))

    def messages(self) -> list[tuple[int, JsonObject]]:
        """The person's messages that are objects, each with its index; none where `messages` is one text."""
        given = self.request.messages if self.given else None
        listed = given if isinstance(given, list) else []
        return [(index, each) for index, each in enumerate(listed) if isinstance(each, dict)]

    def number(self, index: int) -> int:
        """What sentences call a message of the request: the window counts those that are left out, too."""
        return self.numbers[index] if index < len(self.numbers) else index + 1

    def calls(self) -> Iterator[tuple[int, int, JsonObject]]:
        """Each tool call: its message's index, its own place, its {name, arguments} object."""
        for index, message in self.messages():
            calls = message.get("tool_calls")
            for place, call in enumerate(calls if isinstance(calls, list) else ()):
                if isinstance(call, dict):
                    function = call.get("function")
                    yield index, place, function if isinstance(function, dict) else call

    def missing(self) -> Fact | None:
        """The value whose absence made the render fail, None where something else did."""
        problem = self.problem
        if problem is None or problem.line is None:
            return None
        found = _MISSING.search(problem.message)
        if found is not None:
            name = found[1] or found[2]
            called = any(each.name == name and each.line == problem.line for each in self.of_kind("function"))
            return None if called else self.fact_at(name, problem.line)
        if "Undefined is not JSON serializable" in problem.message:
            return next(
                (each for each in self.of_kind("filter") if each.name == "tojson" and each.line == problem.line), None
            )
        return None

    def fact_at(self, name: str, line: int) -> Fact | None:
        """The attribute or variable of that name on a line, or on the nearest one: expressions may be long, and values
        may be read where they are kept under another name first."""
        named = [each for each in self.of_kind("attribute", "name") if each.name == name]
        return min(named, key=lambda each: (abs(each.line - line), each.line < line), default=None)

    def value_at(self, path: str) -> JsonValue:
        """The input at a path of the trace (`messages[0].content`, `bos_token`); None where there is none."""
        request = self.request
        given: JsonObject = {"messages": request.messages, "tools": request.tools, "documents": request.documents}
        return value_at({**request.variables, **given}, path)


def text_of(content: JsonValue) -> str:
    """The text of a message's content: itself, or its text parts one after another."""
    if isinstance(content, str):
        return content
    found = []
    for part in content if isinstance(content, list) else ():
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            found.append(text)
    return "".join(found)


def all_text(content: JsonValue) -> bool:
    """Whether the content is a list of text parts and nothing else."""
    return isinstance(content, list) and all(isinstance(part, dict) and part.get("type") == "text" for part in content)
