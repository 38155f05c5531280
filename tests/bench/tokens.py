"""One keystroke to the new ids: incremental encoding beside the whole text's, in the same run.

The usual way is what a quick tool does: render with jinja2's sandbox, `tokenizers.encode`, lists of ids, offsets and
tokens. Ours renders in the program's environment, and encodes what changed in the tokenizer's child process; "the
render alone" is ours. The vocabularies are Qwen 2's, as llama.cpp publishes it, and Llama 3's as a file of ranks, which
the package tiktoken encodes (the extra `openai`).
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from PySide6.QtWidgets import QApplication

from bench.corpus import conversation, prose
from bench.figures import Figure
from bench.keystroke import timed
from bench.usual import Printed, printed, prompt, usual_template
from support import vocabularies
from support.ranks import ranks_of
from thinkpane.engine.environment import compiled
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.tokenizer import Tokenizer
from thinkpane.templates.library import load
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.kinds._registry import kind_for
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.vocabulary import Vocabulary

SIZES = {"1k": (20, 100, 9), "32k": (100, 1_080, 9), "256k": (600, 1_500, 7), "1M": (2_000, 1_790, 5)}
"""Messages, characters of each, rounds: 14 kB, 140 kB, 1.1 MB, 4.2 MB."""

KEYSTROKES = 3
"""Of ours in a row, as they are typed; one of the other side takes seconds and empties the processor's caches."""

TEMPLATES = ("chatml", "glm-5.2", "protium-1.0")
VOCABULARY, RANKED = "qwen2", "llama-bpe"
RANKED_FILE, RANKED_TOKENS = "tokenizer.model", 128_000

HUGE = 3_500_000
"""Characters of one message of about a million tokens."""

LIMIT = 5.0
"""Milliseconds that an edit inside such a message may take until its ids are there."""

GOALS = {("1M", "qwen2"): 60.0, ("1M", "llama-bpe with tiktoken"): 90.0}
"""How many times as long the usual way must take, by size and vocabulary, with ChatML."""

BESIDE_RENDER = 1.3


@dataclass(frozen=True, slots=True)
class Sides:
    """Both ways to ids with one vocabulary. encoder: ours, its tokenizer in a child process. whole: the usual one."""

    name: str
    encoder: IncrementalEncoder
    whole: Vocabulary


def measure(_application: QApplication) -> list[Figure]:
    """By vocabulary, template and size: the whole keystroke, and the render alone; edits inside one huge message."""
    if not vocabularies.file_of(VOCABULARY).exists():
        print(vocabularies.MISSING)
        return []
    with sides(VOCABULARY) as plain:
        found = [each for template in TEMPLATES for size in SIZES for each in keystroke(template, size, plain)]
        found.append(inside_huge(plain))
    with ranked_sides() as quick:
        return [*found, *keystroke("chatml", "1M", quick), inside_huge(quick)]


@contextmanager
def sides(name: str) -> Iterator[Sides]:
    """Both sides with a published GGUF vocabulary."""
    with _opened(vocabularies.file_of(name), name) as found:
        yield found


@contextmanager
def ranked_sides() -> Iterator[Sides]:
    """Both sides with a file of ranks."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / RANKED_FILE
        file.write_bytes(ranks_of(RANKED, RANKED_TOKENS))
        with _opened(file, f"{RANKED} with tiktoken") as found:
            yield found


@contextmanager
def _opened(file: Path, name: str) -> Iterator[Sides]:
    found = kind_for(file)
    assert found is not None
    tokenizer = Tokenizer(file)
    try:
        known = tokenizer.description
        pieces = pieces_of([known.pieces[id] for id in range(len(known.pieces))])
        yield Sides(name, IncrementalEncoder(known.cuts, pieces, tokenizer.encode), found[0].load(file))
    finally:
        tokenizer.close()


def keystroke(template: str, size: str, both: Sides) -> list[Figure]:
    """One character more in a message in the middle: until the new ids are there, and the render alone.

    The render is compared by the quickest of all keystrokes: on a busy machine the process that encodes waits for a
    processor longer than it works.
    """
    messages, characters, rounds = SIZES[size]
    talk = conversation(messages, characters)
    rendered, _ = compiled(load(template).source)
    last = printed(rendered, talk)
    both.encoder.update(last.text)
    ours, theirs, floors = [], [], []
    for number in range(rounds):
        for _ in range(KEYSTROKES):
            talk = _typed(talk, messages // 2 + number)
            new, floor = timed(lambda talk=talk: printed(rendered, talk))  # type: ignore[misc]
            got, encoding = timed(partial(_encoded, both.encoder, last, new))
            last = new
            ours.append(floor + encoding)
            floors.append(floor)
        same, render = timed(lambda talk=talk: prompt(usual_template(template), talk))  # type: ignore[misc]
        lists, usual = timed(lambda text=new.text: _lists(both.whole, text))  # type: ignore[misc]
        assert new.text == same, "both sides must render the same prompt"
        assert got.ids.tolist() == lists[0], "both sides must give the same ids"
        theirs.append(render + usual)
    what = f"{template} at {size} ({len(both.encoder.encoding.ids):,} tokens, {both.name})"
    goal = GOALS.get((size, both.name), 0.0) if template == "chatml" else 0.0
    return [
        Figure(
            f"keystroke to ids, {what}: jinja2 + encode + lists over ours",
            median(ours),
            median(theirs),
            bound="at least" if goal else "",
            goal=goal,
        ),
        Figure(
            f"the same, {template} at {size}: ours over the render alone",
            min(ours),
            min(floors),
            bound="at most" if goal else "",
            goal=BESIDE_RENDER if goal else 0.0,
        ),
    ]


def _encoded(encoder: IncrementalEncoder, last: Printed, new: Printed) -> Encoding:
    return encoder.update(new.text, last.text, new.change_from(last))


def _typed(talk: list[JsonValue], place: int) -> list[JsonValue]:
    message: JsonObject = {**talk[place], "content": f"{talk[place]['content']} x"}  # type: ignore[dict-item,index,call-overload]
    return [*talk[:place], message, *talk[place + 1 :]]


def inside_huge(both: Sides) -> Figure:
    """A hundred characters inside one message of a million tokens: until the ids are there, beside what is allowed.

    The quickest of 15 rounds, because what is allowed is no measurement that other work slows down as well.
    """
    text = f"<|im_start|>user\n{prose(random.Random(5), HUGE)}<|im_end|>\n"
    both.encoder.update(text)
    ours = []
    for number in range(15):
        at = HUGE // 2 + 1_000 * number
        text = text[:at] + "a hundred characters " * 5 + text[at:]
        start = perf_counter()
        got = both.encoder.update(text)
        ours.append((perf_counter() - start) * 1000)
        assert got.provisional, "a window must have been encoded"
    assert both.encoder.encoding.ids == both.whole.encode([text])[0], "both sides must give the same ids"
    count = f"{len(both.encoder.encoding.ids):,} tokens, {both.name}"
    name = f"a hundred characters inside one message ({count}), beside the {LIMIT:g} ms allowed"
    return Figure(name, min(ours), LIMIT, bound="at most", goal=1.0)


def _lists(whole: Vocabulary, text: str) -> tuple[list[int], list[tuple[int, int]], list[str]]:
    encoded = whole._tokenizer.encode(text, add_special_tokens=False)
    return encoded.ids, encoded.offsets, encoded.tokens
