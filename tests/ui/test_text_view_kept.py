"""What the view keeps of a row through edits looks as a view would that never saw another text."""

from collections.abc import Sequence
from typing import cast

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from support.small_vocabularies import byte_pairs
from support.text_views import exposed_view
from support.token_feeds import described, layer
from thinkpane.prompt.cutting import Cut, TextCutter
from thinkpane.tokens.encoding import Place
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.segments import Segment
from thinkpane.ui.models.token_layer import TokenLayer
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_gutter import GutterRow, gutter_row
from thinkpane.ui.widgets.text_layout import LaidPiece
from thinkpane.ui.widgets.text_marks import Mark, Marks
from thinkpane.ui.widgets.text_shades import TokenBox, boxes
from thinkpane.ui.widgets.text_view import TextView

VOCABULARY = byte_pairs(["<|im_start|>", "<|im_end|>"], nfc=True)
KNOWN = described(VOCABULARY)
PIECES = pieces_of(VOCABULARY.pieces())
TURN = "<|im_start|>user\nthe same\nthe same\n\nthen e\u0301 the<|im_end|>\n"
PUT = st.sampled_from(
    ["", "x", "\n", "the same\n", "<|im_end|>", "<|im_start|>system\n", "e\u0301", "\u0301", "\r", TURN, "<|im_"]
)
EDITS = st.lists(st.tuples(st.integers(0, len(TURN) * 3), st.sampled_from([0, 0, 1, 9, 30]), PUT, st.integers(0, 3)))
Seen = tuple[tuple[object, ...], tuple[object, ...], GutterRow]


class Typing:
    """A view whose text is edited, with its cutting and its tokens. The first text is three turns alike."""

    def __init__(self, view: TextView) -> None:
        self.text = TURN * 3
        self._view = view
        self._cutter = TextCutter()
        self._encoder = IncrementalEncoder(VOCABULARY.cuts, PIECES, VOCABULARY.encode)
        self.places: dict[str, Sequence[Place]] = {}
        self.show(3)

    def type(self, at: int, gone: int, put: str, what: int) -> None:
        """what comes: 0 = the text, 1 = and its marks, 2 = and its tokens, 3 = and then places that were unknown."""
        self.text = self.text[:at] + put + self.text[at + gone :]
        self.show(what)

    def show(self, what: int) -> None:
        """Shows the text as the prompt pane does."""
        cut = self._cutter.cut(self.text, ("<|im_start|>", "<|im_end|>"), {}, ())
        with self._view.together():
            self._view.set_text(cut.text, marks(cut) if what else ())
            if what > 1:
                self._view.set_tokens(TokenLayer(self._encoder.update(cut.text), KNOWN, self.places.get))
        if what > 2:
            encoding = self._encoder.encoding
            for text in map(encoding.row_text, range(len(encoding))):
                self.places[text] = VOCABULARY.offsets(text)[1]


def marks(cut: Cut) -> Marks:
    """The segments as marks."""
    return Marks.of(cut.segments, _mark, cut.segments.starts, cut.segments.version)


def _mark(segment: Segment) -> Mark:
    return Mark(segment.start, segment.end, "token" if segment.special else "text", segment.role)


def looks(view: TextView) -> list[tuple[LaidPiece, int, GutterRow, list[TokenBox]]]:
    """The rows in sight as the view remembers them."""
    return cast("list[tuple[LaidPiece, int, GutterRow, list[TokenBox]]]", view._seen)


def seen(view: TextView) -> list[Seen]:
    """What each row in sight shows, without the numbers of its tokens, which may be those from before an edit."""
    found: list[Seen] = []
    for laid, _row, beside, its in looks(view):
        drawn = tuple(
            (
                box.token.id,
                box.token.count,
                box.left,
                box.right,
                box.begins,
                box.before,
                box.goes_on,
                box.odd,
                box.is_chip,
            )
            for box in its
        )
        found.append(((laid.piece, *laid.chips), drawn, beside))
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(EDITS)
@example([(0, 18, "", 2), (0, 0, "the same\n", 2), (70, 0, "x", 2)])
@example([(20, 0, "x", 0), (40, 0, "x", 2), (60, 0, "x", 3), (80, 0, "x", 2)])
def test_rows_that_were_kept_look_as_new_ones(qtbot: QtBot, edits: list[tuple[int, int, str, int]]) -> None:
    view, fresh = exposed_view(qtbot), exposed_view(qtbot)
    for each in (view, fresh):
        each.set_gutter(True)
        each.set_shaded(True)
    typing = Typing(view)
    for edit in edits:
        typing.type(*edit)
    typing.type(len(typing.text), 0, "!", 2)
    own = TextCutter().cut(typing.text, ("<|im_start|>", "<|im_end|>"), {}, ())
    fresh.set_text(own.text, marks(own))
    fresh.set_tokens(TokenLayer(layer(own.text, VOCABULARY).encoding, KNOWN, typing.places.get))
    assert seen(view) == seen(fresh)
    tokens = view.tokens
    assert tokens is not None
    assert looks(view)
    for laid, row, beside, its in looks(view):
        assert gutter_row(view.rows, None, laid, row) == beside
        assert boxes(laid, row, tokens) == its


def test_a_line_that_moved_unseen_is_not_taken_for_another_one(qtbot: QtBot) -> None:
    view, fresh = exposed_view(qtbot), exposed_view(qtbot)
    encoder = IncrementalEncoder(VOCABULARY.cuts, PIECES, VOCABULARY.encode)
    first = "Q\nthe\nQ\nthe\n\n\nthen<|im_end|>\nuser<|im_end|>\n"
    for each in (view, fresh):
        each.set_shaded(True)
    view.set_text(first)
    view.set_tokens(TokenLayer(encoder.update(first), KNOWN))
    last = first + "x"
    with view.together():
        view.set_text(first[6:], (), Change(0, 6, ""))
        view.set_text(first[6:] + "x")
        view.set_text(last, (), Change(6, 6, first[:6]))
        view.set_tokens(TokenLayer(encoder.update(last), KNOWN))
    fresh.set_text(last)
    fresh.set_tokens(layer(last, VOCABULARY))
    assert [drawn for _, drawn, _ in seen(view)] == [drawn for _, drawn, _ in seen(fresh)]


def test_marks_of_a_text_that_was_changed_without_them_are_not_trusted(qtbot: QtBot) -> None:
    view = exposed_view(qtbot)
    cutter = TextCutter()
    first = cutter.cut(TURN, ("<|im_start|>", "<|im_end|>"), {}, ())
    view.set_text(first.text, marks(first))
    view.splice(0, 0, "x\n")
    last = cutter.cut(f"xy\n{TURN}", ("<|im_start|>", "<|im_end|>"), {}, ())
    view.set_text(last.text, marks(last))
    chips = [chip for laid, _ in view.rows.rows_from(view.rows.first()) for chip in laid.chips]
    assert chips == [(each.start, each.end, each.role) for each in last.segments if each.special]
