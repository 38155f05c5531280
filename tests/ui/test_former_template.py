"""A prompt of the former template that is finished after a switch stands for nothing of the new one."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from support.fake_web import FakeWeb
from support.patience import PATIENCE
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.templates.edited import EditedTemplate
from thinkpane.ui.bridge import PromptFeed
from thinkpane.ui.template_feed import TemplateFeed
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState

STATE = DocumentState(template="chatml", conversation=Conversation((message("user", "Hi"),)))
SLOW = replace(STATE, template="", edited=EditedTemplate("slow {{ messages[0].content }}", {}))


class HeldEngine(Engine):
    """Renders as ever, but keeps the results of slow templates until they are let go."""

    def __init__(self) -> None:
        super().__init__(deadline=PATIENCE)
        self.rendered, self.let_go = threading.Event(), threading.Event()

    def render(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> Rendered:
        found = super().render(request, deadline, owner)
        if "slow" in request.source:
            self.rendered.set()
            assert self.let_go.wait(PATIENCE)
        return found


@pytest.fixture
def held() -> Iterator[HeldEngine]:
    found = HeldEngine()
    yield found
    found.let_go.set()
    found.close()


@pytest.mark.parametrize("by", ["choice", "new document"])
def test_it_is_not_shown(held: HeldEngine, tmp_path: Path, qtbot: QtBot, by: str) -> None:
    document = Document(SLOW)
    feed = PromptFeed(document, held, TemplateFeed(lambda: FakeWeb().reach(tmp_path)))
    texts: list[str] = []
    feed.changed.connect(lambda prompt: texts.append(prompt.text))
    try:
        feed.refresh()
        assert held.rendered.wait(PATIENCE)
        if by == "choice":
            document.change(STATE, ["template"], "test", "Choose template")
        else:
            document.new(STATE)
        held.let_go.set()
        qtbot.waitUntil(lambda: "<|im_start|>" in feed.prompt.text)
        assert not [each for each in texts if "slow" in each]
    finally:
        held.let_go.set()
        feed.close()
