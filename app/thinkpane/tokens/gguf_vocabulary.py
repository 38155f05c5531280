"""Makes a tokenizer of the vocabulary in a GGUF header, which encodes as llama.cpp does.

Models: "gpt2" and "gemma4" (byte-pair merges, words cut by tokenizer.ggml.pre) and "llama" (SentencePiece: the pair
whose token scores best is merged first). Facts: llama.cpp's src/llama-vocab.cpp of b11434, read for this.
"""

from collections.abc import Sequence
from typing import Final, cast

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.gguf import GgufHeader
from thinkpane.tokens.pre_tokenizers import PreTokenizer
from thinkpane.tokens.pre_tokenizers import pre_tokenizers as known_pre_tokenizers
from thinkpane.tokens.scored import NORMAL, add_cut_tokens, by_scores
from thinkpane.tokens.space_mark import SPACE_MARK
from thinkpane.tokens.vocabulary import Vocabulary

_KEY = "tokenizer.ggml."
LISTS: Final = (_KEY + "tokens", _KEY + "merges", _KEY + "scores", _KEY + "token_type")
"""The lists of a header that are needed; the reader keeps no others."""

_DEFAULT_PRE: Final = {"gpt2": "default", "gemma4": "gemma4"}


def gguf_vocabulary(header: GgufHeader, title: str) -> Vocabulary:
    """The vocabulary of a header that was read with `LISTS`.

    Raises ThinkpaneError (kind "tokenizer") for models and pre-tokenizers that are not known, and broken lists.
    """
    model, tokens = header.text(_KEY + "model") or "", header.texts(_KEY + "tokens")
    if not tokens:
        raise _problem("it holds no vocabulary")
    # A name may stand twice in a broken file; as in llama.cpp the last one wins.
    vocabulary = {token: id for id, token in enumerate(tokens)}
    if model not in (*_DEFAULT_PRE, "llama"):
        raise _problem(f"its vocabulary is of the kind “{model}”; gpt2, gemma4 and llama are known")
    try:
        made = _by_scores(header, tokens) if model == "llama" else _by_merges(header, model, vocabulary)
        add_cut_tokens(made, tokens, header.numbers(_KEY + "token_type"))
    except ThinkpaneError:
        raise
    except Exception as fault:  # noqa: BLE001 - the library raises plain Exception for merges of what is no token
        raise _problem(f"its merges are broken ({fault})") from None
    return Vocabulary(made, title)


def _by_merges(header: GgufHeader, model: str, vocabulary: dict[str, int]) -> Tokenizer:
    name = header.text(_KEY + "pre") or _DEFAULT_PRE[model]
    cutter = known_pre_tokenizers().get(name)
    if cutter is None:
        raise _problem(f"how its vocabulary cuts words (“{name}”) is not known")
    # The first letter of a merge may be a space only where spaces stand for themselves.
    pairs = [(each[: each.index(" ", 1)], each[each.index(" ", 1) + 1 :]) for each in header.texts(_KEY + "merges")]
    made = Tokenizer(models.BPE(vocabulary, pairs, ignore_merges=cutter.takes_whole, byte_fallback=cutter.marks_spaces))
    made.pre_tokenizer = _words(cutter)
    if cutter.marks_spaces:
        made.normalizer = normalizers.Replace(" ", SPACE_MARK)
    return made


def _words(cutter: PreTokenizer) -> pre_tokenizers.PreTokenizer:
    cuts: list[pre_tokenizers.PreTokenizer] = [
        pre_tokenizers.Split(Regex(each), behavior="isolated") for each in cutter.patterns
    ]
    if not cutter.marks_spaces:
        cuts.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False))
    return pre_tokenizers.Sequence(cuts)


def _by_scores(header: GgufHeader, tokens: Sequence[str]) -> Tokenizer:
    scores = cast("tuple[float, ...]", header.values.get(_KEY + "scores", ()))
    if len(scores) < len(tokens):
        raise _problem("its vocabulary has fewer scores than tokens")
    kinds = header.numbers(_KEY + "token_type") or (NORMAL,) * len(tokens)
    made = by_scores(tokens, scores, kinds, header.number(_KEY + "unknown_token_id") or 0)
    marks: list[normalizers.Normalizer] = [normalizers.Replace(" ", SPACE_MARK)]
    if header.values.get(_KEY + "add_space_prefix", True):
        marks.insert(0, normalizers.Prepend(SPACE_MARK))
    made.normalizer = normalizers.Sequence(marks)
    return made


def _problem(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tokenizer", f"The GGUF file gives no tokenizer: {why}."))
