"""The newest prompt's tokens, for every pane; and how many they are, exact or marked as an estimate."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_service import Encoded, TokenService
from thinkpane.templates import own
from thinkpane.templates.files import local_path
from thinkpane.templates.template import Template
from thinkpane.ui.bridge import PromptFeed

BYTES_PER_TOKEN: Final = 4
"""What English prose has in common vocabularies; other texts have less."""


class TokenFeed(QObject):
    """Follows the prompts with their tokens.

    Signals:
        told(str, str): how many tokens, "" where there is no prompt, and a hint.
        encoded(object): the Encoded of the newest prompt, in the window's thread.
    """

    told = Signal(str, str)
    encoded = Signal(object)
    _made = Signal(object)

    def __init__(self, prompts: PromptFeed) -> None:
        super().__init__()
        self._prompts = prompts
        self._asked: tuple[str, str] | None = None
        self._busy = False
        self._serial = -1
        self._current: Encoded | None = None
        self._made.connect(self._on_service_made, Qt.ConnectionType.QueuedConnection)
        self._service = TokenService(self._made.emit)
        prompts.changed.connect(self._on_prompts_changed)

    @property
    def current(self) -> Encoded | None:
        """The tokens of the newest prompt's text; None while they are still to come. Its encoding may be None."""
        return self._current

    @property
    def busy(self) -> bool:
        """True while the newest prompt's tokens are still to come, or to be confirmed."""
        return self._busy

    def close(self) -> None:
        """Ends the thread and the tokenizer."""
        self._service.close()

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        template = self._prompts.template
        asked = prompt.text, template.id
        if asked != self._asked:
            if self._asked is not None and asked[1] != self._asked[1]:
                # Another tokenizer may take seconds to load; the count by the one before says nothing any more.
                self.told.emit("", "")
            self._asked = asked
            self._busy = True
            self._current = None
            self._serial = prompt.serial
            self._service.ask(prompt, _beside(template))

    @Slot(object)
    def _on_service_made(self, found: Encoded) -> None:
        prompt = self._prompts.prompt
        if found.serial == self._serial:
            self._busy = found.encoding is not None and found.encoding.provisional
            self._current = found
            self.told.emit(*words(found, prompt))
            self.encoded.emit(found)


def _beside(template: Template) -> Path | None:
    """The template's file; None for those that are known by an id, pasted, or of elsewhere."""
    return None if template.built_in or own.is_own(template.id) else local_path(template.id)


def words(found: Encoded, prompt: Prompt) -> tuple[str, str]:
    """How many tokens a prompt has, and a hint of how that is known."""
    if not prompt.text:
        return "", ""
    if found.encoding is None:
        why = "no tokenizer lies beside the template" if found.problem is None else found.problem.message
        return f"≈ {estimate(prompt):,} tokens, an estimate", f"An estimate by its length: {why}"
    count = len(found.encoding.ids)
    sure = "joined, about to be confirmed" if found.encoding.provisional else "exact"
    hint = f"Encoded in {found.milliseconds:.1f} ms"
    return f"{count:,} token{'' if count == 1 else 's'}, {sure} ({found.title})", hint


def estimate(prompt: Prompt) -> int:
    """About how many tokens it is where no tokenizer is known: each special token, and the rest by its bytes."""
    special = [each for each in prompt.segments if each.special]
    rest = len(prompt.text.encode("utf-8", "surrogatepass")) - sum(each.end - each.start for each in special)
    return len(special) + -(-rest // BYTES_PER_TOKEN)
