"""`thinkpane templates`: built-in and own templates; with a REF, everything that its source holds."""

import argparse
from collections.abc import Iterator

from thinkpane.cli._api import Command, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.options import read_template
from thinkpane.cli.output import one_line, write_json, write_line
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump
from thinkpane.templates.library import all_built_in
from thinkpane.templates.named import found_texts
from thinkpane.templates.own import all_own
from thinkpane.templates.repair import inspect
from thinkpane.templates.template import JINJA, Template


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref",
        nargs="?",
        metavar="REF",
        help="a template whose source is told, - = standard input; none = list all",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    if arguments.ref is not None:
        return _tell(read_template(arguments.ref, Inputs(), services.reach), as_json=arguments.json)
    built_in, own = all_built_in(), all_own()
    if arguments.json:
        write_json({"templates": [_described(each) for each in (*built_in, *own)]})
        return 0
    width = max((len(each.id) for each in (*built_in, *own)), default=0) + 2
    for each in (*built_in, *own):
        mine = "" if each.built_in else " (own)"
        write_line(one_line(f"{each.id:<{width}}{each.title}{mine}{''.join(f'; {note}' for note in each.notes)}"))
    return 0


def _tell(template: Template, *, as_json: bool) -> int:
    if as_json:
        write_json(_source(template))
        return 0
    write_line(one_line(template.title or template.id))
    for what, sentence in _lines(template):
        write_line(one_line(f"{what:<9}{sentence}"))
    return 0


def _lines(template: Template) -> Iterator[tuple[str, str]]:
    """What there is to tell, each with the word before it."""
    yield "from", template.origin or template.id or "standard input"
    for text in found_texts(template):
        taken = ", taken" if text.source == template.source else ""
        yield "text", f"{text.name}: {text.place} ({text.syntax}, {len(text.source):,} characters{taken})"
    for name, value in template.variables.items():
        yield "variable", f"{name} = {dump(value, indent=None)}"
    if template.special_tokens:
        place = f" from {template.tokens_from}" if template.tokens_from else ""
        yield "tokens", f"{len(template.special_tokens):,} special tokens{place}"
    for choice in template.choices:
        taken = "none" if choice.taken is None else f"{choice.taken.name} in {choice.taken.place}"
        yield "takes", f"{choice.runtime}: {taken}. {choice.sentence}"
    for note in template.notes:
        yield "note", note
    for damage in inspect(template.source) if template.syntax == JINJA else ():
        yield "damage", f"line {damage.line}, {damage.confidence}: {damage.sentence}"


def _source(template: Template) -> JsonObject:
    texts: list[JsonValue] = [
        {"place": each.place, "name": each.name, "syntax": each.syntax, "source": each.source}
        for each in found_texts(template)
    ]
    choices: list[JsonValue] = [
        {
            "runtime": each.runtime,
            "place": None if each.taken is None else each.taken.place,
            "name": None if each.taken is None else each.taken.name,
            "why": each.sentence,
        }
        for each in template.choices
    ]
    damages = inspect(template.source) if template.syntax == JINJA else ()
    return {
        **_described(template),
        "syntax": template.syntax,
        "variables": dict(template.variables),
        "special_tokens": list(template.special_tokens),
        "tokens_from": template.tokens_from,
        "texts": texts,
        "runtimes": choices,
        "notes": list(template.notes),
        "damage": [
            {"kind": each.kind, "line": each.line, "confidence": each.confidence, "sentence": each.sentence}
            for each in damages
        ],
    }


def _described(template: Template) -> JsonObject:
    return {
        "id": template.id,
        "built_in": template.built_in,
        "title": template.title,
        "origin": template.origin,
        "licence": template.licence,
        "uncertain": list(template.uncertain),
        "tiers": [each.label for each in template.tiers],
        "tags": [each.tag for each in template.tags],
    }


COMMAND = Command("templates", "lists templates, or tells what the source of one holds", _add_arguments, _run)
