"""`thinkpane tokens`: the tokens of a prompt, or of plain text: ids, pieces, offsets, and which are special."""

import argparse
from pathlib import Path
from typing import cast

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.options import Asked, add_file, add_render_options, read_asked
from thinkpane.cli.output import write_found
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import prepare
from thinkpane.prompt.tokenizer import Tokenizer, shown_piece


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    parser.add_argument(
        "--tokenizer",
        metavar="REF",
        help="a tokenizer.json, a .gguf file, or a model folder; without it, the one beside the template",
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
        return _tokens(_plain(inputs.read(arguments.file)), Path(arguments.tokenizer))
    asked = read_asked(arguments, inputs, services.reach)
    return _tokens(_rendered(asked, services.engine), _tokenizer_path(arguments.tokenizer, asked))


def _tokenizer_path(ref: str | None, asked: Asked) -> Path:
    path = Path(ref or asked.state.template)
    if ref is None and not path.exists():
        sentence = "No tokenizer lies beside the template; name one with --tokenizer."
        raise ThinkpaneError(Problem("tokenizer", sentence))
    return path


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


def _tokens(text: str, path: Path) -> JsonObject:
    """{count, ids, pieces, offsets, special}, the lists side by side; offsets in code points."""
    tokenizer = Tokenizer(path)
    try:
        known, found = tokenizer.description, tokenizer.tokens(text)
    finally:
        tokenizer.close()
    return {
        "count": len(found.ids),
        "ids": list(found.ids),
        "pieces": [shown_piece(known.pieces[id]) for id in found.ids],
        "offsets": [[start, end] for start, end in zip(found.starts, found.ends, strict=True)],
        "special": [id in known.special for id in found.ids],
    }


def _lines(found: JsonObject) -> list[str]:
    ids, pieces = cast("list[int]", found["ids"]), cast("list[str]", found["pieces"])
    special = cast("list[JsonValue]", found["special"])
    width = len(str(max(ids, default=0)))
    rows = [
        f"{id:>{width}}  {piece!r}{'  special' if mark else ''}"
        for id, piece, mark in zip(ids, pieces, special, strict=True)
    ]
    return [*rows, f"{len(ids):,} token{'' if len(ids) == 1 else 's'}"]


COMMAND = Command("tokens", "shows the tokens of a prompt", _add_arguments, _run)
