"""`thinkpane tokens`: the tokens of a prompt, or of plain text: ids, pieces, offsets, and which are special."""

import argparse
from collections.abc import Callable
from typing import cast

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.options import Asked, add_file, add_render_options, read_asked
from thinkpane.cli.output import write_error, write_found
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import prepare
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_estimate import estimate
from thinkpane.prompt.tokenizer import shown_piece
from thinkpane.prompt.tokenizer_refs import beside, located, opened, takes
from thinkpane.templates.reach import Reach

_BROKEN = ("tokenizer", "file")
"""Kinds of the faults that a tokenizer's file has, and the network has not."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    parser.add_argument(
        "--tokenizer",
        metavar="REF",
        help=f"{takes()}; none = an estimate; without it, the one that belongs to the template",
    )
    parser.add_argument("--text", action="store_true", help="FILE is plain text, not a conversation")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    return write_found(lambda: _found(arguments, services), lambda found: found, _lines, json=arguments.json)


def _found(arguments: argparse.Namespace, services: Services) -> JsonObject:
    inputs = Inputs()
    if arguments.text:
        if arguments.file is None or arguments.tokenizer is None:
            raise CommandLineError("thinkpane tokens: --text needs a FILE and a --tokenizer")
        return _tokens(_plain(inputs.read(arguments.file)), arguments.tokenizer, lambda: services.reach)
    asked = read_asked(arguments, inputs, services.reach)
    ref = arguments.tokenizer or beside(asked.state.template)
    if not ref:
        sentence = "No tokenizer belongs to the template; name one with --tokenizer."
        raise ThinkpaneError(Problem("tokenizer", sentence))
    # What merely stands in a FILE has nobody asked, and no prompt sent anywhere.
    is_named = arguments.tokenizer or arguments.template
    text = _rendered(asked, services.engine)
    try:
        return _tokens(text, ref, (lambda: services.reach) if is_named else None)
    except ThinkpaneError as fault:
        # One that was named is wanted; one that merely lies beside the template is a help.
        if arguments.tokenizer or fault.problem.kind not in _BROKEN:
            raise
        if not asked.job.template.tokenizer_fault:
            write_error(f"thinkpane: {fault.problem.message}")
        return _estimated(text) | {"tokenizer": fault.problem.message}


def _plain(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as fault:
        sentence = f"The text is no UTF-8: byte {fault.start + 1} cannot be read."
        raise ThinkpaneError(Problem("file", sentence)) from None


def _rendered(asked: Asked, engine: Engine) -> str:
    rendered = engine.render(prepare(asked.job, engine).request)
    if rendered.problem is not None:
        raise ThinkpaneError(rendered.problem)
    return rendered.text or ""


def _tokens(text: str, ref: str, reach: Callable[[], Reach] | None) -> JsonObject:
    """{count, ids, pieces, offsets, special}, the lists side by side; offsets in code points.

    Without a tokenizer {count, estimate}.
    """
    place = located(ref, reach)
    if place is None:
        return _estimated(text)
    tokenizer = opened(place, reach)
    try:
        found = tokenizer.tokens(text)
        known = tokenizer.description
    finally:
        tokenizer.close()
    return {
        "count": len(found.ids),
        "ids": list(found.ids),
        "pieces": [shown_piece(known.pieces[id]) for id in found.ids],
        "offsets": [[start, end] for start, end in found.places],
        "special": [id in known.special for id in found.ids],
    }


def _estimated(text: str) -> JsonObject:
    return {"count": estimate(Prompt(text)), "estimate": True}


def _lines(found: JsonObject) -> list[str]:
    if "estimate" in found:
        return [f"≈ {found['count']:,} tokens, an estimate by length"]
    ids, pieces = cast("list[int]", found["ids"]), cast("list[str]", found["pieces"])
    special = cast("list[JsonValue]", found["special"])
    width = len(str(max(ids, default=0)))
    rows = [
        f"{id:>{width}}  {piece!r}{'  special' if mark else ''}"
        for id, piece, mark in zip(ids, pieces, special, strict=True)
    ]
    return [*rows, f"{len(ids):,} token{'' if len(ids) == 1 else 's'}"]


COMMAND = Command("tokens", "shows the tokens of a prompt", _add_arguments, _run)
