"""The newest prompt's tokens, for every pane; and how many they are, exact or marked as an estimate."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.shared_tokenizers import SharedTokenizers
from thinkpane.prompt.token_service import Encoded, TokenService
from thinkpane.prompt.tokenizer_refs import beside, lies_elsewhere
from thinkpane.templates.files import is_there, near_path
from thinkpane.tokens.encoding import Encoding, Place
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.kinds._registry import kind_for
from thinkpane.ui.bridge import PromptFeed
from thinkpane.ui.models.wire_text import counted
from thinkpane.workspace.tokenizer_choices import TokenizerChoices

if TYPE_CHECKING:
    from thinkpane.templates.reach import Reach


LOOK_AGAIN = 1000
"""Milliseconds after a key until the template's folder is looked into again."""


class TokenFeed(QObject):
    """Follows the prompts with their tokens.

    Signals:
        told(str, str): how many tokens, "" where there is no prompt, and a hint.
        encoded(object): the Encoded of the newest prompt, in the window's thread.
        placed(): `places` and its kin know more than before: what was shown by them may be shown anew.
    """

    told = Signal(str, str)
    encoded = Signal(object)
    placed = Signal()
    _made = Signal(object)

    def __init__(
        self, prompts: PromptFeed, reach: "Callable[[], Reach] | None" = None, choices: TokenizerChoices | None = None
    ) -> None:
        """reach: how tokenizers on the network are reached; called in a thread of the feed's own.

        choices: the tokenizers that a person chose by hand; None = there are none, and none can be kept.
        """
        super().__init__()
        self._prompts = prompts
        self._choices = choices
        self._asked: tuple[str, str] | None = None
        self._beside = ("", "")
        self._look = QTimer(self, singleShot=True, interval=LOOK_AGAIN)
        self._look.timeout.connect(self._on_look_timeout)
        self._busy = False
        self._serial = -1
        self._current: Encoded | None = None
        self._made.connect(self._on_service_made, Qt.ConnectionType.QueuedConnection)
        self.tokenizers = SharedTokenizers()
        """The loaded vocabularies, for whatever else encodes texts in this window."""
        self._service = TokenService(self._made.emit, self.placed.emit, reach, self.tokenizers)
        prompts.changed.connect(self._on_prompts_changed)

    @property
    def chosen(self) -> str:
        """The REF of the tokenizer that was chosen by hand for the template; "" = it is found by itself."""
        return self._choices.of(self._prompts.template.id) if self._choices is not None else ""

    @property
    def found(self) -> str:
        """The REF of the tokenizer that the template has by itself, "" = none.

        One on the network is none before a person chose that template: a document's REF alone sends nothing there.
        """
        ref = self._looked_beside(self._prompts.template.id)
        return "" if lies_elsewhere(ref) and not self._prompts.templates.is_chosen(ref) else ref

    def _looked_beside(self, id: str) -> str:
        """What lies beside a template; its folder is not looked into again at each key."""
        if self._beside[0] != id:
            self._beside = id, beside(id)
        return self._beside[1]

    def _on_look_timeout(self) -> None:
        """A tokenizer may have been put beside the template meanwhile, or gone."""
        id = self._prompts.template.id
        found = id, beside(id)
        if found != self._beside:
            self._beside = found
            self._on_prompts_changed(self._prompts.prompt)

    @property
    def chosen_before(self) -> list[str]:
        """The REFs of tokenizers that were chosen by hand for any template, the last one first."""
        return self._choices.refs() if self._choices is not None else []

    def choose(self, ref: str) -> None:
        """Takes the tokenizer of a REF for the template from now on; "" = the one that is found by itself.

        Raises ThinkpaneError (kind "file") where that cannot be kept; it holds all the same until the window closes.
        """
        try:
            if self._choices is not None:
                self._choices.choose(self._prompts.template.id, ref)
        finally:
            self._on_prompts_changed(self._prompts.prompt)

    @property
    def current(self) -> Encoded | None:
        """The tokens of the newest prompt's text; None while they are still to come. Its encoding may be None."""
        return self._current

    @property
    def busy(self) -> bool:
        """True while the newest prompt's tokens are still to come, or to be confirmed."""
        return self._busy

    @property
    def file(self) -> Path | None:
        """The tokenizer's file for the template at hand, None = there is none, or it is on the network."""
        ref = self.chosen or self.found
        path = near_path(ref)
        found = kind_for(path) if path is not None and is_there(path) else None
        return found[1] if found is not None else None

    def places(self, first: int, last: int) -> list[Place]:
        """The places of the tokens [first, last) of `current` in code points; none where it has no encoding.

        Never waits. Where a normaliser changed the text, tokens have the place of their whole segment until `placed`.
        """
        encoding = self._encoding
        return encoding.places(first, last, self.ask) if encoding is not None else []

    def token_at(self, position: int) -> int | None:
        """The token of `current` that holds the code point (Encoding.token_at); None without an encoding. Never waits,
        as `places`."""
        encoding = self._encoding
        return encoding.token_at(position, self.ask) if encoding is not None else None

    def count(self, start: int, end: int) -> int | None:
        """How many tokens of `current` begin in the code points [start, end); None without an encoding. Never waits,
        as `places`."""
        encoding = self._encoding
        return encoding.count(start, end, self.ask) if encoding is not None else None

    def ask(self, text: str) -> Sequence[Place] | None:
        """What Encoding.places and its kin ask: never waits, None = not known yet; `placed` tells when it is."""
        return self._service.places.ask(text)

    def apart(self, pieces: Sequence[tuple[str, bool]]) -> list[Ids] | None:
        """TokenService.apart, for other threads than the window's."""
        return self._service.apart(pieces)

    @property
    def _encoding(self) -> Encoding | None:
        return self._current.encoding if self._current is not None else None

    def close(self) -> None:
        """Ends the thread and the tokenizer."""
        self._look.stop()
        self._service.close()

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if not self._look.isActive():
            self._look.start()
        asked = prompt.text, self.chosen or self.found
        if asked != self._asked:
            another = self._asked is not None and asked[1] != self._asked[1]
            self._asked = asked
            self._busy = True
            self._current = None
            self._serial = prompt.serial
            if another:
                # It may take seconds to load; the count by the one before says nothing any more.
                self.told.emit("", "")
            self._service.ask(prompt, asked[1])

    @Slot(object)
    def _on_service_made(self, found: Encoded) -> None:
        prompt = self._prompts.prompt
        if found.serial == self._serial:
            self._busy = found.encoding is not None and found.encoding.provisional
            self._current = found
            self.told.emit(*words(found, prompt))
            self.encoded.emit(found)


def words(found: Encoded, prompt: Prompt) -> tuple[str, str]:
    """How many tokens a prompt has, and a hint of how that is known."""
    if not prompt.text:
        return "", ""
    if found.encoding is None:
        failed = "; the tokenizer cannot be used" if found.problem is not None else ""
        why = "no tokenizer belongs to the template" if found.problem is None else found.problem.message
        return (
            f"≈ {counted(found.estimated, 'token', 'tokens')}, an estimate{failed}",
            f"An estimate by its length: {why}",
        )
    count = len(found.encoding.ids)
    sure = "joined, about to be confirmed" if found.encoding.provisional else "exact"
    hint = f"Encoded in {found.milliseconds:.1f} ms"
    return f"{count:,} token{'' if count == 1 else 's'}, {sure} ({found.title})", hint
