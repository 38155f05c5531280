"""Feeds for the prompt pane that tests drive by hand: prompts, effects and problems; tokens are in token_feeds.py."""

from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Signal

from support.token_feeds import Tokens
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.ui.context import Context
from thinkpane.ui.links import Links
from thinkpane.ui.problems import Problems
from thinkpane.workspace.settings import Settings


class GivenPrompts(QObject):
    """Stands in for the feed of prompts, and of effects.

    Signals:
        changed(object): the Prompt that was given.
    """

    changed = Signal(object)

    def __init__(self, template: Template) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.template = template

    def give(self, prompt: Prompt) -> None:
        """This is the newest prompt."""
        self.prompt = prompt
        self.changed.emit(prompt)


class GivenProblems(QObject):
    """Stands in for the feed of problems.

    Signals:
        changed(object): the Problems that were given.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.problems: Problems | None = None

    def give(self, problems: Problems) -> None:
        """These are the newest prompt's problems."""
        self.problems = problems
        self.changed.emit(problems)


def prompt_context(prompts: QObject, folder: Path, links: Links | None = None, tokens: Tokens | None = None) -> Context:
    """What the prompt pane is built with. folder: for the settings."""
    feeds = {
        "prompts": prompts,
        "effects": GivenPrompts(Template("", "")),
        "links": links or Links(),
        "tokens": tokens or Tokens(),
        "problems": GivenProblems(),
        "settings": Settings(folder / "settings.json"),
    }
    return cast("Context", type("Feeds", (), feeds))
