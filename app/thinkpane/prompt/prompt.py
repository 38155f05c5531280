"""The Prompt: the one model string that is shown, copied, saved and sent, and what is known about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem
from thinkpane.prompt.owners import Owners
from thinkpane.prompt.places import Origins
from thinkpane.prompt.steps import Decision
from thinkpane.tokens.changes import Change
from thinkpane.tokens.segments import Segment


@dataclass(frozen=True, slots=True)
class Prompt:
    """One rendered prompt.

    text: the whole prompt; on an error the last good one (stale is then true), "" where there never was one.
    segments: text cut at its special tokens, without gaps.
    problem: why the latest render failed, None when text is current.
    decisions: what the steps before rendering decided, in order, with reasons.
    request: what was rendered (after steps and profile).
    serial: counts renders; a later prompt has a higher one.
    started: local ISO time just before the render, for rendering the same again.
    origins: which messages, tools and documents of the document the inputs of `text` are; request_origins: those of
    `request`, which another text was not made of where this prompt is stale.
    owners: who wrote each character, None until traced, and where that failed. untraced: why it failed, a few words
    for the middle of a sentence; "" while the trace is still to come.
    reads, ignored: input paths that this render read, and those it never did. lines: the template lines that were
    executed, in order. All three are empty without owners.
    epoch: that of the job which asked for it (PromptJob).
    earlier, change: the text that was made before this one, and what differs; so that who shows that very text need not
    compare megabytes on the window's thread. None where that is not known.
    """

    text: str = ""
    segments: Sequence[Segment] = ()
    problem: Problem | None = None
    stale: bool = False
    decisions: tuple[Decision, ...] = ()
    request: RenderRequest | None = None
    milliseconds: float = 0.0
    serial: int = 0
    rewrites: tuple[str, ...] = field(default=())
    started: str | None = None
    origins: Origins = field(default_factory=Origins)
    request_origins: Origins = field(default_factory=Origins)
    owners: Owners | None = None
    untraced: str = ""
    reads: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    epoch: int = 0
    earlier: str = field(default="", compare=False, repr=False)
    change: Change | None = field(default=None, compare=False, repr=False)

    @property
    def is_unwritten(self) -> bool:
        """Whether all that is wrong is that nobody has written a message yet: a new document is no fault."""
        refused = self.problem is not None and self.problem.kind == "request"
        return refused and not self.text and self.request is not None and self.request.messages == []

    @property
    def is_current(self) -> bool:
        """True when text is what the document gives now, so that it may be sent."""
        return self.problem is None and self.request is not None
