"""Whatever a template does with its input, the text stays the plain one and each character keeps its owner."""

from typing import Any, cast

import pytest

from support.marked import check, marked_record
from support.records import DATA
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest

RECORD, MARKS = marked_record(
    {
        "messages": [
            {"role": "user", "content": " Two words & more\n\n<i>then</i> lines \r\nhere ", "name": "Ada", "n": 4},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "two, three"}],
            },
            {
                "role": "tool",
                "content": {"arguments": {"a key": 5, "quote": 'it\'s "x"'}, "set": {"on": True, "off": None}},
            },
        ],
        "tools": [{"function": {"name": "look", "parameters": {"properties": {"day": {"type": "string", "max": 9}}}}}],
        "documents": [],
        "variables": {"bos_token": "begin", "flag": True},
    }
)
OPERATIONS = (DATA / "operations.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("source", OPERATIONS)
def test_owners_survive(source: str, engine: Engine) -> None:
    request = RenderRequest(
        "{% set c = messages[0].content %}{% set n = messages[0].n %}\n" + source,
        RECORD["messages"],
        RECORD["tools"],
        RECORD["documents"],
        RECORD["variables"],
    )
    found = cast("dict[str, Any]", engine.trace(request))
    assert check(found, MARKS).faults == []
    assert check(found, MARKS).owned == len(found["text"]) > 0
