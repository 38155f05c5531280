"""One message of the open document, known by its key: what a card reads it by, and how it changes it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate, ParamSpec

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message
from thinkpane.workspace.document import Document
from thinkpane.workspace.drafts import DraftPlace, DraftSlot

P = ParamSpec("P")
BY = "messages"


class MessageLink:
    """The message `key` of `document`. When it is gone, edits do nothing."""

    def __init__(self, document: Document, key: int) -> None:
        self._document = document
        self.key = key

    @property
    def index(self) -> int | None:
        """Its index from 0, None when it is gone."""
        messages = self._document.state.conversation.messages
        return next((place for place, each in enumerate(messages) if each.key == self.key), None)

    @property
    def count(self) -> int:
        """How many messages the conversation has."""
        return len(self._document.state.conversation.messages)

    @property
    def message(self) -> Message | None:
        """The message as it is now, None when it is gone."""
        index = self.index
        return None if index is None else self._document.state.conversation.messages[index]

    def edit(
        self, label: str, change: Callable[Concatenate[Message, P], Message], *args: P.args, **named: P.kwargs
    ) -> None:
        """Puts `change(message, …)` in its place, as a step of its own. Raises what `change` raises."""
        self._edit(label, "", lambda message: change(message, *args, **named))

    def keystroke(
        self,
        label: str,
        field: str,
        change: Callable[Concatenate[Message, P], Message],
        *args: P.args,
        **named: P.kwargs,
    ) -> None:
        """Like `edit`, for keystrokes: what follows quickly in the same `field` becomes one undo step."""
        self._edit(label, f"{self.key}:{field}", lambda message: change(message, *args, **named))

    def restructure(self, label: str, change: Callable[[Conversation, int], Conversation]) -> None:
        """Puts `change(conversation, index)` in place of the whole conversation."""
        index = self.index
        if index is not None:
            state = self._document.state
            new = replace(state, conversation=change(state.conversation, index))
            self._document.change(new, ["messages"], BY, label)

    def draft_slot(self, field: Callable[[], str]) -> DraftSlot:
        """Where the draft of a field is kept that is edited as JSON; `field` says which one that is now."""
        return DraftSlot(self._document.drafts, lambda: DraftPlace("messages", self.key, field()))

    def undo(self) -> None:
        """Takes the document's last step back."""
        self._document.undo()

    def redo(self) -> None:
        """Does the document's last undone step again."""
        self._document.redo()

    def _edit(self, label: str, merge: str, change: Callable[[Message], Message]) -> None:
        index = self.index
        if index is not None:
            state = self._document.state
            new = replace(state, conversation=edits.edit(state.conversation, index, change))
            self._document.change(new, ["messages"], BY, label, merge)
