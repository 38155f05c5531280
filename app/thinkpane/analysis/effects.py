"""What the controls do to one prompt, as one value; effect_maker.py works it out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from thinkpane.analysis.setters import Setters
from thinkpane.formats.json_values import JsonValue

if TYPE_CHECKING:
    from thinkpane.analysis.coverage import Coverage
    from thinkpane.analysis.discovery import Discovery
    from thinkpane.analysis.ignored import Ignored
    from thinkpane.analysis.in_force import InForce
    from thinkpane.analysis.thinking_format import ThinkingFormat
    from thinkpane.analysis.variable_effects import VariableEffect
    from thinkpane.engine.request import RenderRequest
    from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class Effects:
    """What is known of one prompt's controls. serial: the prompt's. template: it was made with, as it was loaded.

    discovery: the template's controls, what is true of them in every conversation. variables: what each does here.
    coverage: the template lines that ran for this prompt, and so_far: those that ran for any prompt since the program
    started; None while it is not traced. ignored: what it was given and was never read.
    """

    template: "Template"
    discovery: "Discovery"
    in_force: "InForce"
    variables: "tuple[VariableEffect, ...]"
    serial: int
    numbers: tuple[int, ...] | None = None
    coverage: "Coverage | None" = None
    so_far: "Coverage | None" = None
    ignored: "tuple[Ignored, ...]" = ()


@dataclass(frozen=True, slots=True)
class EffectQuestion:
    """What is to be worked out. serial: the prompt's. request: what was rendered for it.

    numbers: what the window calls each message that is sent, where some are not. setters: who set its variables.
    """

    template: "Template"
    request: "RenderRequest"
    serial: int
    numbers: tuple[int, ...] | None = None
    setters: Setters = field(default_factory=Setters)


@dataclass(frozen=True, slots=True)
class EffectAnswer:
    """format: the thinking format of the template's text by `variables`, where it had to be found."""

    effects: Effects
    format: "ThinkingFormat | None" = None
    variables: Mapping[str, JsonValue] | None = None
