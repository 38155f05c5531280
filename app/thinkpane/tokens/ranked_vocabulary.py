"""Makes a tokenizer of a file of ranks (*.tiktoken): a line a token, its bytes as base64 and its rank, which is its id.

With the package `tiktoken` (the extra "openai") texts are encoded by it, some ten times as fast; without it by
`tokenizers`, from merges that stand for the same ranks. Both give the same ids.
"""

from array import array
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.tokens.byte_level import letters
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.ranked_forms import RankedForm, ranked_forms
from thinkpane.tokens.vocabulary import HALF, Vocabulary

if TYPE_CHECKING:
    from tiktoken import Encoding as Engine


def holds_ranks(data: bytes) -> bool:
    """True where the first line is a token and its rank."""
    return _rank(data[:4096].partition(b"\n")[0]) is not None


def ranked_vocabulary(data: bytes, path: Path) -> Vocabulary:
    """The vocabulary of a file's bytes; `path` tells by its name, else its size, which one it is.

    Raises ThinkpaneError (kind "tokenizer") for a broken file, and one of which it is not known how it cuts texts.
    """
    ranks = _ranks(data)
    form = _form(path.name, len(ranks))
    try:
        made = Tokenizer(models.BPE(_vocabulary(ranks, form), _merges(ranks), ignore_merges=True))
    except Exception as fault:  # noqa: BLE001 - the library raises plain Exception
        raise _problem(str(fault)) from None
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(form.pattern), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    if form.normalised:
        made.normalizer = normalizers.NFC()
    made.add_special_tokens([AddedToken(text, normalized=False) for text in form.special])
    engine = None if form.normalised else _engine(ranks, form)
    return Vocabulary(made, str(path)) if engine is None else QuickVocabulary(made, str(path), engine)


class QuickVocabulary(Vocabulary):
    """The same tokenizer twice: texts are encoded by the quick one, everything else comes from the other."""

    def __init__(self, tokenizer: Tokenizer, title: str, engine: "Engine") -> None:
        super().__init__(tokenizer, title)
        self._engine = engine

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """See Vocabulary.encode."""
        try:
            # The engine would put U+FFFD in the place of half a surrogate pair, and say nothing.
            for text in texts:
                text.encode()
        except UnicodeEncodeError:
            raise ThinkpaneError(HALF) from None
        return [array("I", self._engine.encode(text, allowed_special="all")) for text in texts]


def _engine(ranks: Mapping[bytes, int], form: RankedForm) -> "Engine | None":
    try:
        from tiktoken import Encoding
    except ImportError:
        return None
    return Encoding(form.name, pat_str=form.pattern, mergeable_ranks={**ranks}, special_tokens={**form.special})


def _form(name: str, count: int) -> RankedForm:
    forms = ranked_forms().values()
    found = next((each for each in forms if name in each.files), None)
    found = found or next((each for each in forms if each.ranks == count), None)
    if found is None:
        known = ", ".join(ranked_forms())
        raise _problem(f"how “{name}”, with {count:,} tokens, cuts texts into words is not known ({known} are)")
    return found


def _vocabulary(ranks: Mapping[bytes, int], form: RankedForm) -> dict[str, int]:
    return {_spelled(token): rank for token, rank in ranks.items()} | dict(form.special)


def _merges(ranks: Mapping[bytes, int]) -> list[tuple[str, str]]:
    """Every pair of tokens that makes a third, those of the lowest rank first: ranks alone tell what is merged."""
    found = []
    for token, rank in ranks.items():
        for cut in range(1, len(token)):
            left, right = ranks.get(token[:cut]), ranks.get(token[cut:])
            if left is not None and right is not None:
                found.append((rank, left, right, token, cut))
    found.sort()
    return [(_spelled(token[:cut]), _spelled(token[cut:])) for _, _, _, token, cut in found]


def _spelled(token: bytes) -> str:
    return token.decode("latin-1").translate(letters())


def _problem(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tokenizer", f"The file of ranks gives no tokenizer: {why}."))


def _ranks(data: bytes) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if line:
            pair = _rank(line)
            if pair is None:
                raise _problem(f"its line {number} is no token with its rank")
            found[pair[0]] = pair[1]
    return found


def _rank(line: bytes) -> tuple[bytes, int] | None:
    text, _, rank = line.partition(b" ")
    try:
        return (b64decode(text, validate=True), int(rank)) if text and rank.isdigit() else None
    except Base64Error:
        return None
