"""Run both in a window: a server with both paths, the replies of each, and what is shown of them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pytestqt.qtbot import QtBot

from support.path_server import PathServer, Step
from support.server import CHAT_END, chat_event
from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.profile import Endpoint
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.widgets.pair_panel import PairPanel
from thinkpane.workspace.state import DocumentState

OURS = "<|im_start|>user\nWell?<|im_end|>\n<|im_start|>assistant\n"
"""The prompt of the conversation, as the server makes it too unless told otherwise."""
TALK = Conversation((message("user", "Well?"),))
Make = Callable[[DocumentState], MainWindow]


def text_event(text: str, finish: str | None = None) -> bytes:
    """One event of a streamed text completion."""
    choice = {"index": 0, "text": text, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def chat_reply(answer: str) -> tuple[Step, ...]:
    """What the chat path answers."""
    return (chat_event(content=answer), CHAT_END)


def raw_reply(answer: str) -> tuple[Step, ...]:
    """What the raw path answers."""
    return (text_event(answer), text_event("", "stop"), b"data: [DONE]\n\n")


@contextmanager
def serving(chat: tuple[Step, ...], raw: tuple[Step, ...], theirs: str = OURS) -> Iterator[PathServer]:
    """A server with both paths that says of the prompt that it makes of the messages that it is `theirs`."""
    with PathServer(chat=chat, completions=raw) as server:
        server.json["/props"] = {"build_info": "b1"}
        server.json["/apply-template"] = {"prompt": theirs}
        yield server


def opened(
    make: Make, services: PatientServices, server: PathServer, params: JsonObject | None = None, path: str = "raw"
) -> MainWindow:
    """A window whose document goes to that server."""
    services.endpoints.put(Endpoint("here", "openai-chat", server.url))
    state = DocumentState(template="chatml", conversation=TALK, endpoint="here", path=path, params=params or {})
    return make(state)


def run_to_its_end(window: MainWindow, qtbot: QtBot) -> PairPanel:
    """Both runs to their ends, and what is said of the prompts."""
    window.session.run_both()
    return seen(window, qtbot)


def seen(window: MainWindow, qtbot: QtBot) -> PairPanel:
    """Waits until all is known of the pair."""
    both = window.session.both
    qtbot.waitUntil(lambda: not both.is_live and both.found is not None and both.found.parity is not None)
    panel = window.session_view.pair.panel
    assert panel is not None
    return panel


def answers(window: MainWindow) -> list[str]:
    """The answers that are shown, chat first."""
    found = []
    for side in window.session_view.pair.sides.values():
        pane = side.panes["answer"]
        assert isinstance(pane, AnswerPane)
        found.append(pane.text.text)
    return found
