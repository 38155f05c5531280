"""What transformers makes of pairs of template and conversation; run by the Python of `.cache/oracle`, never by ours.

Standard input: one JSON object {templates: {name: source}, conversations: {name: record}, pairs: [[template,
conversation], …], now: ISO time}. Standard output: one JSON object a pair, in order: {text}, or {error: {class,
message, lines}} where lines are the template's that may be named: none where it was not reached, several where a macro
called itself without end, since the depth of the caller decides in which of them that ends.
"""

import copy
import json
import logging
import sys
import traceback
from datetime import datetime
from typing import Any

logging.disable(logging.CRITICAL)

from transformers.tokenization_utils_base import PreTrainedTokenizerBase  # type: ignore[import-not-found]  # noqa: E402
from transformers.utils import chat_template_utils  # type: ignore[import-not-found]  # noqa: E402


def answer(tokenizer: Any, source: str, record: dict[str, Any]) -> dict[str, Any]:
    """One pair's answer."""
    given = copy.deepcopy(record)
    try:
        text = tokenizer.apply_chat_template(
            given["messages"],
            tools=given["tools"],
            documents=given["documents"],
            chat_template=source,
            tokenize=False,
            add_generation_prompt=given["add_generation_prompt"],
            continue_final_message=given["continue_final_message"],
            **given["variables"],
        )
    except Exception as error:  # noqa: BLE001 - a template may raise anything
        found = {"class": type(error).__name__, "message": str(error), "lines": lines_of(error)}
        return {"error": found}
    return {"text": text}


def lines_of(error: Exception) -> list[int]:
    """The template's lines at which the error may be said to have been raised."""
    if type(error).__name__ in ("TemplateSyntaxError", "TemplateAssertionError"):
        return [getattr(error, "lineno", 0)]
    lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
    return sorted(set(lines)) if isinstance(error, RecursionError) else lines[-1:]


def main() -> None:
    """Answers all that standard input asks."""
    asked = json.load(sys.stdin)
    frozen = datetime.fromisoformat(asked["now"])

    class Frozen(datetime):
        """A clock that stands still."""

        @classmethod
        def now(cls, _zone: Any = None) -> "Frozen":
            return cls.fromisoformat(frozen.isoformat())

    chat_template_utils.datetime = Frozen
    tokenizer = PreTrainedTokenizerBase()
    for template, conversation in asked["pairs"]:
        found = answer(tokenizer, asked["templates"][template], asked["conversations"][conversation])
        sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
