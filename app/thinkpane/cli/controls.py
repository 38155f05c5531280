"""`thinkpane controls`: a template's variables, tags and tiers, each with the effect that rendering proves."""

import argparse

from thinkpane.analysis.controls import Controls, controls
from thinkpane.analysis.tier_effects import TierEffect
from thinkpane.analysis.trials import shown
from thinkpane.cli._api import Command, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.options import read_template
from thinkpane.cli.output import write_found
from thinkpane.engine.template_facts import TemplateFacts, facts_from_json
from thinkpane.errors import ThinkpaneError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("template", metavar="REF", help="a built-in id, a path, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    return write_found(
        lambda: _found(arguments.template, services),
        lambda found: found[0].as_json(),
        lambda found: _lines(*found),
        json=arguments.json,
    )


def _found(ref: str, services: Services) -> tuple[Controls, TemplateFacts]:
    template = read_template(ref, Inputs(), services.reach)
    facts = facts_from_json(services.engine.about("facts", template.source))
    found = controls(template, facts, services.engine.render_many)
    if found.problem is not None:
        raise ThinkpaneError(found.problem)
    return found, facts


def _lines(found: Controls, facts: TemplateFacts) -> list[str]:
    rows = [("variable", each.name, f"{each.effect}: {each.detail}") for each in found.variables]
    rows += [("tag", each.tag.tag, f"{each.effect}: {each.detail}") for each in found.tags]
    rows += [("tier", each.label, _tier_words(each)) for each in found.tiers]
    marks = found.thinking
    if marks.open is not None:
        state = "opened by the prompt" if marks.opened_by_prompt else "not opened by the prompt"
        rows.append(("thinking", f"{marks.open} … {marks.close}", state))
    rows += [("reads", "fields", ", ".join(facts.fields)), ("reads", "roles", ", ".join(facts.roles))]
    rows = [row for row in rows if row[2]]
    width = max((len(name) for _, name, _ in rows), default=0)
    return [f"{kind:<9} {name:<{width}}  {words}" for kind, name, words in rows]


def _tier_words(tier: TierEffect) -> str:
    """What a tier does, and the values that give it where that are more than its own name."""
    values = [*map(shown, tier.values), *(["anything else"] if tier.others else [])]
    return f"{tier.sample_effect}; {', '.join(values)}" if values else tier.sample_effect


COMMAND = Command("controls", "shows what a template's variables, tags and tiers do", _add_arguments, _run)
