"""The job "trace": a render whose characters know their owners, compared with the plain one before anything is said."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

import jinja2

from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.normalise import ALIAS_ORDER
from thinkpane.engine.owned_text import OwnedText, Run, cut_runs, joined
from thinkpane.engine.owned_values import Reads, leaf_paths, owned, plain, step
from thinkpane.engine.rendering import Prepared, plain_text, prepared, problem_result
from thinkpane.engine.trace import TracingEnvironment
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

TRACED_KEPT = 8
"""How many traced compilations are kept."""

SPANS_CAP = 40_000
"""Spans that are handed on; a prompt of 32,000 tokens has a few thousand. Each takes about a kilobyte to read."""


def trace_job(payload: JsonObject) -> JsonObject:
    """A RenderRequest's JSON in; {text, spans, reads, ignored, lines} out, or {problem}.

    spans: [[start, end, owner], …] in code points, in order, not overlapping (owner: docs/architecture.md). Where the
    traced text is not the plain one, `spans` is null and `untraced` says why; the text is right all the same.
    """
    try:
        ready = prepared(payload)
        text = plain_text(ready)
    except ThinkpaneError as error:
        return problem_result(error.problem)
    try:
        return _traced(ready, text, payload)
    except Exception as error:  # noqa: BLE001 - the plain render stands, whatever tracing meets
        return {"text": text, "spans": None, "untraced": f"tracing failed: {type(error).__name__}: {error}"}


def _traced(ready: Prepared, text: str, payload: JsonObject) -> JsonObject:
    environment, template, clock = traced_template(ready.source)
    clock.frozen = ready.now
    given = environment.begin(ready.context)
    reads = environment.reads
    _name_aliases(given.get("messages"), payload, reads)
    whole = _finished(ready, joined(template.root_render_func(template.new_context(given))))
    if whole != text:
        return {"text": text, "spans": None, "untraced": "the traced text differs from the plain one"}
    if len(whole._runs) > SPANS_CAP:
        return {"text": text, "spans": None, "untraced": f"it has more than {SPANS_CAP} owners"}
    read = _read_leaves(ready.context, reads.paths, whole._runs)
    return {
        "text": text,
        "spans": [*_spans(whole._runs)],
        "reads": cast("JsonValue", sorted(read)),
        "ignored": cast("JsonValue", _ignored(ready.context, read)),
        "lines": cast("JsonValue", sorted(environment.lines)),
    }


def _finished(ready: Prepared, whole: OwnedText) -> OwnedText:
    """What `plain_text` does to a rendered text: cut where it is continued, its ends as the runtime wants them."""
    text, ends = str.__str__(whole), ready.ends
    if ready.going_on:
        text = ready.going_on.cut(text)
    start, end = ready.kept(text)
    runs = cut_runs(whole._runs, start, end)
    for piece, path in ends.suffix:
        runs.append(Run(len(piece), path, 0, len(piece)) if path else Run(len(piece)))
    return OwnedText(text[start:end] + ends.suffix_text, runs)


@lru_cache(maxsize=TRACED_KEPT)
def traced_template(source: str) -> tuple[TracingEnvironment, jinja2.Template, Clock]:
    """The template, compiled so that it tells owners and lines, with its environment and its clock."""
    clock = Clock()
    environment = build_environment(clock, TracingEnvironment)
    environment.trace(source)
    return environment, environment.from_string(source), clock


def _name_aliases(messages: Any, payload: JsonObject, reads: Reads) -> None:
    """Reasoning that was copied to its aliases keeps the path of the field it was given in."""
    given = payload["messages"]
    if not payload["normalise"] or not isinstance(messages, list) or not isinstance(given, list):
        return
    for index, (message, original) in enumerate(zip(list.__iter__(messages), given, strict=True)):
        field = next((name for name in ALIAS_ORDER if cast("JsonObject", original).get(name) is not None), None)
        for name in ("reasoning_content", "thinking"):
            if field and cast("JsonObject", original).get(name) is None and dict.__contains__(message, name):
                value = plain(dict.__getitem__(message, name))
                dict.__setitem__(message, name, owned(value, step(step("messages", index), field), reads))


def _spans(runs: Iterable[Run]) -> Iterable[JsonValue]:
    at = 0
    for run in runs:
        owner: JsonObject = {
            "line": run.line,
            "column": run.column,
            "via": list(run.via),
            "path": run.path,
            "at": None if run.start is None else [run.start, run.end],
        }
        yield [at, at + run.length, owner]
        at += run.length


def _read_leaves(context: JsonObject, reads: set[str], runs: Iterable[Run]) -> set[str]:
    """The leaf paths that were read: as such, or as part of a value that was printed as a whole."""
    whole = tuple({run.path for run in runs if run.path is not None and run.start is None})
    printed = {run.path for run in runs if run.path is not None}
    below = tuple(path + mark for path in whole for mark in (".", "["))
    return {
        leaf
        for name, value in context.items()
        for leaf in leaf_paths(value, name)
        if leaf in reads or leaf in printed or leaf.startswith(below)
    }


def _ignored(context: JsonObject, read: set[str]) -> list[str]:
    """What was given and never read, each thing at the highest place of which nothing was."""
    found: list[str] = []

    def look(value: JsonValue, path: str) -> None:
        leaves = [*leaf_paths(value, path)]
        if not any(leaf in read for leaf in leaves):
            found.append(path)
        elif isinstance(value, dict):
            for key, each in value.items():
                look(each, step(path, key))
        elif isinstance(value, list):
            for index, each in enumerate(value):
                look(each, step(path, index))

    for name, value in context.items():
        if value is not None and name != "add_generation_prompt":
            look(value, name)
    return found
