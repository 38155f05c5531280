"""A vocabulary that encodes: ids and bytes of the tokens of texts, exactly as the tokenizer it was loaded from."""

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokenizers import Tokenizer

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.tokens.byte_level import bytes_of
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.space_mark import marked_bytes

HALF = Problem("tokenizer", "The text holds half of a surrogate pair, which is no character: it has no tokens.")
"""Why a text that no encoding can write has no ids."""


@dataclass(frozen=True, slots=True)
class Added:
    """A token that is cut out of texts before anything else. whole: nothing beside it or inside it is changed.

    special: it controls a model, and does not merely stand for its text.
    """

    text: str
    id: int
    special: bool
    whole: bool


class Vocabulary:
    """One loaded tokenizer. It takes ids and offsets from the library and holds nothing of the texts."""

    def __init__(self, tokenizer: Tokenizer, title: str) -> None:
        """tokenizer: without truncation and padding, which a prompt never has. title: where it came from."""
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.title = title

    @property
    def size(self) -> int:
        """How many ids there are, added tokens among them."""
        highest = max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)
        return highest + 1

    @cached_property
    def added(self) -> tuple[Added, ...]:
        """The added tokens, in order of their ids."""
        found = self._tokenizer.get_added_tokens_decoder()
        normalizes = self._tokenizer.normalizer is not None
        return tuple(
            Added(
                each.content,
                id,
                each.special,
                whole=not (each.lstrip or each.rstrip or each.single_word or (each.normalized and normalizes)),
            )
            for id, each in sorted(found.items())
        )

    @cached_property
    def cuts(self) -> tuple[str, ...]:
        """The added tokens at which a text may be cut so that its parts, encoded apart, give the same ids; () = none.

        None where any added token takes white space from its neighbours, or where the first word of a text is encoded
        in another way than the same word after an added token. None either where
        two that overlap are looked for one after the other: those that a normalizer may touch come last.
        """
        if self._first_word_differs() or any(not each.whole for each in self.added) or self._overlaps():
            return ()
        return tuple(each.text for each in self.added if each.text)

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text by itself. Spelled special tokens become them; nothing is put before or after.

        Raises ThinkpaneError (kind "tokenizer") for half a surrogate pair.
        """
        # The batch form lets go of the interpreter's lock, `encode` does not.
        try:
            found = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        except TypeError:
            raise ThinkpaneError(HALF) from None
        return [array("I", each.ids) for each in found]

    def encode_plain(self, text: str) -> Ids:
        """The ids of a text of which no part is an added token, whatever it spells.

        Rule: transformers 5.24.0, `_encode_without_added_tokens`: normaliser, pre-tokenizer and model, one after
        another. Raises ThinkpaneError (kind "tokenizer") for half a surrogate pair.
        """
        made = self._tokenizer
        try:
            shaped = made.normalizer.normalize_str(text) if made.normalizer is not None else text
            words = made.pre_tokenizer.pre_tokenize_str(shaped) if made.pre_tokenizer is not None else [(shaped, None)]
            return array("I", (token.id for word, _ in words for token in made.model.tokenize(word)))
        except (TypeError, UnicodeEncodeError):
            raise ThinkpaneError(HALF) from None

    def offsets(self, text: str) -> tuple[Ids, list[tuple[int, int]]]:
        """The ids of one text and each token's place in it, in code points; parts of one character share its place.

        Raises ThinkpaneError (kind "tokenizer") for half a surrogate pair.
        """
        try:
            (found,) = self._tokenizer.encode_batch([text], add_special_tokens=False)
        except TypeError:
            raise ThinkpaneError(HALF) from None
        return array("I", found.ids), found.offsets

    def pieces(self) -> list[bytes]:
        """The bytes that each id stands for, by id; b"" where there is no such id."""
        found = [b""] * self.size
        added = {each.id: each.text.encode() for each in self.added}
        for token, id in self._tokenizer.get_vocab(with_added_tokens=True).items():
            found[id] = added[id] if id in added else self._bytes(token)
        return found

    def _bytes(self, token: str) -> bytes:
        return bytes_of(token) if self._is_byte_level else marked_bytes(token)

    @cached_property
    def _is_byte_level(self) -> bool:
        parts = (self._tokenizer.pre_tokenizer, self._tokenizer.decoder)
        return any("ByteLevel" in json.dumps(_state(part)) for part in parts)

    def _overlaps(self) -> bool:
        """True where a token that is looked for first shares letters with one that is looked for second."""
        found = self._tokenizer.get_added_tokens_decoder().values()
        first = {each.content for each in found if not each.normalized}
        second = {each.content for each in found if each.normalized}
        return bool(second) and (meet(first, second) or meet(second, first))

    def _first_word_differs(self) -> bool:
        state = json.dumps([_state(self._tokenizer.pre_tokenizer), _state(self._tokenizer.normalizer)])
        return '"prepend_scheme": "first"' in state


def _state(part: Any) -> Any:
    """What a part of a tokenizer is made of, as JSON values; the library shows it only so."""
    return json.loads(part.__getstate__()) if part is not None else None


def meet(left: set[str], right: set[str]) -> bool:
    """True where one of `left` ends as one of `right` begins, or holds it."""
    begins = {each[:size] for each in right for size in range(1, len(each) + 1)}
    ends = {each[at:] for each in left for at in range(len(each))}
    return bool(begins & ends) or any(each in other for each in right for other in left)
