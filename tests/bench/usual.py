"""What the other side of the bench renders with: jinja2's own sandbox, as transformers builds it."""

from dataclasses import dataclass
from functools import cache

from jinja2 import Template
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from bench.corpus import tools
from thinkpane.engine.environment import Clock, build_environment
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.library import load
from thinkpane.tokens.changes import Change, change_of_chunks


@cache
def usual_template(name: str) -> Template:
    """A template of the library, compiled for jinja2's sandbox with jinja's own `namespace` and `dict`."""
    environment = build_environment(Clock(), ImmutableSandboxedEnvironment)
    environment.globals.update(namespace=Namespace, dict=dict)
    return environment.from_string(load(name).source)


@dataclass(frozen=True, slots=True)
class Printed:
    """A prompt as the program's worker has it: what the template printed, and the text of it."""

    chunks: list[str]
    text: str

    def change_from(self, last: "Printed") -> Change:
        """What differs, found as the worker does (engine/kept.py); it tells it with the text."""
        return change_of_chunks(last.chunks, self.chunks, len(self.text))


def printed(template: Template, talk: list[JsonValue]) -> Printed:
    """The prompt of a conversation with the bench's tools, as the program renders it."""
    chunks = [*template.generate(messages=talk, tools=tools(), documents=None, add_generation_prompt=True)]
    return Printed(chunks, "".join(chunks))


def prompt(template: Template, talk: list[JsonValue]) -> str:
    """The prompt of a conversation with the bench's tools."""
    return str(template.render(messages=talk, tools=tools(), documents=None, add_generation_prompt=True))
