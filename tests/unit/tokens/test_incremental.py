"""After every edit the ids are those of the whole text, whatever was typed and wherever."""

from array import array
from collections.abc import Sequence

import pytest

from support import vocabularies
from support.edits import STEADY, tried
from support.small_vocabularies import byte_pairs, normalising
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.tokens.changes import Change, change_between
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.kinds.gguf import KIND
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.vocabulary import Vocabulary

PUBLISHED = ("qwen2", "qwen2 after NFC", "llama-bpe", "command-r", "deepseek-llm", "gemma-4", "gpt-2", "llama-spm")

AFTER_NFC = " after NFC"


def published(name: str) -> Vocabulary:
    file = vocabularies.file_of(name.removesuffix(AFTER_NFC))
    if not file.exists():
        pytest.skip(vocabularies.MISSING)
    found = KIND.load(file)
    return normalising(found) if name.endswith(AFTER_NFC) else found


def exact(vocabulary: Vocabulary, edits: int, seed: int) -> None:
    for long in (False, True):
        found = tried(vocabulary, edits, seed, long)
        assert found.edits == edits
        assert found.wrong == []
        assert found.misplaced == 0
        assert found.differing == 0
        # SentencePiece puts a space before each text, so no window spells its text: each segment is encoded whole.
        assert bool(found.windows) is (long and "llama-spm" not in vocabulary.title)


@pytest.mark.parametrize("nfc", [False, True])
def test_ids_are_exact_with_special_tokens_that_overlap(nfc: bool) -> None:
    found = tried(byte_pairs(nfc=nfc), 600, 3, long=False)
    assert (found.edits, found.wrong, found.misplaced) == (600, [], 0)


def test_ids_are_exact_inside_a_huge_segment() -> None:
    exact(byte_pairs(("<|im_start|>", "<|im_end|>")), 60, 4)


def test_without_cuts_the_whole_text_is_encoded_each_time() -> None:
    found = tried(byte_pairs(()), 60, 5, long=False)
    assert (found.edits, found.wrong, found.misplaced, found.windows) == (60, [], 0, 0)


@pytest.mark.parametrize("name", PUBLISHED)
def test_ids_of_published_vocabularies_are_exact(name: str) -> None:
    exact(published(name), 10, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", PUBLISHED)
def test_ids_of_published_vocabularies_are_exact_over_many_edits(name: str) -> None:
    exact(published(name), 600, 2)


class Counting:
    """A vocabulary's `encode` that notes what it was asked for, and can fail."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.asked: list[str] = []
        self.fails = False

    def __call__(self, texts: Sequence[str]) -> list[Ids]:
        if self.fails:
            raise ThinkpaneError(Problem("timeout", "It took too long."))
        self.asked += texts
        return self._vocabulary.encode(texts)


def counted() -> tuple[IncrementalEncoder, Counting, Vocabulary]:
    vocabulary = byte_pairs(("<|im_start|>", "<|im_end|>"))
    counting = Counting(vocabulary)
    return IncrementalEncoder(vocabulary.cuts, pieces_of(vocabulary.pieces()), counting), counting, vocabulary


def test_what_somebody_knows_of_a_change_is_taken() -> None:
    encoder, counting, vocabulary = counted()
    unrelated = "<|im_start|>b<|im_end|>"
    first = "<|im_start|>some words<|im_end|>" * 3
    encoder.update(first)
    for number, second in enumerate((first.replace("words", "other words", 1), first[5:], "", first)):
        known = change_between(first, second)
        # What is told of another text than the last one says nothing.
        found = encoder.update(second, first, known) if number % 2 else encoder.update(second, unrelated, Change(0, 0))
        assert [found.ids] == vocabulary.encode([second])
        first = second
    counting.asked.clear()
    encoder.update(first[:14] + "more " + first[14:], first, Change(14, len(first) - 14))
    assert counting.asked == ["somore me words"]


def test_only_the_changed_segment_is_encoded() -> None:
    encoder, counting, _ = counted()
    talk = "".join(f"<|im_start|>user\nthe {each}<|im_end|>" for each in range(50))
    encoder.update(talk)
    assert len(counting.asked) == 52
    counting.asked.clear()
    encoder.update(talk.replace("the 20<", "the 20 of them<"))
    assert counting.asked == ["user\nthe 20 of them"]
    counting.asked.clear()
    encoder.update(talk)
    assert counting.asked == []


def test_in_a_huge_segment_a_window_is_encoded_and_confirmed_later() -> None:
    encoder, counting, vocabulary = counted()
    huge = "<|im_start|>user\n" + "".join(STEADY) * 200 + "<|im_end|>"
    assert not encoder.update(huge).provisional
    counting.asked.clear()
    edited = huge[:30_000] + "x" * 100 + huge[30_000:]
    got = encoder.update(edited)
    assert got.provisional
    assert sum(map(len, counting.asked)) < 2_000
    assert got.ids == vocabulary.encode([edited])[0]
    counting.asked.clear()
    confirmed = encoder.confirm()
    assert not confirmed.provisional
    assert confirmed.ids == got.ids
    assert sum(map(len, counting.asked)) > len(edited) - 40
    assert encoder.confirm() is confirmed


def test_a_special_token_parts_a_huge_segment_and_its_parts_grow_together() -> None:
    encoder, _, vocabulary = counted()
    huge = "<|im_start|>user\n" + "".join(STEADY) * 60
    rows = [*encoder.update(huge).starts]
    assert len(rows) > 10
    for at in rows[3:-2]:
        text = huge[:at] + "<|im_end|>" + huge[at:]
        assert [*encoder.update(text).segment_starts()] == [0, 12, at, at + 10]
        assert encoder.encoding.ids == vocabulary.encode([text])[0]
        assert [*encoder.update(huge).segment_starts()] == [0, 12]
        assert encoder.encoding.ids == vocabulary.encode([huge])[0]
        assert encoder.encoding.provisional


def test_a_wrong_join_is_mended_when_it_is_confirmed() -> None:
    """A tokenizer that looks at the whole text cannot be encoded in windows; `confirm` finds that out."""

    def by_length(texts: Sequence[str]) -> list[Ids]:
        return [array("I", [ord("a")] * (len(text) - 1) + [ord("a") + 256 * (len(text) > 9000)]) for text in texts]

    pieces = pieces_of([bytes([each % 256]) for each in range(512)])
    encoder = IncrementalEncoder(("<|im_end|>",), pieces, by_length)
    encoder.update("a" * 8990)
    whole = by_length(["a" * 9010])[0]
    got = encoder.update("a" * 9010)
    assert got.provisional
    assert got.ids != whole
    assert encoder.confirm().ids == whole


def test_a_fault_leaves_the_last_encoding() -> None:
    encoder, counting, vocabulary = counted()
    before = encoder.update("<|im_start|>the<|im_end|>")
    counting.fails = True
    with pytest.raises(ThinkpaneError, match="too long"):
        encoder.update("<|im_start|>the other<|im_end|>")
    assert encoder.encoding is before
    counting.fails = False
    text = "<|im_start|>the others<|im_end|>"
    assert encoder.update(text).ids == vocabulary.encode([text])[0]


def test_no_text_has_no_tokens() -> None:
    encoder, _, _ = counted()
    assert encoder.update("the").ids != array("I")
    assert encoder.update("").ids == array("I")
    assert len(encoder.encoding) == 0
