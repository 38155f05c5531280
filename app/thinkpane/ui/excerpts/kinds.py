"""The kinds of files that an excerpt is exported as, and how much each takes."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.errors import Problem
from thinkpane.ui.excerpts.pictures import MOST_CHARACTERS

KindId: TypeAlias = Literal["png", "svg", "html", "pdf"]


@dataclass(frozen=True, slots=True)
class ExportKind:
    """One kind. most: characters that it takes."""

    id: KindId
    title: str
    most: int

    @property
    def suffix(self) -> str:
        """With its dot."""
        return f".{self.id}"

    @property
    def filter(self) -> str:
        """For a file dialog."""
        return f"{self.title} (*{self.suffix})"

    def refusal(self, characters: int) -> Problem | None:
        """Why so many characters are too many; None where they are not."""
        if characters <= self.most:
            return None
        sentence = (
            f"{self.id.upper()} takes {self.most:,} characters at most, and these are {characters:,}: select less."
        )
        return Problem("size", sentence)


KINDS = (
    ExportKind("png", "Picture", MOST_CHARACTERS),
    ExportKind("svg", "Vector picture", MOST_CHARACTERS),
    ExportKind("html", "Web page", 1_000_000),
    ExportKind("pdf", "PDF pages", 1_500_000),
)
