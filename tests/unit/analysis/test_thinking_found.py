"""The thinking format of a template, found by rendering it."""

import pytest

from thinkpane.analysis.thinking_format import ThinkingFormat, thinking_format
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.templates import built_in


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("no thinking {{ messages[0].content }}", ThinkingFormat()),
        ("{{ raise_exception('never') }}", ThinkingFormat()),
        ("{{ messages", ThinkingFormat()),
    ],
)
def test_templates_without_thinking(engine: Engine, source: str, expected: ThinkingFormat) -> None:
    assert thinking_format(engine.render_many, RenderRequest(source, [])) == expected


@pytest.mark.parametrize(
    ("id", "tags"),
    [
        ("protium-1.0", ("<think>", "</think>")),
        ("glm-5.2", ("<think>", "</think>")),
        ("command-r7b", ("<|START_THINKING|>", "<|END_THINKING|>")),
        ("chatml", ("<think>", "</think>")),
        ("llama-3", None),
    ],
)
def test_built_in_templates(engine: Engine, id: str, tags: tuple[str, str] | None) -> None:
    template = built_in.load(id)
    request = RenderRequest(template.source, [], variables=template.variables)
    assert thinking_format(engine.render_many, request).tags == tags
