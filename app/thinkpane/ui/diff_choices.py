"""What a prompt can be compared with: another template, tier or profile, or no variables, over the open document."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QMenu

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.comparison import Given, Variant
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.profiles._registry import all_profiles
from thinkpane.templates.library import all_built_in
from thinkpane.templates.own import all_own
from thinkpane.templates.template import Template
from thinkpane.ui.context import Context
from thinkpane.workspace.state_edits import pick_tier


class DiffChoices:
    """Makes variants of the document as it stands when they are asked for."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def fill(self, menu: QMenu, choose: Callable[[Given], None]) -> None:
        """Adds a submenu for each kind of variant to a menu."""
        for title, variants in (
            ("Another &template", self.templates()),
            ("Another t&ier", self.tiers()),
            ("Another &profile", self.profiles()),
            ("Other &variables", self.variables()),
        ):
            sub = menu.addMenu(title)
            sub.setEnabled(bool(variants))
            for each in variants:
                sub.addAction(each.title.replace("&", "&&"), partial(choose, each))

    def templates(self) -> list[Variant]:
        """The built-in and own templates, but for the one at hand."""
        here = self._context.document.state.template
        return [
            Variant(each.title or each.id, partial(self._with_template, each))
            for each in (*all_built_in(), *all_own())
            if each.id != here
        ]

    def tiers(self) -> list[Variant]:
        """The tiers of the template at hand."""
        template = self._context.effects.template
        return [Variant(f"Tier {each.label}", partial(self._with_tier, at)) for at, each in enumerate(template.tiers)]

    def profiles(self) -> list[Variant]:
        """The runtime profiles, but for the one at hand."""
        here = self._context.document.state.profile
        return [
            Variant(f"As {each.title}", partial(self._with_profile, each.name))
            for each in all_profiles().values()
            if each.name != here
        ]

    def variables(self) -> list[Variant]:
        """The document without its variables, all of them or one."""
        names = list(self._context.document.state.variables)
        if not names:
            return []
        one = [Variant(f"Without {name}", partial(self._without, (name,))) for name in names] if len(names) > 1 else []
        return [Variant("With no variables set", partial(self._without, tuple(names))), *one]

    def steps(self) -> Variant:
        """The document without the steps before rendering."""
        return Variant("Without the steps", lambda: replace(self._job(), steps=None))

    def _job(self) -> PromptJob:
        """Raises ThinkpaneError where the template is not there."""
        prompts = self._context.prompts
        job = prompts.job()
        return job if prompts.with_steps else replace(job, steps=None)

    def _with_template(self, template: Template) -> PromptJob:
        return replace(self._job(), template=template, template_name="")

    def _with_tier(self, index: int) -> PromptJob:
        state = self._context.document.state
        return replace(self._job(), variables=pick_tier(state, self._context.effects.template, index).variables)

    def _with_profile(self, name: str) -> PromptJob:
        return replace(self._job(), profile=name)

    def _without(self, names: tuple[str, ...]) -> PromptJob:
        job = self._job()
        return replace(job, variables={name: value for name, value in job.variables.items() if name not in names})


def settled(given: Given) -> Given:
    """A variant with its job as the document stands now, so that it can be made in any thread."""
    if not isinstance(given, Variant):
        return given
    try:
        job = given.make()
    except ThinkpaneError as error:
        return Variant(given.title, partial(_refuse, error))
    return Variant(given.title, lambda: job)


def _refuse(error: ThinkpaneError) -> PromptJob:
    raise error
