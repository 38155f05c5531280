"""The filled document a new user sees."""

import json
from collections.abc import Callable

from thinkpane import resources
from thinkpane.engine.request import Rendered

Render = Callable[..., Rendered]


def test_the_first_document_renders_in_the_tier_its_tag_asks_for(render: Render) -> None:
    found = json.loads(resources.read_text("samples/first.thinkpane.json"))
    assert (found["thinkpane"], found["template"], found["endpoint"], found["path"]) == (
        1,
        "protium-1.0",
        "demo",
        "raw",
    )
    assert found["messages"][1]["content"].startswith(
        "[L3] Fix the off-by-one in my loop, then check the weather in Graz."
    )
    text = render(found["template"], found["messages"], tools=found["tools"], **found["variables"]).text
    assert text is not None
    assert "Reasoning effort: Artemis — [L3]" in text
    assert '{"name": "get_weather"' in text
    assert text.endswith("```<|assistant|><think>")
