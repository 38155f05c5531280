"""`make figures`: how exact renders are, and how much of them has an owner, over all published templates.

Prints for every pair of a template and a conversation: whether the text, or the refusal with its line, is what
transformers gives; whether the traced text is the plain one; which share of its characters has a line; and, with
conversations whose letters are marked, which share leads to the right place of the input.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support import corpus
from support.corpus import Pair
from support.marked import check
from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError


def exactness(engine: Engine, asked: Sequence[Pair]) -> int:
    """Prints how many pairs are what transformers gives, and each that is not; gives how many are not."""
    answers = corpus.ask_oracle(asked)
    differing = 0
    for pair, answer, ours in zip(asked, answers, corpus.rendered(engine, asked), strict=True):
        if told := corpus.difference(answer, ours):
            differing += 1
            print(f"  {' + '.join(pair)}: {told}")
    errors = sum("error" in each for each in answers)
    lines = sum(bool(each["error"]["lines"]) for each in answers if "error" in each)
    print(f"Exact: {len(asked) - differing} of {len(asked)} pairs are what transformers gives")
    print(f"  {len(asked) - errors} texts, {errors} refusals ({lines} of them in a line of the template)")
    return differing


def owners(engine: Engine, asked: Sequence[Pair]) -> int:
    """Prints how many traced texts are the plain ones and the share of owned characters; gives how many faults."""
    renders = untraced = characters = lined = 0
    marked_characters = owned = wrong = 0
    for pair in asked:
        plain = _traced(engine, corpus.request(pair))
        if plain is not None:
            renders += 1
            characters += len(plain["text"])
            untraced += plain["spans"] is None
            lined += sum(end - start for start, end, owner in plain["spans"] or () if owner["line"] > 0)
        request, marks = corpus.marked_request(pair)
        if (marked := _traced(engine, request)) is not None:
            found = check(marked, marks)
            marked_characters += found.characters
            owned += found.owned
            wrong += bool(found.faults)
            for fault in found.faults[:1]:
                print(f"  {' + '.join(pair)}: {fault}")
    print(f"Traced: {renders - untraced} of {renders} texts are the plain ones ({untraced} mismatches)")
    print(f"  {100 * lined / max(characters, 1):.3f} % of {characters} characters have a line")
    print(f"  {100 * owned / max(marked_characters, 1):.3f} % of {marked_characters} have a line and their right path")
    return untraced + wrong


def _traced(engine: Engine, request: Any) -> dict[str, Any] | None:
    try:
        return engine.trace(request)
    except ThinkpaneError:
        return None


def main() -> int:
    """Exit status 1 where something differs or cannot be had."""
    if not corpus.published() or not corpus.has_oracle():
        print("The published templates or transformers are missing: `make corpus` fetches them.")
        return 1
    templates = corpus.built_in() | corpus.published()
    asked = corpus.pairs(templates)
    print(f"{len(templates)} templates, {len(corpus.conversations())} conversations")
    engine = Engine(deadline=60.0)
    started = time.monotonic()
    faults = exactness(engine, asked) + owners(engine, asked)
    engine.close()
    print(f"  in {time.monotonic() - started:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
