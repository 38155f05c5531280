"""Where a run's reply belongs: the document that was sent, and the messages that the reply became in it."""

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.fingerprint import fingerprint
from thinkpane.conversation.message_edits import set_reasoning
from thinkpane.conversation.messages import call_function
from thinkpane.streaming.transcript import Transcript
from thinkpane.workspace.document import Document


class ReplyPlace:
    """Made when a run starts, from the document that is open then.

    Whether the conversation holds the reply is asked of the conversation, so undo and redo need no word here.
    """

    def __init__(self, document: Document, answered: str | None = None) -> None:
        """answered: of an earlier run, the fingerprint of the conversation that it answered, "" where nobody knows it;
        None = the open one.
        """
        self.answered = answered
        self._is_accepted = answered is None
        self._document = document
        self._serial = document.serial
        self._name, self._has_file = document.name, document.path is not None
        self._reply = 0
        self._results: dict[int, int] = {}

    @property
    def words(self) -> str:
        """The document as sentences name it, told apart from the open one; as it was when another took its place."""
        if self.is_here:
            self._name, self._has_file = self._document.name, self._document.path is not None
        is_alike = not self.is_here and self._name == self._document.name
        if not self._has_file:
            return f"{'another' if is_alike else 'an'} untitled document"
        return f"another “{self._name}”" if is_alike else f"“{self._name}”"

    @property
    def is_here(self) -> bool:
        """Whether the document that was sent is still the open one."""
        return self._document.serial == self._serial

    @property
    def key(self) -> int:
        """The key of the message that the reply became last, 0 where it became none."""
        return self._reply

    @property
    def index(self) -> int | None:
        """Where the reply stands in the open conversation, None where it does not."""
        return self._index(self._reply, self._document.state.conversation)

    @property
    def given(self) -> frozenset[int]:
        """The calls (from 0) whose results the open conversation holds."""
        keys = {each.key for each in self._document.state.conversation.messages}
        return frozenset(place for place, key in self._results.items() if key in keys)

    @property
    def is_accepted(self) -> bool:
        """Whether the reply may stand in the open conversation: it answered that, it is there, or a person said so."""
        if not self._is_accepted and self.index is None:
            return self.answered == fingerprint(self._document.state.conversation)
        return True

    def accept(self) -> None:
        """A person says that the reply may stand in the open conversation."""
        self._is_accepted = True

    def with_reply(self, transcript: Transcript) -> tuple[Conversation, int]:
        """The open conversation with the reply, and where it stands; the reply is put last where it is not there."""
        talk = self._document.state.conversation
        index = self._index(self._reply, talk)
        if index is not None:
            return talk, index
        talk = edits.append_reply(talk, transcript.thinking, transcript.answer, transcript.tool_calls)
        self._reply = talk.messages[-1].key
        return talk, len(talk.messages) - 1

    def with_thinking(self, transcript: Transcript, thinking: str) -> tuple[Conversation, int]:
        """A copy of the open conversation in which the reply thinks that, and its index."""
        talk = self._document.state.conversation
        index = self._index(self._reply, talk)
        if index is not None:
            return edits.edit(talk, index, set_reasoning, thinking), index
        talk = edits.append_reply(talk, thinking, transcript.answer, transcript.tool_calls)
        return talk, len(talk.messages) - 1

    def took(self, talk: Conversation, index: int) -> None:
        """The open conversation is that copy now, the reply at that index."""
        self._reply = talk.messages[index].key

    def with_result(self, transcript: Transcript, call: int, result: str) -> tuple[Conversation, int]:
        """The same with the result of a call (from 0) behind the reply and the results that stand there; its index."""
        talk, index = self.with_reply(transcript)
        calls = talk.messages[index].tool_calls
        found = calls[call] if call < len(calls) else {}
        call_id, name = found.get("id"), call_function(found).get("name")
        talk = edits.append_tool_result(
            talk, call_id if isinstance(call_id, str) else "", name if isinstance(name, str) else "", result
        )
        self._results[call] = talk.messages[-1].key
        last = len(talk.messages) - 1
        to = index + 1
        while to < last and talk.messages[to].role == "tool":
            to += 1
        return edits.move(talk, last, to), to

    @staticmethod
    def _index(key: int, talk: Conversation) -> int | None:
        return next((place for place, each in enumerate(talk.messages) if each.key == key), None)
