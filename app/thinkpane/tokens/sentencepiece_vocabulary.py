"""Makes a tokenizer of a SentencePiece model, which encodes each stretch between control tokens as SentencePiece does.

SentencePiece itself takes a control token that stands in a text for plain letters; a runtime that gets a whole prompt
does not, and encodes what lies between them by itself, each stretch with its own space before it.
"""

from tokenizers import Regex, Tokenizer, models, normalizers

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.sentencepiece_model import BPE, BYTE, UNIGRAM, UNKNOWN, SentencePieceModel, read_model
from thinkpane.tokens.scored import add_cut_tokens, by_scores
from thinkpane.tokens.space_mark import SPACE_MARK
from thinkpane.tokens.vocabulary import Vocabulary


def sentencepiece_vocabulary(data: bytes, title: str) -> Vocabulary:
    """The vocabulary of a model file's bytes.

    Raises ThinkpaneError (kind "tokenizer") for what is no model, and for models of words and of letters.
    """
    model = read_model(data)
    if model.model not in (UNIGRAM, BPE):
        raise _problem(f"its model is of the type {model.model}; unigram (1) and byte pairs (2) are known")
    if model.suffix:
        raise _problem("it marks spaces behind words, which is not known")
    if model.charsmap:
        raise _problem("it normalises texts by a table of its own, which only a tokenizer.json can stand for")
    unknown = next((id for id, kind in enumerate(model.kinds) if kind == UNKNOWN), 0)
    try:
        made = _unigram(model, unknown) if model.model == UNIGRAM else _byte_pairs(model, unknown)
        made.normalizer = _normalizer(model)
        add_cut_tokens(made, model.pieces, model.kinds)
    except Exception as fault:  # noqa: BLE001 - the library raises plain Exception
        raise _problem(str(fault)) from None
    return Vocabulary(made, title)


def _byte_pairs(model: SentencePieceModel, unknown: int) -> Tokenizer:
    return by_scores(model.pieces, model.scores, model.kinds, unknown)


def _unigram(model: SentencePieceModel, unknown: int) -> Tokenizer:
    scored = [*zip(model.pieces, model.scores, strict=True)]
    return Tokenizer(models.Unigram(scored, unk_id=unknown, byte_fallback=BYTE in model.kinds))


def _normalizer(model: SentencePieceModel) -> normalizers.Normalizer:
    """The steps in the order of SentencePiece's src/normalizer.cc."""
    steps: list[normalizers.Normalizer] = []
    if model.collapses:
        # At the end the mark of a space counts as one, also where a text has it itself.
        ends = f"[ {SPACE_MARK}]" if model.marks_spaces else " "
        steps.append(normalizers.Replace(Regex(rf"\A +|{ends}+\z|(?<= ) +"), ""))
    if model.prefix:
        steps.append(normalizers.Prepend(" "))
    if model.marks_spaces:
        steps.append(normalizers.Replace(" ", SPACE_MARK))
    return normalizers.Sequence(steps)


def _problem(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tokenizer", f"The SentencePiece model gives no tokenizer: {why}."))
