"""The task classifier: does the user ask for reasoning or for execution?"""

from collections.abc import Sequence
from dataclasses import dataclass

from thinkpane.conversation.messages import Message
from thinkpane.reasoning.user_text import user_texts, words_found

# The GLMT document's lists. The code of version 3.4.1 had others (there “debug” and “optimize” asked for execution).
REASONING_KEYWORDS = (
    *("think", "analyze", "design", "plan", "debug", "optimize", "review", "explain"),
    *("think hard", "think harder", "ultrathink"),
)
EXECUTION_KEYWORDS = ("list", "show", "create", "update", "delete", "run", "execute", "fix", "implement")


@dataclass(frozen=True, slots=True)
class Classification:
    """What the words say. task: reasoning, execution, mixed (both), unclear (none). The words are those found."""

    task: str
    reasoning: tuple[str, ...]
    execution: tuple[str, ...]

    @property
    def thinking(self) -> bool:
        """Whether thinking is on: always, unless only execution is asked for."""
        return self.task != "execution"

    @property
    def reason(self) -> str:
        """The decision in one sentence."""
        state = "on" if self.thinking else "off"
        if self.task == "unclear":
            return f"Thinking {state}: no word says reason or execute, and thinking is the default."
        said = [
            f"{_quoted(words)} {'say' if len(words) > 1 else 'says'} {what}"
            for words, what in ((self.reasoning, "reason"), (self.execution, "execute"))
            if words
        ]
        rest = {"mixed": "mixed tasks think", "reasoning": "none says execute", "execution": "none says reason"}
        return f"Thinking {state}: {', '.join(said)}, {rest[self.task]}."


def classify_task(
    messages: Sequence[Message],
    reasoning: Sequence[str] = REASONING_KEYWORDS,
    execution: Sequence[str] = EXECUTION_KEYWORDS,
    latest_only: bool = False,
) -> Classification:
    """Looks for the whole words of both lists, in any case, in the user messages (all, or the last one alone).

    As documented: reasoning words turn thinking on, execution words off, both together or none leave it on. The
    code of 3.4.1 counted the different words, let the higher number win, and weighed the result against a token
    budget; since 3.4.3 there is no classifier, so that there “fix the bug” thinks, though the document says not.
    """
    texts = user_texts(messages, latest_only)
    reasons = tuple(word for word, _ in words_found(texts, reasoning))
    executes = tuple(word for word, _ in words_found(texts, execution))
    if reasons and executes:
        task = "mixed"
    elif executes:
        task = "execution"
    else:
        task = "reasoning" if reasons else "unclear"
    return Classification(task, reasons, executes)


def _quoted(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
