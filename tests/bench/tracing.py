"""Owners at 32k tokens: a traced render beside the plain one, in the same worker and the same run, for three templates.

The traced one compares itself with a plain render first, so its cost holds that one too; what is told is the whole
way from the request to owners that can be asked.
"""

from statistics import median
from typing import cast

from PySide6.QtWidgets import QApplication

from bench.corpus import conversation, tools
from bench.figures import Figure
from bench.keystroke import CHARACTERS, MESSAGES, timed
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.engine.host import Engine
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.owners import Owners, owners_from_columns
from thinkpane.templates.library import load

ROUNDS = 9
TEMPLATES = ("chatml", "protium-1.0", "command-r7b")


def measure(_application: QApplication) -> list[Figure]:
    """A figure for each template: traced over plain."""
    engine = Engine(deadline=30)
    try:
        return [_measured(engine, each) for each in TEMPLATES]
    finally:
        engine.close()


def _measured(engine: Engine, name: str) -> Figure:
    talk = conversation_from_body({"messages": conversation(MESSAGES, CHARACTERS, called=0.0), "tools": tools()})
    request = prepare(PromptJob(load(name), talk)).request
    plain: list[float] = []
    traced: list[float] = []

    def owners() -> tuple[str, Owners]:
        found = engine.owners(request)
        text = cast("str", found["text"])
        return text, owners_from_columns(cast("JsonObject", found["columns"]), len(text))

    for _ in range(ROUNDS):
        rendered, milliseconds = timed(lambda: engine.render(request))
        plain.append(milliseconds)
        (text, _), milliseconds = timed(owners)
        traced.append(milliseconds)
        assert text == rendered.text, "both must render the same prompt"
    size = f"{len(text) // 1000} kB"
    return Figure(f"owners at 32k tokens ({name}, {size}): traced over plain", median(plain), median(traced))
