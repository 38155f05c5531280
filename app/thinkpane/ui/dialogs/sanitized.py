"""What the model would get with sanitised input: the prompt, with the tokens marked that are plain text then."""

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from thinkpane.analysis.sanitized_prompt import SanitizedPrompt
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
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
        self._at = -1
        self.summary = plain_label(summary(found, assembled), "error" if found.problem else "")
        self.summary.setWordWrap(True)
        self.rule = plain_label(_RULE, "dim")
        self.rule.setWordWrap(True)
        self.view = TextView("The sanitised prompt")
        self.view.set_text(text, self._marks)
        self.where = plain_label("", "dim")
        self.where.setAccessibleName("Place at hand")
        self.previous, self.next = _button("Previous", "Shift+F7"), _button("Next", "F7")
        self.previous.clicked.connect(lambda: self._go(self._at - 1))
        self.next.clicked.connect(lambda: self._go(self._at + 1))
        self._lay_out()
        self._go(0)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.where, 1)
        bar.addWidget(self.previous)
        bar.addWidget(self.next)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self.summary)
        column.addWidget(self.view, 1)
        column.addLayout(bar)
        column.addWidget(self.rule)
        column.addWidget(box)

    def _go(self, number: int) -> None:
        """To that marked place, round to the other end."""
        for each in (self.previous, self.next):
            each.setEnabled(bool(self._marks))
        if not self._marks:
            return
        self._at = number % len(self._marks)
        mark = self._marks[self._at]
        self.view.select(mark.start, mark.end)
        token = self.view.text[mark.start : mark.end]
        what = {"plain": "plain text now", "removed": "only without sanitising", "added": "only with it"}
        self.where.setText(f"{self._at + 1:,} of {len(self._marks):,}: {token} is {what[mark.role]}")


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


def _button(text: str, keys: str) -> QPushButton:
    found = QPushButton(text)
    found.setShortcut(QKeySequence(keys))
    found.setToolTip(plain_tip(f"{text} place ({keys})"))
    found.setAutoDefault(False)
    return found
