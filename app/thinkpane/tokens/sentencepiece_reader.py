"""Makes a vocabulary of a SentencePiece model: encoded by the package `sentencepiece` where it is there, else by us."""

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.sentencepiece_model import BPE, UNIGRAM, read_model
from thinkpane.tokens.sentencepiece_engine import EngineVocabulary, engine_of
from thinkpane.tokens.sentencepiece_vocabulary import SentencePieceVocabulary
from thinkpane.tokens.vocabulary import Vocabulary


def sentencepiece_vocabulary(data: bytes, title: str) -> Vocabulary:
    """The vocabulary of a model file's bytes.

    Raises ThinkpaneError (kind "tokenizer") for what is no model, and for models of words and of letters.
    """
    model = read_model(data)
    if model.model not in (UNIGRAM, BPE):
        raise _problem(f"its model is of the type {model.model}; unigram (1) and byte pairs (2) are known")
    engine = engine_of(data)
    try:
        return SentencePieceVocabulary(model, title) if engine is None else EngineVocabulary(model, title, engine)
    except ThinkpaneError:
        raise
    except Exception as fault:  # noqa: BLE001 - the library raises plain Exception
        raise _problem(str(fault)) from None


def _problem(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tokenizer", f"The SentencePiece model gives no tokenizer: {why}."))
