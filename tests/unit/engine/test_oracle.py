"""Rendering is what transformers does: its own recorded answers, tricky requests first."""

import json
from typing import Any

import pytest

from support.records import DATA
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest

RECORDS: list[dict[str, Any]] = json.loads((DATA / "oracle" / "renders.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda each: str(each["name"]))
def test_render_is_what_transformers_gave(record: dict[str, Any], engine: Engine) -> None:
    rendered = engine.render(
        RenderRequest(
            record["template"],
            record["messages"],
            record.get("tools"),
            record.get("documents"),
            record["kwargs"],
            record["add_generation_prompt"],
            record["continue_final_message"],
        )
    )
    assert rendered.text == record.get("text")
    if "error" in record:
        assert rendered.problem is not None
        assert record["error"]["contains"] in rendered.problem.message
        # Where it raises no error of Jinja's or of the template's, the fault is the request's own.
        assert rendered.problem.kind == ("template" if record["error"]["contains"] or is_refusal(record) else "request")


def is_refusal(record: dict[str, Any]) -> bool:
    """The sandbox's refusals, whose words are ours."""
    return bool(record["error"]["class"] == "SecurityError")
