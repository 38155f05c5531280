"""`thinkpane diff`: what differs between two prompts, token by token, and whose tokens they are."""

import argparse
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.diff_text import Told, unified
from thinkpane.cli.input_files import STANDARD_INPUT, Inputs
from thinkpane.cli.options import Asked, add_render_options, read_asked
from thinkpane.cli.output import write_error, write_found
from thinkpane.cli.set_notes import set_notes
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.diff import Change, PromptDiff, compare
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.owner_changes import owner_changes
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.text_encoder import TextEncoder
from thinkpane.prompt.tokenizer_refs import located, takes
from thinkpane.prompt.tracer import traced
from thinkpane.templates.files import is_folder, is_there, local_path
from thinkpane.tokens.kinds._registry import kind_for

_SIDE = re.compile(r"([AB]):\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Side:
    """One side: how it is told, and its prompt."""

    name: str
    prompt: Prompt


class _ReadOnce(Inputs):
    """Both sides may be made of one file, which may be standard input."""

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[str, bytes] = {}

    def read(self, name: str) -> bytes:
        """As Inputs.read; the same name gives the same bytes."""
        if name not in self._read:
            self._read[name] = super().read(name)
        return self._read[name]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a request body or a .thinkpane.json document; - = standard input")
    parser.add_argument(
        "b",
        nargs="?",
        metavar="B",
        help="what A is compared with; without it, A in two variants: --set “B: NAME=VALUE”",
    )
    add_render_options(parser)
    parser.add_argument(
        "--tokenizer",
        metavar="REF",
        help=f"{takes()}, but no server; none = words; without it, the one beside the template, else words",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    return write_found(lambda: _found(arguments, services), _as_json, unified, json=arguments.json)


def _found(arguments: argparse.Namespace, services: Services) -> Told:
    variants = _variants(arguments.variables)
    if arguments.b is None and not (variants["A"] or variants["B"]):
        raise CommandLineError("thinkpane diff: name two files, or variants of one with --set “B: NAME=VALUE”")
    if [arguments.a, arguments.b, arguments.template].count(STANDARD_INPUT) > 1:
        raise CommandLineError("thinkpane: “-” is standard input and can be read only once")
    inputs = _ReadOnce()
    asked = [
        _asked(arguments, file, [*variants[""], *variants[side]], inputs, services)
        for side, file in (("A", arguments.a), ("B", arguments.b or arguments.a))
    ]
    tokenizer = _named(arguments.tokenizer, services) if arguments.tokenizer else _beside(asked)
    names = [arguments.a, arguments.b or arguments.a]
    one, other = (
        _Side(_name(side, name, variants[side]), _prompt(each, services.engine))
        for side, name, each in zip("AB", names, asked, strict=True)
    )
    for side, each, made in zip("AB", asked, (one, other), strict=True):
        given = [*variants[""], *variants[side]]
        for note in set_notes(given, each.job, made.prompt, services.engine, each.file_variables):
            write_error(f"thinkpane diff: {side}: {note}")
    return _told(one, other, tokenizer)


def _variants(given: Iterable[str]) -> Mapping[str, list[str]]:
    """The values of --set by side, "" for both sides'."""
    found: dict[str, list[str]] = {"": [], "A": [], "B": []}
    for each in given:
        side = _SIDE.fullmatch(each)
        found[side[1] if side else ""].append(side[2] if side else each)
    return found


def _asked(arguments: argparse.Namespace, file: str, variables: list[str], inputs: Inputs, services: Services) -> Asked:
    own = argparse.Namespace(**{**vars(arguments), "file": file, "variables": variables})
    try:
        return read_asked(own, inputs, services.reach)
    except ThinkpaneError as error:
        name = "standard input" if file == STANDARD_INPUT else file
        message = error.problem.message
        named = message if name in message else f"{name}: {message}"
        raise ThinkpaneError(replace(error.problem, message=named)) from error


def _name(side: str, file: str, variables: Iterable[str]) -> str:
    return ", ".join([f"{side}: {'standard input' if file == STANDARD_INPUT else file}", *variables])


def _prompt(asked: Asked, engine: Engine) -> Prompt:
    """The prompt, with its owners where they can be known; raises ThinkpaneError where there is none."""
    prompt = PromptMaker(engine).make(asked.job)
    if prompt.problem is not None:
        raise ThinkpaneError(prompt.problem)
    return traced(prompt, engine)


def _named(ref: str, services: Services) -> Path | None:
    """The tokenizer of a REF, None where the REF is “none”; ThinkpaneError where none is there, or only a server."""
    place = located(ref, lambda: services.reach)
    if place is None:
        return None
    if place.file is None:
        sentence = f"“{ref}” is a server; prompts are compared with a tokenizer of this machine, the Hub or Ollama."
        raise ThinkpaneError(Problem("tokenizer", sentence))
    folder = local_path(ref)
    return folder if folder is not None and is_folder(folder) else place.file


def _beside(asked: Iterable[Asked]) -> Path | None:
    """The tokenizer beside both sides' templates; None = there is not one for both."""
    files = set()
    for each in asked:
        path = Path(each.state.template)
        found = kind_for(path) if is_there(path) else None
        files.add(found[1] if found is not None else None)
    return files.pop() if len(files) == 1 else None


def _told(one: _Side, other: _Side, tokenizer: Path | None) -> Told:
    names = one.name, other.name
    before, after = one.prompt, other.prompt
    if tokenizer is None:
        found = compare(before.text, after.text)
        return Told(found, names, owner_changes(found, before, after))
    encoder = TextEncoder(tokenizer)
    try:
        units, other_units = encoder.tokens(before.text), encoder.tokens(after.text)
        found = compare(before.text, after.text, units, other_units)
        return Told(found, names, owner_changes(found, before, after, units, other_units), encoder.title)
    finally:
        encoder.close()


def _as_json(told: Told) -> JsonObject:
    """{same, tokenizer, removed, added, coarse, changes, owners}: counts in tokens, else in characters."""
    found = told.found
    return {
        "same": not found.changes,
        "tokenizer": told.tokenizer or None,
        "removed": found.removed,
        "added": found.added,
        "coarse": found.is_coarse,
        "changes": [_change(found, each) for each in found.changes],
        "owners": None
        if told.owners is None
        else [{"owner": each.owner, "removed": each.removed, "added": each.added} for each in told.owners],
    }


def _change(found: PromptDiff, change: Change) -> JsonObject:
    before, after = found.inside(change)
    return {
        "a": [*change.before],
        "b": [*change.after],
        "removed": found.before[slice(*change.before)],
        "added": found.after[slice(*change.after)],
        "count": [change.removed, change.added],
        "characters": {"a": [[*each] for each in before], "b": [[*each] for each in after]},
        "coarse": change.coarse,
    }


COMMAND = Command("diff", "shows what differs between two prompts", _add_arguments, _run)
