"""Files of ranks (*.tiktoken) for tests."""

from base64 import b64encode
from collections.abc import Sequence

from support import vocabularies
from thinkpane.tokens.kinds.gguf import KIND


def ranks(tokens: Sequence[bytes]) -> bytes:
    """The file of tokens whose ranks are their numbers."""
    return b"".join(b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def ranks_of(name: str, count: int) -> bytes:
    """The first `count` tokens of a published GGUF vocabulary."""
    return ranks(KIND.load(vocabularies.file_of(name)).pieces()[:count])
