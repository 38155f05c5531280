"""The replies that became messages of a conversation in this session, as they came."""

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from thinkpane.analysis.generated import Reply
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.errors import ThinkpaneError

if TYPE_CHECKING:
    from thinkpane.runs.run import Run

MOST: Final = 200
"""Replies that are kept, the latest ones."""


class KeptReplies:
    """By the key of the message that each became. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[int, tuple[Reply, Run | None]] = {}

    def keep(self, key: int, run: "Run") -> None:
        """The run's reply became the message of that key."""
        came = run.transcript
        (message,) = edits.append_reply(Conversation(), came.thinking, came.answer, came.tool_calls).messages
        with self._lock:
            self._kept[key] = Reply(message, run.prompt), run
            while len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]

    def reply(self, key: int) -> Reply | None:
        """The reply that became that message; reads its bytes once, which may take a while for megabytes."""
        with self._lock:
            reply, run = self._kept.get(key) or (None, None)
        if reply is None or run is None:
            return reply
        whole = replace(reply, text=completion(run))
        with self._lock:
            # The bytes are not needed any more.
            if key in self._kept:
                self._kept[key] = whole, None
        return whole


def completion(run: "Run") -> str | None:
    """The characters that the model wrote behind the prompt, marks of thinking among them; None where they are not
    known: a server that was sent messages parts them itself, or writes the prompt itself."""
    from thinkpane.endpoints.dialects._api import DecodeOptions
    from thinkpane.runs.rereading import reread

    if run.how is None or run.how.dialect.path != "raw":
        return None
    try:
        read = reread(run, replace(run.how, options=DecodeOptions(think_tags=())))
    except ThinkpaneError:
        return None
    found = read.transcript
    return found.answer if not found.thinking_blocks and not found.tool_calls else None
