"""One engine for all template tests, and one short way to render a built-in template."""

from collections.abc import Callable, Iterator

import pytest

from support.patience import PATIENCE
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import library

Render = Callable[..., Rendered]
"""Renders a built-in template of an id with messages; further keywords are template variables."""


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A real engine; its deadline is long because a busy machine must not fail these tests."""
    found = Engine(deadline=PATIENCE)
    yield found
    found.close()


@pytest.fixture
def render(engine: Engine) -> Render:
    def rendered(
        id: str,
        messages: JsonValue,
        *,
        tools: list[JsonValue] | None = None,
        documents: list[JsonValue] | None = None,
        add_generation_prompt: bool = True,
        normalise: bool = True,
        **variables: JsonValue,
    ) -> Rendered:
        template = library.load(id)
        return engine.render(
            RenderRequest(
                source=template.source,
                messages=messages,
                tools=tools,
                documents=documents,
                variables={**template.variables, **variables},
                add_generation_prompt=add_generation_prompt,
                normalise=normalise,
            )
        )

    return rendered
