"""Who set the variables of a request: sentences name them, and an effect is told against what holds without it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.analysis.trials import without
from thinkpane.formats.json_values import JsonValue

BODY = "the body's chat_template_kwargs"


@dataclass(frozen=True, slots=True)
class Setters:
    """Who set what; a person chose all that is not named here.

    unasked: variables that nobody chose: a runtime profile or a step set them. body: those whose value in force is the
    one of the body's chat_template_kwargs. beaten: the body's values of those for which a person chose one: they hold
    again where the choice is taken back.
    """

    unasked: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()
    beaten: Mapping[str, JsonValue] = field(default_factory=dict)

    def less(self, variables: Mapping[str, JsonValue], *names: str) -> dict[str, JsonValue]:
        """The variables as they are once these are not chosen: without them, or with the body's values."""
        back = {name: self.beaten[name] for name in names if name in variables and name in self.beaten}
        return without(variables, *names) | back


CHOSEN = Setters()
"""A person chose everything."""


def setters_of(
    variables: Mapping[str, JsonValue],
    template: Mapping[str, JsonValue],
    chosen: Mapping[str, JsonValue],
    body: Mapping[str, JsonValue],
) -> Setters:
    """Who set `variables`, those of the request, where a person set `chosen` and the body carries `body`."""
    asked = {**template, **body, **chosen}
    return Setters(
        frozenset(name for name in variables if name not in asked),
        frozenset(name for name in variables if name in body and name not in chosen),
        {name: value for name, value in body.items() if name in chosen},
    )
