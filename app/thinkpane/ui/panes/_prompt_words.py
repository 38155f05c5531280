"""The prompt pane's words: where generation starts, faults, counts; and the prompt's segments as marks."""

import unicodedata

from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.tokens.segments import Segment, Segments
from thinkpane.ui.widgets.text_marks import Mark, Marks


def marks(prompt: Prompt) -> Marks:
    """The prompt's segments as marks: special tokens become chips."""
    segments = prompt.segments
    if not isinstance(segments, Segments):
        return Marks.of(segments, _mark)
    return Marks.of(segments, _mark, segments.starts, segments.version)


def _mark(segment: Segment) -> Mark:
    return Mark(segment.start, segment.end, "token" if segment.special else "text", segment.role)


def note(prompt: Prompt, template: Template) -> str:
    """What the model does at the end of the prompt; "" where nothing is generated there."""
    request = prompt.request
    if request is None or not prompt.text:
        return ""
    if request.add_generation_prompt is False and not request.continue_final_message:
        return ""
    end = opens_thinking(prompt.text, template)
    if end.open:
        return "← generation starts here, inside thinking"
    if end.closed_empty:
        return "← generation starts here, after an empty thinking block"
    return "← generation starts here"


def problem_line(problem: Problem) -> str:
    """The fault in one line: kind, place, sentence."""
    place = [problem.kind]
    if problem.line is not None:
        column = f", column {problem.column}" if problem.column is not None else ""
        place.append(f"line {problem.line}{column}")
    if problem.message_index is not None:
        place.append(f"message {problem.message_index + 1}")
    return f"{' · '.join(place)} — {problem.message}"


def counts(prompt: Prompt, lines: int) -> str:
    """How much it is and how long the render took. lines: how many it has."""
    if not prompt.text:
        return ""
    segments = prompt.segments
    special = segments.special_count if isinstance(segments, Segments) else sum(each.special for each in segments)
    found = [
        _counted(len(prompt.text), "character"),
        _counted(special, "special token"),
        _counted(lines, "line"),
        "the last good prompt, not the current one" if prompt.stale else f"rendered in {prompt.milliseconds:.1f} ms",
    ]
    return " · ".join(found)


def characters(text: str) -> str:
    """How many characters; a single one by its code and name."""
    if len(text) != 1:
        return _counted(len(text), "character")
    return f"U+{ord(text):04X} {unicodedata.name(text, '')}".strip()


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
