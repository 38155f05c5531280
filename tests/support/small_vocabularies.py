"""Vocabularies made on the spot, so that tests of tokens need no published one."""

from collections.abc import Sequence

from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

from thinkpane.tokens.byte_level import letters
from thinkpane.tokens.vocabulary import Vocabulary

OVERLAPPING = ("<|im_start|>", "<|im_end|>", "<|a|>", "<|ab|>", "<|a|><", "a|><|", "<", "\n\n")
"""Added tokens of which some begin, end or hold others."""

_PAIRS = (
    ("t", "h"), ("th", "e"), ("Ġ", "the"), ("i", "n"), ("e", "r"), ("Ġ", "a"), ("o", "n"), ("r", "e"), ("Ġ", "s"),
    ("a", "t"), ("e", "n"), ("o", "u"), ("Ġ", "t"), ("Ġt", "he"), ("h", "e"), ("1", "2"), ("12", "3"), ("Ġ", "Ġ"),
    ("ĠĠ", "ĠĠ"), ("Ċ", "Ċ"), ("č", "Ċ"), ("ã", "ģ"), ("ð", "Ł"), ("Ã", "©"), ("Ì", "ģ"), ("e", "Ì"),
)  # fmt: skip
"""Merges of byte letters, among them some that join parts of characters."""


def byte_pairs(added: Sequence[str] = OVERLAPPING, *, nfc: bool = False) -> Vocabulary:
    """Words as GPT-2 cuts them, a few merges. nfc: texts are normalised first."""
    tokens = dict.fromkeys([*letters(), *(first + second for first, second in _PAIRS)])
    made = Tokenizer(models.BPE({token: id for id, token in enumerate(tokens)}, [*_PAIRS]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    if nfc:
        made.normalizer = normalizers.NFC()
    made.add_tokens([AddedToken(each, normalized=False) for each in added])
    return Vocabulary(made, "small")


def normalising(vocabulary: Vocabulary) -> Vocabulary:
    """The same, with texts normalised to NFC first, as Qwen's own tokenizer.json asks for."""
    made = Tokenizer.from_str(vocabulary._tokenizer.to_str())
    made.normalizer = normalizers.NFC()
    return Vocabulary(made, f"{vocabulary.title} after NFC")
