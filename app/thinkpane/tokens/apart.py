"""Ids of a prompt that is encoded piece by piece, some of them as plain text whatever tokens they spell.

Rule: transformers 5.24.0, `encode_marked_chat` and `_encode_chat_piece` (utils/chat_template_utils.py): each piece but
the first is encoded after a newline, whose ids are then taken away, so that nothing is put before its first word; where
they do not come back as they are alone, it is encoded without.
"""

from collections.abc import Sequence

from thinkpane.tokens.ids import Ids
from thinkpane.tokens.vocabulary import Vocabulary

NEWLINE = "\n"


def encode_apart(vocabulary: Vocabulary, pieces: Sequence[tuple[str, bool]]) -> list[Ids]:
    """The ids of each piece of a text: (text, whether it is plain text). None of the pieces is empty.

    Raises ThinkpaneError (kind "tokenizer") for half a surrogate pair.
    """
    if not pieces:
        return []
    (newline,) = vocabulary.encode([NEWLINE])
    found = [_piece(vocabulary, text, plain, newline) for text, plain in pieces]
    first, plain = pieces[0]
    if not plain:
        (found[0],) = vocabulary.encode([first])
    return found


def _piece(vocabulary: Vocabulary, text: str, plain: bool, newline: Ids) -> Ids:
    ids = _encoded(vocabulary, NEWLINE + text, plain)
    return ids[len(newline) :] if ids[: len(newline)] == newline else _encoded(vocabulary, text, plain)


def _encoded(vocabulary: Vocabulary, text: str, plain: bool) -> Ids:
    return vocabulary.encode_plain(text) if plain else vocabulary.encode([text])[0]
