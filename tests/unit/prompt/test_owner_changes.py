"""Counts of a difference by owner."""

import pytest

from support.services import PatientServices
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.prompt.diff import compare
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.owner_changes import owner_changes
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.tracer import traced
from thinkpane.templates.library import from_source

SOURCE = (
    "{% if tools %}T{{ tools[0].name }}\n{% endif %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n"
    "{% endfor %}{{ note }}"
)


@pytest.fixture(scope="module")
def services() -> "PatientServices":
    """One engine for these tests."""
    return PatientServices()


def made(services: PatientServices, *texts: str, **more: object) -> Prompt:
    variables = {"note": str(more.pop("note", ""))}
    talk = conversation_from_body({"messages": [{"role": "user", "content": each} for each in texts], **more})  # type: ignore[dict-item]
    job = PromptJob(from_source(SOURCE), talk, variables=variables)
    return traced(PromptMaker(services.engine).make(job), services.engine)


def test_counts_by_owner(services: PatientServices) -> None:
    try:
        one = made(services, "hello", "old words")
        other = made(services, "hello", "new words", "more", tools=[{"name": "get"}], note="end")
        found = owner_changes(compare(one.text, other.text), one, other)
    finally:
        services.close()
    assert found is not None
    assert [str(each) for each in found] == [
        "scaffolding +7",
        "tools +3",
        "message 2 (user) −3 +3",
        "message 3 (user) +8",
        "variables +3",
    ]


def test_nothing_is_told_without_owners() -> None:
    one, other = Prompt(text="a"), Prompt(text="b")
    assert owner_changes(compare("a", "b"), one, other) is None
