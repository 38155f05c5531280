"""Servers that answer, or fail, when whoever asked is gone: nothing is told, and no thread ends in a fault."""

import threading
from collections.abc import Callable
from typing import NoReturn

import pytest
import shiboken6
from PySide6.QtCore import QObject

from support.patience import PATIENCE
from support.services import PatientServices
from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.endpoint_questions import EndpointQuestions
from thinkpane.ui.model_lists import ModelLists

ENDPOINT = Endpoint("late", "openai-chat", "http://127.0.0.1:9/v1", model="m")


def models(services: PatientServices) -> QObject:
    lists = ModelLists(services)
    lists.ask(ENDPOINT, None)
    return lists


def endpoint(services: PatientServices) -> QObject:
    questions = EndpointQuestions(services)
    questions.ask(ENDPOINT, None)
    return questions


@pytest.mark.parametrize("ask", [models, endpoint])
def test_a_server_that_fails_after_the_window_is_gone(
    ask: Callable[[PatientServices], QObject], services: PatientServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_fail = threading.Event(), threading.Event()
    faults: list[object] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)

    def fail(*_: object, **_named: object) -> NoReturn:
        asked.set()
        may_fail.wait(PATIENCE)
        raise ThinkpaneError(Problem("network", "There is no such server."))

    monkeypatch.setattr("thinkpane.endpoints.models.models", fail)
    monkeypatch.setattr("thinkpane.endpoints.server_kind.server_kind", fail)
    asker = ask(services)
    assert asked.wait(PATIENCE)
    threads = [each for each in threading.enumerate() if each.name in ("models", "endpoint")]
    assert threads
    shiboken6.delete(asker)
    may_fail.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert faults == []
