"""Regular expressions at work: a child process of their own, which is ended where one does not come to an end."""

import unicodedata  # noqa: F401 - names of characters in expressions need it, and the confined process imports nothing
from typing import Final, cast

from thinkpane.engine.host import Engine
from thinkpane.engine.process import worker_command
from thinkpane.engine.worker import JobTable
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.finding import Hits, Query, expression_hits
from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.ids import packed, unpacked

WORD: Final = "finder"
"""The program's first word that makes it this child process."""

DEADLINE: Final = 3.0
"""Seconds that one search may take; ordinary expressions go through four megabytes in less than half of one."""


def finder_jobs() -> JobTable:
    """What the child process can do: "find"."""
    return {"find": _find}


class ExpressionFinder:
    """Finds with regular expressions. Methods may be called from any thread but the window's: they wait.

    The child process starts with the first search.
    """

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._engine = Engine(worker_command(WORD), spare=0, deadline=deadline, what="regular expression")
        self._deadline = deadline

    def find(self, text: str, query: Query, owner: object = None) -> Hits:
        """All hits; where none can be found, `problem` says why in one sentence. owner: see `cancel`.

        Raises ThinkpaneError (kind "cancelled") where the search was ended by `cancel`.
        """
        asked: JsonObject = {
            "text": text,
            "words": query.words,
            "case": query.case,
            "whole": query.whole,
        }
        try:
            found = self._engine.job("find", asked, owner=owner)
        except ThinkpaneError as error:
            if error.problem.kind == "cancelled":
                raise
            return Hits(problem=self._sentence(error.problem))
        return Hits(unpacked(found["starts"]), unpacked(found["ends"]), bool(found["capped"]))

    def cancel(self, owner: object) -> None:
        """Ends the search that was started with `owner`."""
        self._engine.cancel(owner)

    def close(self) -> None:
        """Ends the child process."""
        self._engine.close()

    def _sentence(self, problem: Problem) -> str:
        if problem.kind == "timeout":
            return f"This expression was stopped after {self._deadline:g} s: it tries too many ways on this text."
        return problem.message


def _find(payload: JsonObject) -> JsonObject:
    """{text, words, case, whole} in; {starts, ends, capped} out."""
    words = cast("str", payload["words"])
    query = Query(words, regex=True, case=bool(payload["case"]), whole=bool(payload["whole"]))
    found = expression_hits(cast("str", payload["text"]), query)
    return {"starts": packed(found.starts), "ends": packed(found.ends), "capped": found.capped}
