"""Run both: one conversation goes to one server by both its paths at once, and the two replies are compared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.bridge import RunFeed
from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_place import ReplyPlace
from thinkpane.ui.models.reply_state import short_word, state_of
from thinkpane.ui.parity_question import ParityQuestion
from thinkpane.ui.run_starter import Ready, RunStarter, sampling_of

if TYPE_CHECKING:
    from thinkpane.endpoints.dialects._api import SendPath
    from thinkpane.runs.agreement import Agreement
    from thinkpane.runs.parity import Parity
    from thinkpane.runs.run import Run
    from thinkpane.ui.services import Services

_EARLIER = "These are earlier replies; what the server made of the messages then cannot be asked any more."

_REPEATED = "What was sent is an earlier pair's, so that the server was not asked what it makes of the messages."

PATHS: tuple["SendPath", "SendPath"] = ("chat", "raw")


@dataclass(frozen=True, slots=True)
class Compared:
    """What is known of a pair. sampling: what was sent with both. agreement: None while a reply is still coming.

    parity: whether the prompts were the same, None while the server has not told. about: which earlier runs these are,
    "" for those of now.
    """

    sampling: Mapping[str, JsonValue]
    agreement: "Agreement | None" = None
    parity: "Parity | None" = None
    about: str = ""


class RunBoth(QObject):
    """The pair of runs that is live or was last.

    Signals:
        started(): two runs began.
        changed(): what may be done, or what is known of the pair, is another thing now.
    """

    started = Signal()
    changed = Signal()

    def __init__(self, context: Context, services: "Services", starter: RunStarter) -> None:
        super().__init__()
        self._context = context
        self._services = services
        self._starter = starter
        self._found: Compared | None = None
        self.place: ReplyPlace | None = None
        self.is_steady = False
        self._is_away = False
        self.feeds: dict[SendPath, RunFeed] = {path: RunFeed() for path in PATHS}
        for feed in self.feeds.values():
            feed.finished.connect(self._on_feed_news)
            feed.reread.connect(self._on_feed_news)
        self._question = ParityQuestion(self, services)
        self._question.answered.connect(self._on_question_answered)

    @property
    def is_live(self) -> bool:
        """Whether one of the two replies is still coming."""
        return any(feed.is_live for feed in self.feeds.values())

    @property
    def is_told(self) -> bool:
        """Whether all is known of the pair: how the replies compare, and what the prompts were."""
        found = self._found
        return found is not None and found.agreement is not None and found.parity is not None

    @property
    def is_earlier(self) -> bool:
        """Whether the pair is of an earlier run, or repeats one: it is none of the open document as it stands."""
        return self.place is not None and self.place.answered is not None

    @property
    def problem(self) -> Problem | None:
        """What went wrong on either path, each told by its name; None where nothing did."""
        runs = [(path, self.run(path)) for path in PATHS]
        faults = [(path, run.problem) for path, run in runs if run is not None and run.problem is not None]
        if not faults:
            return None
        return replace(faults[0][1], message=" ".join(f"{path.capitalize()}: {each.message}" for path, each in faults))

    @property
    def found(self) -> Compared | None:
        """What is known of the pair, None before the first."""
        return self._found

    def run(self, path: "SendPath") -> "Run | None":
        """The pair's run on that path."""
        return self.feeds[path].run

    def states(self) -> list[str]:
        """How each reply stands, in a word behind its name; nothing before the first pair and once it was put away."""
        if self._is_away and not self.is_live:
            return []
        runs = [(path, self.run(path)) for path in PATHS]
        return [
            f"{path.capitalize()}: {short_word(state_of(run.transcript, over=run.is_over))}"
            for path, run in runs
            if run is not None
        ]

    def start(self, *, steady: bool = False) -> None:
        """Sends the document as it stands on both paths. steady: with a seed and without temperature, this time only.

        Raises ThinkpaneError where it cannot be: then nothing was sent.
        """
        from thinkpane.runs.pair import STEADY, pair_dialects, places

        if self.is_live:
            raise ThinkpaneError(Problem("path", "Both replies are still coming."))
        pair_dialects(self._services.endpoints.named(self._context.document.state.endpoint))
        both = [self._starter.ready(each.path, each) for each in places(STEADY if steady else {})]
        runs = self._started([partial(self._starter.start, each) for each in both])
        self._begin(Compared(sampling_of(both[0])), steady=steady)
        self._ask_parity(both[0])
        self._follow(runs)

    def repeat(self, *, steady: bool = False) -> None:
        """Sends what the earlier pair sent once more, whatever document is open. steady: as in `start`.

        Raises ThinkpaneError where it cannot be: then nothing was sent.
        """
        from thinkpane.runs.pair import STEADY, places
        from thinkpane.runs.parity import Parity

        chat, raw = self.run("chat"), self.run("raw")
        if self.is_live or chat is None or raw is None or self.place is None:
            return
        answered = self.place.answered or ""
        found = places(STEADY if steady else {})
        both = [self._starter.repeated(run, place) for run, place in zip((chat, raw), found, strict=True)]
        runs = self._started([partial(self._starter.start_repeated, each, answered) for each in both])
        parity = Parity("unknown", "", cause=_REPEATED)
        self._begin(Compared(_sampling(both[0].body), parity=parity), steady=steady, answered=answered)
        self._follow(runs)

    def adopt(self, chat: "Run", raw: "Run", about: str, answered: str) -> None:
        """Shows two earlier runs of one pair, both over. answered: as in ReplyPlace.

        Raises ValueError while a pair is live.
        """
        from thinkpane.runs.parity import Parity

        if self.is_live:
            raise ValueError("a pair is live")
        self._question.drop()
        parity = Parity("unknown", "", cause=_EARLIER)
        self._begin(Compared(_sampling(chat.request.body), parity=parity, about=about), steady=False, answered=answered)
        self.started.emit()
        for path, run in zip(PATHS, (chat, raw), strict=True):
            self.feeds[path].adopt(run)

    def put_away(self) -> None:
        """The pair is not shown any more: nothing is told of it once it is over."""
        self._is_away = True
        self.changed.emit()

    def stop(self, path: "SendPath | None" = None) -> None:
        """Stops the reply on that path, None = both; what came stays."""
        for each in PATHS if path is None else (path,):
            self.feeds[each].stop()

    def close(self) -> None:
        """Ends both; nothing is told any more."""
        self.stop()
        self._question.drop()

    def _started(self, starts: "list[Callable[[], Run]]") -> "list[Run]":
        """Both runs, or none: the first is stopped where the second cannot be started, which is raised."""
        runs: list[Run] = []
        try:
            runs.extend(start() for start in starts)
        except ThinkpaneError:
            for run in runs:
                run.stop()
            raise
        return runs

    def _follow(self, runs: "list[Run]") -> None:
        self.started.emit()
        for path, run in zip(PATHS, runs, strict=True):
            self.feeds[path].start(run)
        self.changed.emit()

    def _begin(self, found: Compared, *, steady: bool, answered: str | None = None) -> None:
        self.place, self.is_steady = ReplyPlace(self._context.document, answered), steady
        self._found, self._is_away = found, False

    def _ask_parity(self, chat: Ready) -> None:
        """Whether the prompts are the same is part of what is asked: a comparison of replies says little without."""
        job = replace(self._context.prompts.job(), carry=True)
        key = self._services.keys.key(chat.endpoint)
        self._question.ask(chat.endpoint, key, job, chat.call.model, dict(chat.call.params))

    def _on_question_answered(self, parity: "Parity") -> None:
        if self._found is not None:
            self._found = replace(self._found, parity=parity)
            self.changed.emit()

    def _on_feed_news(self, _run: "Run") -> None:
        from thinkpane.runs.agreement import compare

        chat, raw = self.run("chat"), self.run("raw")
        over = chat is not None and raw is not None and chat.is_over and raw.is_over and not self.is_live
        # Of two that are adopted one after the other, the first stands beside another pair's for a moment.
        if over and chat is not None and raw is not None and chat.pair == raw.pair and self._found is not None:
            self._found = replace(self._found, agreement=compare(chat.transcript, raw.transcript))
        self.changed.emit()


def _sampling(body: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    from thinkpane.endpoints.dialects._params import COMMON_NAMES

    return {name: body[name] for name in COMMON_NAMES if name in body}
