"""Two prompts compared: at a million tokens beside the two seconds that it may take, at 32k beside difflib.

The prompts are one conversation in two templates, so that every message has changed scaffolding around it, and the
same prompt after edits all over it. difflib compares the same words that ours does, with its defaults.
"""

import random
from collections.abc import Callable
from difflib import SequenceMatcher
from statistics import median

from PySide6.QtWidgets import QApplication

from bench.corpus import conversation
from bench.figures import Figure
from bench.keystroke import timed
from support import vocabularies
from thinkpane.engine.environment import compiled
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.diff import PromptDiff, compare
from thinkpane.prompt.diff_units import Words
from thinkpane.prompt.text_encoder import TextEncoder
from thinkpane.templates.library import load

SIZES = {"32k": (100, 1_080), "1M": (2_000, 1_750)}
"""Messages, and characters of each."""

LIMIT = 2_000.0
"""Milliseconds that a comparison of a million tokens may take."""

EDITS = 1_000
"""Words that differ, all over the prompt."""

ROUNDS = 3
VOCABULARY = "qwen2"


def measure(_application: QApplication) -> list[Figure]:
    """1M by words and by tokens against the limit, and 32k by words against difflib."""
    small, big = (_prompts(*SIZES[size]) for size in ("32k", "1M"))
    found = [*_against_limit(*big), _against_difflib(*small)]
    path = vocabularies.file_of(VOCABULARY)
    if not path.exists():
        print(vocabularies.MISSING)
        return found
    encoder = TextEncoder(path)
    try:
        one, other = (encoder.tokens(text) for text in big[:2])
        tokens = one.count(0, len(big[0]))
        name = f"two templates of {tokens:,} tokens, by token: the limit of 2 s over ours"
        return [*found, _limited(name, lambda: compare(big[0], big[1], one, other))]
    finally:
        encoder.close()


def _prompts(messages: int, characters: int) -> tuple[str, str, str]:
    """The conversation in two templates, and in the first one after edits."""
    talk = conversation(messages, characters)
    first, second = (_render(name, talk) for name in ("chatml", "glm-5.2"))
    chance = random.Random(3)
    words = first.split(" ")
    for _ in range(EDITS * messages // 2_000):
        words[chance.randrange(len(words))] = "edited"
    return first, second, " ".join(words)


def _render(name: str, talk: list[JsonValue]) -> str:
    template, _ = compiled(load(name).source)
    return template.render(messages=talk, add_generation_prompt=True)


def _against_limit(first: str, second: str, edited: str) -> list[Figure]:
    return [
        _limited("two templates at 1M, by word: the limit of 2 s over ours", lambda: compare(first, second)),
        _limited(f"{EDITS:,} edits at 1M, by word: the limit of 2 s over ours", lambda: compare(first, edited)),
    ]


def _limited(name: str, act: Callable[[], PromptDiff]) -> Figure:
    times = []
    for _ in range(ROUNDS):
        found, took = timed(act)
        times.append(took)
        assert not found.is_coarse, "the whole prompt must be compared"
    return Figure(name, median(times), LIMIT, bound="at least", goal=1.0)


def _against_difflib(first: str, _second: str, edited: str) -> Figure:
    ours, theirs = [], []
    for _ in range(ROUNDS):
        found, took = timed(lambda: compare(first, edited))
        ours.append(took)
        usual, took = timed(lambda: _difflib(first, edited))
        theirs.append(took)
        assert bool(found.changes) == bool(usual), "both sides must find something"
    return Figure("edits at 32k, by word: difflib over ours", median(ours), median(theirs))


def _difflib(first: str, edited: str) -> list[tuple[str, int, int, int, int]]:
    one, other = (Words(text).cut(0, len(text)).keys for text in (first, edited))
    return [each for each in SequenceMatcher(None, one, other).get_opcodes() if each[0] != "equal"]
