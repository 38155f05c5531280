"""Every check of the registry keeps to its contract, whatever conversation it meets."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from support.conversations import CONVERSATIONS
from thinkpane.analysis import lint as room
from thinkpane.analysis.lint._api import Check
from thinkpane.analysis.lint._registry import SHARED, all_checks
from thinkpane.analysis.lint.findings import SEVERITIES
from thinkpane.analysis.lint.report import Question, lint
from thinkpane.analysis.lint.subject import Subject
from thinkpane.analysis.lint.traced import Traced
from thinkpane.conversation.conversation import Conversation
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem
from thinkpane.templates.library import from_source

CHECKS = list(all_checks().values())
IDS = sorted({id for check in CHECKS for id in check.ids})
SOURCE = (
    "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{% if '/think' in m.content %}<think>{% endif %}"
    "{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_a_check_names_itself_and_its_ids(check: Check) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", check.name)
    assert check.ids
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", id) for id in check.ids)


def test_every_file_is_a_check_or_shared() -> None:
    files = {path.stem for path in Path(room.__path__[0]).glob("*.py") if not path.stem.startswith("_")}
    assert {name.replace("-", "_") for name in all_checks()} == files - set(SHARED)


def test_no_two_checks_have_the_same_id() -> None:
    assert len(IDS) == sum(len(check.ids) for check in CHECKS)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONVERSATIONS)
def test_no_check_raises_for_a_strange_conversation(conversation: Conversation) -> None:
    request = RenderRequest(SOURCE, conversation.messages_value(), conversation.tools_value())
    template = from_source(SOURCE)
    for trace, problem in ((Traced(str(request.messages)), None), (None, Problem("template", "no", 1))):
        subject = Subject(template, (), request, trace=trace, problem=problem)
        for check in CHECKS:
            answers = {label: Rendered("another prompt") for label in check.ask(subject)}
            for finding in check.find(subject, answers):
                assert finding.id in check.ids
                assert finding.severity in SEVERITIES
                json.dumps(finding.as_json())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONVERSATIONS)
def test_every_conversation_is_checked(engine: Engine, conversation: Conversation) -> None:
    request = RenderRequest(SOURCE, conversation.messages_value(), conversation.tools_value())
    for finding in lint(Question(from_source(SOURCE), request), engine):
        assert finding.id in IDS
        assert finding.summary.endswith((".", "”", ":", "!", "?", "…")) or finding.severity == "error"
        assert finding.why.endswith(".")
