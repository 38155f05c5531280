"""What the other side of the bench renders with: jinja2's own sandbox, as transformers builds it."""

from functools import cache

from jinja2 import Template
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from bench.corpus import tools
from thinkpane.engine.environment import Clock, build_environment
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.library import load


@cache
def usual_template(name: str) -> Template:
    """A template of the library, compiled for jinja2's sandbox with jinja's own `namespace` and `dict`."""
    environment = build_environment(Clock(), ImmutableSandboxedEnvironment)
    environment.globals.update(namespace=Namespace, dict=dict)
    return environment.from_string(load(name).source)


def prompt(template: Template, talk: list[JsonValue]) -> str:
    """The prompt of a conversation with the bench's tools."""
    return str(template.render(messages=talk, tools=tools(), documents=None, add_generation_prompt=True))
