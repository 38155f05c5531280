"""Which tokenizer a person chose by hand for which template, in one small JSON file of the state folder."""

from pathlib import Path
from typing import Final

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.workspace.atomic_file import read_file, write_atomically

MOST: Final = 200
"""Templates of which it is kept; those chosen for last."""


class TokenizerChoices:
    """The choices in `file`, read once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._chosen: dict[str, str] | None = None

    def of(self, template: str) -> str:
        """The REF of the tokenizer chosen for the template with this REF, "" = none was."""
        return self._known().get(template, "")

    def refs(self) -> list[str]:
        """All REFs that are chosen for some template, the last one first, each once."""
        return [*dict.fromkeys(reversed(self._known().values()))]

    def choose(self, template: str, ref: str) -> None:
        """Keeps a choice; "" takes it back. One for a text without a REF is forgotten with the program: it says nothing
        of the next such text.

        Raises ThinkpaneError (kind "file") where it cannot be written.
        """
        known = self._known()
        known.pop(template, None)
        if ref:
            known[template] = ref
        kept: JsonObject = {key: known[key] for key in [*known][-MOST:] if key}
        write_atomically(self._file, dump(kept).encode("utf-8"))

    def _known(self) -> dict[str, str]:
        if self._chosen is None:
            try:
                found = parse_bytes(read_file(self._file, at_most=1 << 20))
            except ThinkpaneError:
                found = {}
            pairs = found.items() if isinstance(found, dict) else ()
            self._chosen = {key: value for key, value in pairs if key and isinstance(value, str)}
        return self._chosen
