"""Cache reuse between turns: how much of a turn's prompt and answer the next prompt begins with, and what breaks it.

A server keeps what it worked out for a text as long as the next prompt begins with the same tokens. A turn is one
answer: its prompt is the conversation before it, the next turn's prompt the conversation before the next answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from thinkpane.analysis.generated import Basis, Reply, generated
from thinkpane.conversation.messages import Message
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.alignment import common_items
from thinkpane.prompt.diff import common_start
from thinkpane.prompt.job import Prepared, PromptJob, prepare
from thinkpane.prompt.making import Asking
from thinkpane.prompt.owners import OwnedSpan
from thinkpane.prompt.places import Place, origins_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.text_encoder import TextEncoder
from thinkpane.prompt.tracer import traced

Kept: TypeAlias = Literal["all", "answer", "generation prompt", "history"]
"""What was lost first: nothing; something in the answer; what opened it (the generation prompt); something before."""

MOST_TURNS: Final = 24
"""Turns that are looked at, the latest ones: each is rendered three times."""

MOST_CHARACTERS: Final = 16_000_000
"""Characters of prompts, about, after which earlier turns are left out."""

DEADLINE: Final = 10.0
"""Seconds that one render may take."""

_NEAR: Final = 40
"""Characters between where two texts part and the thinking that is the cause: a mark and white space."""

Count: TypeAlias = Callable[[str, str], tuple[int, int, int, int]]
"""Of a text and the next one: tokens of the first, of the second, how many both begin with, and the code point at which
the first token that differs begins."""

Replies: TypeAlias = Callable[[int], Reply | None]
"""The reply that a message became, by the message's key; None where it did not come in this session."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn and the next one.

    message: the answer's index in the document. before: the turn's prompt and answer; prompt: how much of it is the
    prompt. after: the next turn's prompt. assumed: there is no next turn yet, a short question was put in.
    total, length, reused: tokens (or characters) of `before`, of `after`, and how many both begin with.
    at: where in `after` the first token that differs begins, in code points. token: its text, shortened.
    line: the template line that wrote it, 0 = not known. place: where it is from, None = the template's own.
    cause: why, in words, "" where all is reused. basis: where the answer's characters are known from.
    """

    message: int
    before: str
    prompt: int
    after: str
    total: int
    length: int
    reused: int
    at: int
    kept: Kept
    cause: str = ""
    token: str = ""
    line: int = 0
    place: Place | None = None
    assumed: bool = False
    basis: Basis = "template"


@dataclass(frozen=True, slots=True)
class Reuse:
    """What was found. skipped: earlier turns that were not looked at. problem: why a turn could not be rendered.

    dated: at which character of the newest prompt the template prints the date, so that on another day a prompt is the
    same only up to there; None where it prints none.
    """

    turns: tuple[Turn, ...] = ()
    skipped: int = 0
    problem: Problem | None = None
    dated: int | None = None


def nothing_came(_key: int) -> None:
    """No message was a reply."""


def reuse(
    job: PromptJob,
    engine: Engine,
    tags: tuple[str, str],
    count: Count | None = None,
    owner: object = None,
    replies: Replies = nothing_came,
) -> Reuse:
    """The turns of the job's conversation. tags: the marks of thinking. count: counts tokens, None = characters.

    owner: see Engine.cancel. replies: what is known of answers that came. Never raises ThinkpaneError but for a render
    that was cancelled.
    """
    talk = job.conversation.messages
    answers = [index for index, each in enumerate(talk) if not each.excluded and each.role == "assistant"]
    finder = _Finder(job, engine, tags, count or characters, owner, replies)
    found: list[Turn] = []
    spent = 0
    for number in range(len(answers) - 1, -1, -1):
        if len(found) == MOST_TURNS or spent > MOST_CHARACTERS:
            break
        following = answers[number + 1] if number + 1 < len(answers) else len(talk)
        try:
            turn = finder.turn(answers[number], following)
        except ThinkpaneError as error:
            if error.problem.kind == "cancelled":
                raise
            return Reuse(tuple(reversed(found)), number + 1, error.problem)
        spent += 3 * len(turn.after)
        found.append(turn)
    dated = finder.date_in(found[0]) if found else None
    return Reuse(tuple(reversed(found)), len(answers) - len(found), dated=dated)


def characters(before: str, after: str) -> tuple[int, int, int, int]:
    """A Count of characters."""
    same = common_start(before, after)
    return len(before), len(after), same, same


def tokens_by(encoder: TextEncoder) -> Count:
    """A Count of an encoder's tokens; it raises what the encoder raises."""

    def count(before: str, after: str) -> tuple[int, int, int, int]:
        one, other = encoder.encoding(before), encoder.encoding(after)
        same = common_items(one.ids, other.ids)
        return len(one.ids), len(other.ids), same, encoder.begin(other, same)

    return count


class _Finder:
    """Renders and compares the turns of one job."""

    def __init__(
        self, job: PromptJob, engine: Engine, tags: tuple[str, str], count: Count, owner: object, replies: Replies
    ) -> None:
        # A turn's prompt is what the model got: a final message that is continued now was none then.
        # All are rendered at one time, so that a date is no difference.
        now = job.now or datetime.now().isoformat()
        self._job = replace(job, continue_final_message=False, add_generation_prompt=None, now=now)
        self._later: str | None = None
        self._engine = engine
        self._tags = tags
        self._count = count
        self._owner = owner
        self._replies = replies

    def turn(self, answer: int, following: int) -> Turn:
        """The turn whose answer stands at one place, against the prompt of what stands before another."""
        talk = self._job.conversation.messages
        assumed = following == len(talk) and all(each.excluded for each in talk[answer + 1 :])
        later = (*talk[:following], *((_QUESTION,) if assumed else ()))
        # The next turn was looked at before: its prompt is known.
        next_prompt = self._later if self._later is not None and not assumed else self._text(later, True)
        start = self._later = self._text(talk[:answer], True)
        history = self._text_or_none(talk[:answer]) or ""
        told = common_start(start, history)
        wrote, basis = self._written(start, start[told:], talk[:answer], talk[answer])
        before = start + wrote
        total, length, reused, at = self._count(before, next_prompt)
        turn = Turn(
            answer, before, len(start), next_prompt, total, length, reused, at, "all", assumed=assumed, basis=basis
        )
        same = common_start(before, next_prompt)
        if reused == total or not before[same:].strip():
            return turn
        kept: Kept = "answer" if same >= len(start) else "generation prompt" if same >= told else "history"
        return self._explained(replace(turn, kept=kept), same, later)

    def _written(self, start: str, opening: str, talk: Sequence[Message], answer: Message) -> tuple[str, Basis]:
        """What the model wrote behind the prompt `start`, whose generation prompt is `opening`, and how it is known."""
        reply = self._replies(answer.key)
        if reply is not None and reply.text is not None and reply.follows(opening or start):
            return reply.text, "completion"
        given = reply.message if reply is not None else answer
        wrote = generated(start, self._text_or_none((*talk, given)), given, self._tags)
        return wrote, "template" if reply is None else "reply"

    def date_in(self, newest: Turn) -> int | None:
        """Where the newest turn's next prompt is another one on another day; None where it is not."""
        following = newest.message + 1 if newest.assumed else len(self._job.conversation.messages)
        talk = self._job.conversation.messages[:following]
        request = self._prepared((*talk, _QUESTION) if newest.assumed else talk, True).request
        if "strftime_now" not in request.source:
            return None
        now = datetime.fromisoformat(request.now or "") + timedelta(days=400, hours=1)
        other = self._engine.render(replace(request, now=now.isoformat()), DEADLINE, self._owner).text
        return common_start(newest.after, other) if other not in (None, newest.after) else None

    def _text(self, messages: Sequence[Message], generate: bool) -> str:
        """Raises ThinkpaneError where there is no prompt."""
        rendered = self._engine.render(self._prepared(messages, generate).request, DEADLINE, self._owner)
        if rendered.problem is not None:
            raise ThinkpaneError(rendered.problem)
        return rendered.text or ""

    def _text_or_none(self, messages: Sequence[Message]) -> str | None:
        """The prompt in which nothing is to be generated; None where the template refuses it."""
        try:
            return self._text(messages, False)
        except ThinkpaneError as error:
            if error.problem.kind == "cancelled":
                raise
            return None

    def _prepared(self, messages: Sequence[Message], generate: bool) -> Prepared:
        talk = replace(self._job.conversation, messages=tuple(messages))
        job = replace(self._job, conversation=talk, add_generation_prompt=None if generate else False)
        return prepare(job, Asking(self._engine, self._owner))

    def _explained(self, turn: Turn, same: int, talk: Sequence[Message]) -> Turn:
        """The turn with what wrote the first character that differs, and why."""
        prepared = self._prepared(talk, True)
        conversation = replace(self._job.conversation, messages=tuple(talk))
        origins = origins_of(conversation, prepared.steps.conversation, prepared.request.messages)
        prompt = traced(Prompt(text=turn.after, request=prepared.request, origins=origins), self._engine, self._owner)
        span = prompt.owners.at(min(same, len(turn.after) - 1)) if prompt.owners is not None and turn.after else None
        place = origins.place(span) if span is not None else None
        return replace(
            turn,
            token=_short(turn.after[turn.at :]),
            line=span.owner.line if span is not None else 0,
            place=place,
            cause=self._cause(turn, same, span, place),
        )

    def _cause(self, turn: Turn, same: int, span: OwnedSpan | None, place: Place | None) -> str:
        message = self._thinking_lost(turn, same)
        if message is not None:
            return f"thinking of message {message + 1} left out"
        if place is not None and place.kind == "message" and place.index is not None:
            role = (
                self._job.conversation.messages[place.index].role
                if place.index < len(self._job.conversation.messages)
                else ""
            )
            if role == "tool":
                return f"tool results are written otherwise or in another order, from message {place.index + 1} on"
            return f"message {place.index + 1} is written otherwise"
        if place is not None and place.kind in ("tool", "document"):
            return f"the {place.kind}s are written otherwise"
        if turn.kept == "generation prompt":
            return "the generation prompt does not stand before the answer any more"
        return "the template writes its own text otherwise"

    def _thinking_lost(self, turn: Turn, same: int) -> int | None:
        """The message whose thinking stood where the texts part, and does not stand there any more."""
        for index, each in enumerate(self._job.conversation.messages[: turn.message + 1]):
            thinking = each.reasoning.strip()
            # The texts may part inside the mark before it.
            at = turn.before.find(thinking, max(0, same - _NEAR), same + _NEAR + len(thinking)) if thinking else -1
            if at >= 0 and thinking not in turn.after:
                return index
        return None


_QUESTION = Message({"role": "user", "content": "…"})


def _short(text: str) -> str:
    line = text[:24].replace("\n", "↵")
    return f"{line}…" if len(text) > 24 else line
