"""One keystroke to the new ids: incremental encoding beside the whole text's, in the same run.

The usual way is what a quick tool does: render with jinja2's sandbox, `tokenizers.encode`, lists of ids, offsets and
tokens. Ours renders in the same way, and encodes what changed in the tokenizer's child process. The vocabulary is
Qwen 2's, as llama.cpp publishes it.
"""

import random
from statistics import median

from jinja2 import Template as Rendering
from PySide6.QtWidgets import QApplication

from bench.corpus import conversation, prose, tools
from bench.figures import Figure
from bench.keystroke import timed
from support import vocabularies
from thinkpane.engine.environment import compiled
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.tokenizer import Tokenizer
from thinkpane.templates.library import load
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.kinds.gguf import KIND
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.vocabulary import Vocabulary

SIZES = {"32k": (100, 1_080, 9), "1M": (2_000, 1_750, 5)}
"""Messages, characters of each, rounds: about 124 kB and 4 MB."""

VOCABULARY = "qwen2"
HUGE = 3_900_000
"""Characters of one message of about a million tokens."""


def measure(_application: QApplication) -> list[Figure]:
    """By size: the whole keystroke, and the render alone; and an edit inside one huge message."""
    path = vocabularies.file_of(VOCABULARY)
    if not path.exists():
        print(vocabularies.MISSING)
        return []
    whole, tokenizer = KIND.load(path), Tokenizer(path)
    try:
        known = tokenizer.description
        encoder = IncrementalEncoder(
            known.cuts, pieces_of([known.pieces[id] for id in range(len(known.pieces))]), tokenizer.encode
        )
        found = [each for size in SIZES for each in _keystrokes(size, encoder, whole)]
        return [*found, _inside_huge(encoder, whole)]
    finally:
        tokenizer.close()


def _keystrokes(size: str, encoder: IncrementalEncoder, whole: Vocabulary) -> list[Figure]:
    messages, characters, rounds = SIZES[size]
    talk = conversation(messages, characters)
    rendered, _ = compiled(load("chatml").source)
    encoder.update(_render(rendered, talk))
    ours, theirs, floors = [], [], []
    for number in range(rounds):
        place = messages // 2 + number
        typed: JsonObject = {**talk[place], "content": f"{talk[place]['content']} x"}  # type: ignore[dict-item,index,call-overload]
        talk = [*talk[:place], typed, *talk[place + 1 :]]
        text, floor = timed(lambda talk=talk: _render(rendered, talk))  # type: ignore[misc]
        got, encoding = timed(lambda text=text: encoder.update(text))  # type: ignore[misc]
        lists, usual = timed(lambda text=text: _lists(whole, text))  # type: ignore[misc]
        assert got.ids.tolist() == lists[0], "both sides must give the same ids"
        ours.append(floor + encoding)
        theirs.append(floor + usual)
        floors.append(floor)
    count = f"{len(encoder.encoding.ids):,} tokens"
    return [
        Figure(
            f"keystroke to ids at {size} ({count}): jinja2 + encode + lists over ours", median(ours), median(theirs)
        ),
        Figure(f"the same at {size}, the render alone over ours (the floor)", median(ours), median(floors)),
    ]


def _inside_huge(encoder: IncrementalEncoder, whole: Vocabulary) -> Figure:
    text = f"<|im_start|>user\n{prose(random.Random(5), HUGE)}<|im_end|>\n"
    encoder.update(text)
    ours, theirs = [], []
    for number in range(5):
        at = HUGE // 2 + 1_000 * number
        text = text[:at] + "a hundred characters " * 5 + text[at:]
        got, encoding = timed(lambda text=text: encoder.update(text))  # type: ignore[misc]
        ids, usual = timed(lambda text=text: whole.encode([text])[0])  # type: ignore[misc]
        assert got.provisional, "a window must have been encoded"
        assert got.ids == ids, "both sides must give the same ids"
        ours.append(encoding)
        theirs.append(usual)
    count = f"{len(encoder.encoding.ids):,} tokens"
    return Figure(f"edit inside one message of {count}: encoding it over ours", median(ours), median(theirs))


def _render(rendered: Rendering, talk: list[JsonValue]) -> str:
    return str(rendered.render(messages=talk, tools=tools(), documents=None, add_generation_prompt=True))


def _lists(whole: Vocabulary, text: str) -> tuple[list[int], list[tuple[int, int]], list[str]]:
    encoded = whole._tokenizer.encode(text, add_special_tokens=False)
    return encoded.ids, encoded.offsets, encoded.tokens
