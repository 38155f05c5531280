"""What another runtime profile makes of the same job: both prompts and their difference."""

from dataclasses import dataclass, replace

from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.diff import Piece, changed_characters, diff
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.making import Asking
from thinkpane.prompt.profiles._registry import all_profiles


@dataclass(frozen=True, slots=True)
class ProfilePrompt:
    """A job's prompt under one profile. text: "" where problem says why there is none."""

    profile: str
    text: str = ""
    rewrites: tuple[str, ...] = ()
    problem: Problem | None = None

    @property
    def title(self) -> str:
        """What the window calls the profile."""
        found = all_profiles().get(self.profile)
        return found.title if found else self.profile


@dataclass(frozen=True, slots=True)
class ProfileDiff:
    """The same job under two profiles, the one before and the one in force. pieces: from the first to the second."""

    before: ProfilePrompt
    after: ProfilePrompt
    pieces: tuple[Piece, ...] = ()

    @property
    def characters(self) -> int:
        """How many characters differ."""
        return changed_characters(self.pieces)

    @property
    def sentence(self) -> str:
        """It in one line, for the window."""
        count = len(self.after.rewrites)
        done = f"{count} rewrite{'' if count == 1 else 's'}" if count else "nothing rewritten"
        if self.after.problem is not None:
            return f"{self.after.title}: no prompt to compare, as {self.before.title} had one."
        if self.before.problem is not None:
            return f"{self.after.title}: {done}; {self.before.title} makes no prompt of this."
        number = self.characters
        if not number:
            return f"{self.after.title}: {done}, the same prompt as with {self.before.title}"
        differ = "1 character differs" if number == 1 else f"{number:,} characters differ"
        return f"{self.after.title}: {done}, {differ}"


def compare_profiles(job: PromptJob, before: str, engine: Engine, owner: object = None) -> ProfileDiff:
    """Renders `job` under its own profile and under the one called `before`. owner: see Engine.cancel."""
    one, two = _prompt(replace(job, profile=before), engine, owner), _prompt(job, engine, owner)
    comparable = one.problem is None and two.problem is None
    return ProfileDiff(one, two, diff(one.text, two.text) if comparable else ())


def _prompt(job: PromptJob, engine: Engine, owner: object) -> ProfilePrompt:
    try:
        prepared = prepare(job, Asking(engine, owner))
    except ThinkpaneError as error:
        return ProfilePrompt(job.profile, problem=error.problem)
    rendered = engine.render(prepared.request, owner=owner)
    return ProfilePrompt(job.profile, rendered.text or "", prepared.rewrites, rendered.problem)
