"""What the child that analyses large prompts can do (analyst.py). Imported only there."""

import os
from collections.abc import Mapping
from typing import cast

from thinkpane.analysis.analyst import Job
from thinkpane.analysis.effect_maker import EffectMaker
from thinkpane.analysis.effects import EffectQuestion
from thinkpane.analysis.lint.report import Question, lint
from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.engine.host import Engine, Ticket

NICE = 5
"""How far it stands back behind the window and the renders that people wait for."""


def analyst_jobs(engine: Engine) -> Mapping[str, Job]:
    """effects: an EffectQuestion, answered by an EffectAnswer. lint: (Question, seconds), answered by its findings."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    maker = EffectMaker(engine, ThinkingFormats(engine.render_many))

    def effects(question: object, ticket: Ticket) -> object:
        return maker.make(cast("EffectQuestion", question), ticket)

    def linted(question: object, ticket: Ticket) -> object:
        asked, deadline = cast("tuple[Question, float]", question)
        return lint(asked, engine, deadline, ticket)

    return {"effects": effects, "lint": linted}
