"""What a server's tokenizer is: how one kind of server is asked for the tokens of a text, and how it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.ids import Ids


@dataclass(frozen=True, slots=True)
class ServerTokens:
    """ids: of the whole text. pieces: the bytes of each, () where the server does not tell them."""

    ids: Ids
    pieces: tuple[bytes, ...] = ()


class ServerKind(Protocol):
    """One kind. A file in this folder holds one, as its public constant `SERVER`."""

    @property
    def name(self) -> str:
        """The kind's name, for lists: "llamacpp", "vllm", …"""

    @property
    def order(self) -> int:
        """Which one is tried first: the lowest."""

    @property
    def path(self) -> str:
        """Where its tokenizer is, below the server's address."""

    def body(self, text: str, model: str, *, special: bool = True) -> JsonObject:
        """What is sent for `text`; model: "" = the server has one. special: special tokens are taken for such.

        Nothing is put before or after the text.
        """

    def read(self, answer: JsonObject, text: str) -> ServerTokens | None:
        """The tokens in the answer for `text`; None where it is no answer of this kind."""

    @property
    def tells_special(self) -> bool:
        """Whether `special` = False is heeded, which shows what is a special token."""

    @property
    def decoding_path(self) -> str:
        """Where ids are made text again, below the server's address, where it tells no pieces; "" = nowhere."""

    def decoding_body(self, lists: Sequence[Sequence[int]], model: str) -> JsonObject:
        """What is sent for the texts of lists of ids, each by itself, special tokens among them."""

    def read_decoded(self, answer: JsonObject) -> list[str]:
        """The texts in the answer, a list's each; fewer where it is no answer of this kind."""
