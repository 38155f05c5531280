"""Builds SentencePiece's byte-pair tokenizer: of all pairs the one whose token scores best is merged first."""

from collections import Counter
from collections.abc import Sequence

from tokenizers import AddedToken, Tokenizer, models

from thinkpane.tokens.space_mark import SPACE_MARK

NORMAL, CONTROL, USER_DEFINED = 1, 3, 4
"""Kinds of tokens, the same numbers in GGUF headers and in SentencePiece's own files."""


def by_scores(tokens: Sequence[str], scores: Sequence[float], kinds: Sequence[int], unknown: int) -> Tokenizer:
    """tokens, scores, kinds: by id. unknown: the id of what has no token and no bytes. Without any normalizer.

    A token that stands twice has its last id, as in llama.cpp. Among tokens of one score the leftmost pair goes first;
    such are runs of spaces (all of -1e9 in Mistral's), where longer left parts before shorter ones come to the same.
    """
    vocabulary = {token: id for id, token in enumerate(tokens)}
    shared = Counter(scores)
    ranked = []
    for token, score, kind in zip(tokens, scores, kinds, strict=False):
        for cut in range(1, len(token)) if kind == NORMAL else ():
            left, right = vocabulary.get(token[:cut]), vocabulary.get(token[cut:])
            if left is not None and right is not None:
                ranked.append((-score, -cut if shared[score] > 1 else 0, left, right, cut, token))
    ranked.sort()
    return Tokenizer(
        models.BPE(
            vocabulary,
            [(token[:cut], token[cut:]) for *_, cut, token in ranked],
            byte_fallback=True,
            unk_token=tokens[min(unknown, len(tokens) - 1)],
            fuse_unk=True,
        )
    )


def add_cut_tokens(made: Tokenizer, tokens: Sequence[str], kinds: Sequence[int]) -> None:
    """Adds the tokens that are cut out of texts first: control tokens as special ones, and those a person defined."""
    for kind, special in ((CONTROL, True), (USER_DEFINED, False)):
        # One that is written with the mark of a space stands in a text as a space, so it is looked for after that.
        found = [
            AddedToken(token, normalized=not special and SPACE_MARK in token, special=special)
            for token, its in zip(tokens, kinds, strict=False)
            if its == kind and token
        ]
        if special:
            made.add_special_tokens(found)
        else:
            made.add_tokens(found)
