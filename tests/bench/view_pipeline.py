"""The prompt on screen with every token shaded, after one keystroke: this program's way beside the usual one.

The usual way: jinja2's sandbox, `tokenizers.encode` with lists of ids, offsets and tokens, one HTML span a token,
QTextEdit.setHtml. Ours, in the same process: the program's render, incremental encoding, the text cut at special
tokens, the text view. Both end with the painted widget. Times are the process' CPU time, so that what else runs on the
machine counts for neither.
"""

import gc
import html
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import process_time
from typing import TypeVar

from PySide6.QtWidgets import QApplication, QTextEdit

from bench.corpus import conversation
from bench.figures import Figure
from bench.usual import Printed, printed, prompt, usual_template
from support import vocabularies
from support.token_feeds import described
from thinkpane.engine.environment import compiled
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.cutting import Cut, TextCutter
from thinkpane.prompt.tokenizer import Description
from thinkpane.templates.library import load
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.kinds.gguf import KIND
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.segments import Segment
from thinkpane.tokens.vocabulary import Vocabulary
from thinkpane.ui.models.token_layer import TokenLayer
from thinkpane.ui.widgets.text_change import changed_as
from thinkpane.ui.widgets.text_marks import Mark, Marks
from thinkpane.ui.widgets.text_view import TextView

SIZES = {"32k": (100, 1_080, 7, 80.0), "256k": (600, 1_500, 3, 300.0), "1M": (2_000, 1_790, 3, 500.0)}
"""Messages, characters of each, rounds, and how many times as fast ours must be."""

KEYSTROKES = 3
"""Of ours in a row, as they are typed; one of the other side takes seconds and empties the processor's caches."""

VOCABULARY, TEMPLATE = "qwen2", "chatml"


_Result = TypeVar("_Result")


def timed(act: Callable[[], _Result]) -> tuple[_Result, float]:
    """What `act` gives, and how many milliseconds of CPU time it took."""
    start = process_time()
    result = act()
    return result, (process_time() - start) * 1000


@dataclass(slots=True)
class Bench:
    """What both sides work with; `encoder` is as far as the last prompt."""

    whole: Vocabulary
    encoder: IncrementalEncoder
    view: TextView
    editor: QTextEdit
    description: Description | None = None
    cutter: TextCutter = field(default_factory=TextCutter)
    last: Printed = field(default_factory=lambda: Printed([], ""))

    def shown(self, new: Printed) -> float:
        """Milliseconds from a rendered prompt to the painted view, every token shaded."""
        cut, cutting = timed(lambda: self.cut(new))
        return cutting + self.encoded(cut) + timed(lambda: self.show(cut, self.layer()))[1]

    def encoded(self, cut: Cut) -> float:
        """Milliseconds from a cut text to its ids."""
        return timed(lambda: self.encoder.update(cut.text, cut.earlier, cut.change))[1]

    def cut(self, new: Printed) -> Cut:
        """The text cut at its special tokens, and what differs from the one before."""
        last, self.last = self.last, new
        known = last.text, new.change_from(last) if last.text else None
        return self.cutter.cut(new.text, ("<|im_start|>", "<|im_end|>", "<think>", "</think>"), {}, (), known)

    def show(self, cut: Cut, layer: TokenLayer) -> None:
        """What the prompt pane does with a prompt and its tokens, up to the painted rows."""
        known = None
        if cut.change is not None and cut.earlier is self.view.text:
            known = changed_as(cut.change, cut.earlier, cut.text)
        with self.view.together():
            self.view.set_text(
                cut.text, Marks.of(cut.segments, _mark, cut.segments.starts, cut.segments.version), known
            )
            self.view.set_tokens(layer)
        QApplication.processEvents()

    def layer(self) -> TokenLayer:
        """The tokens of the last prompt."""
        return TokenLayer(self.encoding, self.known)

    @property
    def known(self) -> Description:
        """What the vocabulary holds."""
        if self.description is None:
            self.description = described(self.whole)
        return self.description

    @property
    def encoding(self) -> Encoding:
        """The last prompt's."""
        return self.encoder.encoding


def bench() -> Bench | None:
    """The two sides with their widgets; None (and a word about it) without the published vocabularies."""
    path = vocabularies.file_of(VOCABULARY)
    if not path.exists():
        print(vocabularies.MISSING)
        return None
    whole = KIND.load(path)
    view, editor = TextView("bench"), QTextEdit()
    view.set_gutter(True)
    view.set_shaded(True)
    for widget in (view, editor):
        widget.resize(700, 800)
        widget.show()
    encoder = IncrementalEncoder(whole.cuts, pieces_of(whole.pieces()), whole.encode)
    return Bench(whole, encoder, view, editor, described(whole))


def talk_of(size: str) -> list[JsonValue]:
    """The conversation of a size."""
    messages, characters, *_ = SIZES[size]
    return conversation(messages, characters)


def typed(talk: list[JsonValue], number: int) -> list[JsonValue]:
    """The conversation with one more word in a message in its middle."""
    place = len(talk) // 2 + number
    message: JsonObject = {**talk[place], "content": f"{talk[place]['content']} x"}  # type: ignore[dict-item,index,call-overload]
    return [*talk[:place], message, *talk[place + 1 :]]


def rendered(talk: list[JsonValue]) -> Printed:
    """The prompt, by the program's environment in this process."""
    template, _ = compiled(load(TEMPLATE).source)
    return printed(template, talk)


def measure(found: Bench) -> list[Figure]:
    """By size: a keystroke, and the widgets' part of it; and the first show of the largest."""
    figures: list[Figure] = []
    for size, (*_, rounds, goal) in SIZES.items():
        talk = talk_of(size)
        first = _first(found, talk)
        whole: tuple[list[float], list[float]] = ([], [])
        part: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds):
            found.editor.clear()
            _settle()
            for _ in range(KEYSTROKES):
                talk = typed(talk, number)
                new, render = timed(lambda talk=talk: rendered(talk))  # type: ignore[misc]
                cut, cutting = timed(lambda new=new: found.cut(new))  # type: ignore[misc]
                encoded = found.encoded(cut)
                shown = timed(partial(found.show, cut, found.layer()))[1]
                whole[0].append(render + cutting + encoded + shown)
                part[0].append(shown)
            same, usual = timed(lambda talk=talk: prompt(usual_template(TEMPLATE), talk))  # type: ignore[misc]
            text = new.text
            assert text == same, "both sides must render the same prompt"
            lists, encoding = timed(lambda text=text: _lists(found.whole, text))  # type: ignore[misc]
            assert lists[0] == found.encoding.ids.tolist(), "both sides must shade the same tokens"
            html_shown = timed(partial(_show_html, found.editor, text, lists[1]))[1]
            whole[1].append(usual + encoding + html_shown)
            part[1].append(html_shown)
        name = f"prompt on screen, every token shaded, {size} ({len(found.encoding.ids):,} tokens)"
        figures += [
            Figure(f"{name}: all of a keystroke", median(whole[0]), median(whole[1]), bound="at least", goal=goal),
            Figure(f"{name}: the widget alone", median(part[0]), median(part[1])),
        ]
        found.editor.clear()
    name = "first show of 1M, over render and encode alone"
    return [*figures, Figure(name, *first, bound="at most", goal=2.0)]


def _settle() -> None:
    """Lets the other side's widget end what it put off, which is none of ours."""
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
        gc.collect()


def _first(found: Bench, talk: list[JsonValue]) -> tuple[float, float]:
    """What the first show of a conversation takes, and its render and encode alone."""
    found.encoder = IncrementalEncoder(found.whole.cuts, pieces_of(found.whole.pieces()), found.whole.encode)
    found.view.set_text("")
    new, render = timed(lambda: rendered(talk))
    cut, cutting = timed(lambda: found.cut(new))
    encoded = found.encoded(cut)
    shown = timed(lambda: found.show(cut, found.layer()))[1]
    return render + cutting + encoded + shown, render + encoded


def _mark(segment: Segment) -> Mark:
    return Mark(segment.start, segment.end, "token" if segment.special else "text", segment.role)


def _lists(whole: Vocabulary, text: str) -> tuple[list[int], list[tuple[int, int]], list[str]]:
    encoded = whole._tokenizer.encode(text, add_special_tokens=False)
    return encoded.ids, encoded.offsets, encoded.tokens


def _show_html(editor: QTextEdit, text: str, offsets: list[tuple[int, int]]) -> None:
    shades = ("#dde", "#eed")
    spans = [
        f'<span style="background:{shades[number % 2]}">{html.escape(text[start:end])}</span>'
        for number, (start, end) in enumerate(offsets)
    ]
    editor.setHtml(f'<pre style="white-space:pre-wrap">{"".join(spans)}</pre>')
    QApplication.processEvents()
    editor.viewport().repaint()
