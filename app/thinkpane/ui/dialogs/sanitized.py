"""What the model would get with sanitised input: the prompt, with the tokens marked that are plain text then."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from thinkpane.analysis.sanitized_prompt import SanitizedPrompt
from thinkpane.ui.dialogs.place_steps import PlaceSteps
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_view import TextView

_RULE = (
    "As transformers 5.24 does with sanitize_control_tokens=True: whole control tokens in messages, tools, documents "
    "and variables are encoded as plain text. What the template puts together from pieces, and keys of objects, stay "
    "as they are."
)


class SanitizedDialog(QDialog):
    """The sanitised prompt. assembled: how many tokens the template makes with input, which this does not stop."""

    def __init__(self, found: SanitizedPrompt, assembled: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sanitised input")
        self.resize(860, 600)
        text, self._marks = marked_text(found)
        self.summary = plain_label(summary(found, assembled), "error" if found.problem else "")
        self.summary.setWordWrap(True)
        self.rule = plain_label(_RULE, "dim")
        self.rule.setWordWrap(True)
        self.view = TextView("The sanitised prompt")
        self.view.set_text(text, self._marks)
        self.steps = PlaceSteps("place", len(self._marks))
        self.steps.reached.connect(self._on_steps_reached)
        self._lay_out()
        self.steps.go(0)

    def _lay_out(self) -> None:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self.summary)
        column.addWidget(self.view, 1)
        column.addWidget(self.steps)
        column.addWidget(self.rule)
        column.addWidget(box)

    def _on_steps_reached(self, number: int) -> None:
        mark = self._marks[number]
        self.view.select(mark.start, mark.end)
        token = self.view.text[mark.start : mark.end]
        what = {"plain": "plain text now", "removed": "only without sanitising", "added": "only with it"}
        self.steps.where.setText(f"{number + 1:,} of {len(self._marks):,}: {token} is {what[mark.role]}")


def marked_text(found: SanitizedPrompt) -> tuple[str, list[Mark]]:
    """What is shown: both texts in one where they differ; what is plain text now, and what differs, is marked."""
    marks: list[Mark] = []
    at = after = 0
    plain = list(found.plain)
    for piece in found.pieces:
        end = at + len(piece.text)
        if piece.kind == "removed":
            marks.append(Mark(at, end, "token", "removed"))
            at = end
            continue
        inside = [(max(a, after) - after + at, min(b, after + len(piece.text)) - after + at) for a, b in plain]
        stretches = [(a, b) for a, b in inside if a < b]
        edge = at
        for start, stop in stretches:
            if piece.kind == "added" and start > edge:
                marks.append(Mark(edge, start, "token", "added"))
            marks.append(Mark(start, stop, "token", "plain"))
            edge = stop
        if piece.kind == "added" and edge < end:
            marks.append(Mark(edge, end, "token", "added"))
        at, after = end, after + len(piece.text)
    return "".join(each.text for each in found.pieces), marks


def summary(found: SanitizedPrompt, assembled: int) -> str:
    """What became of the prompt, in a sentence or two."""
    if found.problem is not None:
        return found.problem.message
    count = len(found.plain)
    said = f"{count:,} control token{' is' if count == 1 else 's are'} encoded as plain text."
    if found.after != found.before:
        said += " The template also wrote another text, since its input was marked."
    if found.tokens is not None:
        said += f" {found.tokens[1]:,} tokens in place of {found.tokens[0]:,}."
    if assembled:
        said += f" {assembled:,} assembled with the template {'is' if assembled == 1 else 'are'} still there."
    return said
