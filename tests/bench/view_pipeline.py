"""The prompt on screen with every token shaded, after one keystroke: this program's way beside the usual one.

The usual way: jinja2's sandbox, `tokenizers.encode` with lists of ids, offsets and tokens, one HTML span a token,
QTextEdit.setHtml. Ours, in the same process and with the same render: incremental encoding, the text cut at special
tokens, the text view. Both end with the painted widget. Times are the thread's own CPU time, so that what else runs on
the machine counts for neither.
"""

import html
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import thread_time
from typing import TypeVar

from PySide6.QtWidgets import QApplication, QTextEdit

from bench.corpus import conversation, tools
from bench.figures import Figure
from support import vocabularies
from support.token_feeds import described
from thinkpane.engine.environment import compiled
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.tokenizer import Description
from thinkpane.templates.library import load
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.kinds.gguf import KIND
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.segments import Segment, cut
from thinkpane.tokens.vocabulary import Vocabulary
from thinkpane.ui.models.token_layer import TokenLayer
from thinkpane.ui.widgets.text_marks import Mark, Marks
from thinkpane.ui.widgets.text_view import TextView

SIZES = {"32k": (100, 1_080, 7, 80.0), "256k": (600, 1_500, 3, 300.0), "1M": (2_000, 1_750, 2, 500.0)}
"""Messages, characters of each, rounds, and how many times as fast ours must be (reference/performance.md, P4)."""

VOCABULARY = "qwen2"


_Result = TypeVar("_Result")


def timed(act: Callable[[], _Result]) -> tuple[_Result, float]:
    """What `act` gives, and how many milliseconds of CPU time it took this thread."""
    start = thread_time()
    result = act()
    return result, (thread_time() - start) * 1000


@dataclass(slots=True)
class Bench:
    """What both sides work with; `encoder` is as far as the last prompt."""

    whole: Vocabulary
    encoder: IncrementalEncoder
    view: TextView
    editor: QTextEdit
    description: Description | None = None

    def shown(self, text: str) -> float:
        """Milliseconds from a rendered text to the painted view, every token shaded."""
        return self.encoded(text) + timed(lambda: self.show(text, self.layer(), self.marks(text)))[1]

    def encoded(self, text: str) -> float:
        """Milliseconds from a rendered text to its ids."""
        return timed(lambda: self.encoder.update(text))[1]

    def marks(self, text: str) -> Marks:
        """The text cut at its special tokens."""
        return Marks.of(cut(text, ("<|im_start|>", "<|im_end|>", "<think>", "</think>"), {}), _mark)

    def show(self, text: str, layer: TokenLayer, marks: Marks) -> None:
        """What the prompt pane does with a prompt and its tokens, up to the painted rows."""
        self.view.set_text(text, marks)
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


def rendered(talk: list[JsonValue]) -> str:
    """The prompt, by jinja2 in this process."""
    template, _ = compiled(load("chatml").source)
    return str(template.render(messages=talk, tools=tools(), documents=None, add_generation_prompt=True))


def measure(found: Bench) -> list[Figure]:
    """By size: a keystroke; and the first show of the largest."""
    figures: list[Figure] = []
    for size, (*_, rounds, goal) in SIZES.items():
        talk = talk_of(size)
        text, render = timed(lambda talk=talk: rendered(talk))  # type: ignore[misc]
        first = render + found.shown(text)
        again = found.encoder
        found.encoder = IncrementalEncoder(found.whole.cuts, pieces_of(found.whole.pieces()), found.whole.encode)
        encoded = found.encoded(text)
        found.encoder = again
        ours: list[float] = []
        theirs: list[float] = []
        for number in range(rounds):
            talk = typed(talk, number)
            text, render = timed(lambda talk=talk: rendered(talk))  # type: ignore[misc]
            ours.append(render + found.shown(text))
            theirs.append(render + timed(lambda text=text: _html_shown(found, text))[1])  # type: ignore[misc]
        count = f"{len(found.encoding.ids):,} tokens"
        name = f"prompt on screen, every token shaded, {size} ({count}): QTextEdit HTML over ours"
        figures.append(Figure(name, median(ours), median(theirs), bound="at least", goal=goal))
        if size == "1M":
            name = f"first show of {size}, over render and encode alone"
            figures.append(Figure(name, first, render + encoded, bound="at most", goal=2.0))
        found.editor.clear()
    return figures


def _mark(segment: Segment) -> Mark:
    return Mark(segment.start, segment.end, "token" if segment.special else "text", segment.role)


def _html_shown(found: Bench, text: str) -> None:
    encoded = found.whole._tokenizer.encode(text, add_special_tokens=False)
    ids, offsets, tokens = encoded.ids, encoded.offsets, encoded.tokens
    assert len(ids) == len(offsets) == len(tokens) == len(found.encoding.ids), "both sides must shade the same tokens"
    shades = ("#dde", "#eed")
    spans = [
        f'<span style="background:{shades[number % 2]}">{html.escape(text[start:end])}</span>'
        for number, (start, end) in enumerate(offsets)
    ]
    found.editor.setHtml(f'<pre style="white-space:pre-wrap">{"".join(spans)}</pre>')
    QApplication.processEvents()
    found.editor.viewport().repaint()
