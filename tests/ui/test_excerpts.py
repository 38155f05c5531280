"""Excerpts of the prompt as PNG, SVG, PDF and HTML: exactly the part, in the pane's look."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from support.encoded import MARKS, encoded
from support.told import wait_told
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.segments import cut
from thinkpane.ui import theme
from thinkpane.ui.dialogs.export_prompt import ExportDialog
from thinkpane.ui.excerpts import pdf_pages
from thinkpane.ui.excerpts.excerpt import Excerpt, Look, excerpt_of
from thinkpane.ui.excerpts.kinds import KINDS
from thinkpane.ui.excerpts.lines import lines_of, written
from thinkpane.ui.excerpts.pdf_pages import PdfPages
from thinkpane.ui.excerpts.pictures import MOST_HEIGHT, png, svg
from thinkpane.ui.excerpts.sheet import Sheet
from thinkpane.ui.models.token_layer import TokenLayer
from thinkpane.ui.widgets.text_gutter import Labels
from thinkpane.ui.widgets.text_lit import lit
from thinkpane.workspace.exporters.excerpt_html import html_page

TEXT = "secret before\n<|im_start|>user\n<b>Hé</b>\u200b 日本 😀\n<|im_end|>\nsecret after"
START, END = TEXT.index("<|im_start|>"), TEXT.index("\nsecret after")
PART = TEXT[START:END]
DARK = Look(theme.DARK)


def excerpt(start: int = START, end: int = END, text: str = TEXT) -> Excerpt:
    found = encoded(text)
    assert found.encoding is not None
    assert found.known is not None
    labels = Labels(lambda position: 7 if position >= START else 3, 9, lambda _start, _end: "user")
    prompt = Prompt(text, cut(text, MARKS, {}))
    return excerpt_of(prompt, TokenLayer(found.encoding, found.known), labels, start, end, "models/My template.jinja")


def svg_text(data: bytes) -> str:
    return "".join(each.text or "" for each in ElementTree.fromstring(data).iter("{http://www.w3.org/2000/svg}text"))


def test_an_excerpt_holds_nothing_of_the_rest(qapp: object) -> None:
    found = excerpt()
    assert found.text == PART
    assert (found.first_line, found.name) == (2, "my-template-prompt-15-57")
    assert found.facts == "tokens 15–47 of 60 tokens · characters 15–57 of 70"
    assert [(mark.start, mark.end, mark.kind) for mark in found.marks] == [
        (0, 12, "token"),
        (12, 33, "text"),
        (33, 43, "token"),
    ]
    assert found.tokens is not None
    tokens = found.tokens.between(0, len(PART))
    assert (tokens[0].start, tokens[0].end, tokens[-1].start, tokens[-1].end) == (0, 12, 33, 43)
    assert found.labels is not None
    assert found.labels.at(0) == 7
    whole = excerpt(0, len(TEXT))
    assert (whole.name, whole.facts) == ("my-template-prompt", "60 tokens · 70 characters")


def test_a_token_at_the_edge_is_cut_off_there(qapp: object) -> None:
    found = excerpt(START + 3, START + 6)
    assert found.tokens is not None
    assert [(each.start, each.end) for each in found.tokens.between(0, 3)] == [(0, 3)]
    assert found.facts == "token 15 of 60 tokens · characters 18–20 of 70"


def test_a_png_has_the_theme_s_ground_and_two_dots_a_pixel(qapp: object) -> None:
    for each in (theme.DARK, theme.LIGHT):
        sheet = Sheet(excerpt(), Look(each))
        picture = QImage.fromData(png(sheet))
        assert (picture.width(), picture.height()) == (1520, 2 * int(sheet.height(sheet.count_rows(99))))
        assert picture.pixelColor(2, 2) == QColor(each.pane)
        assert picture.pixelColor(picture.width() - 3, picture.height() - 3) == QColor(each.pane)


def test_painting_leaves_the_window_s_theme_alone(qapp: object) -> None:
    before = theme.state().theme, theme.state().zoom
    theme.state().zoom = 2.0
    try:
        sheet = Sheet(excerpt(), Look(theme.LIGHT))
        large = QImage.fromData(png(sheet)).size()
        assert theme.state().zoom == 2.0
    finally:
        theme.state().zoom = before[1]
    assert theme.state().theme is before[0]
    assert QImage.fromData(png(Sheet(excerpt(), Look(theme.LIGHT)))).size() == large


def test_an_svg_holds_the_text_as_text_and_no_more(qapp: object) -> None:
    data = svg(Sheet(excerpt(), replace(DARK, gutter=False, title=False)))
    text = svg_text(data)
    assert "secret" not in data.decode()
    assert "<b>Hé</b>" in text
    assert "\\u200B" in text
    assert "日本" in text
    assert not re.search(r"<(script|image|a|foreignObject|use)\b|href=", data.decode())
    assert 'textLength="' in data.decode()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                ["</text>", "<script>", "&amp;", "]]>", '"', "\x00", "\x1b", "\ud800", "\ufffe", "\u202e", "\t"]
            ),
            st.characters(),
        ),
        max_size=20,
    )
)
def test_no_text_breaks_an_svg(parts: list[str]) -> None:
    text = "".join(parts)
    found = excerpt_of(Prompt(text), None, None, 0, len(text), text)
    root = ElementTree.fromstring(svg(Sheet(found, replace(DARK, shaded=False))))
    kinds = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert kinds <= {"svg", "title", "desc", "style", "defs", "g", "rect", "path", "text", "polyline", "image"}


def test_an_svg_is_drawn_as_the_png_is(qapp: object) -> None:
    sheet = Sheet(excerpt(), DARK)
    expected = QImage.fromData(png(sheet))
    drawn = QImage(expected.size(), QImage.Format.Format_RGB32)
    painter = QPainter(drawn)
    renderer = QSvgRenderer(QByteArray(svg(sheet)))
    assert renderer.isValid()
    renderer.render(painter)
    painter.end()
    points = [(x, y) for x in range(0, expected.width(), 4) for y in range(0, expected.height(), 4)]
    apart = sum(_far(expected.pixelColor(x, y), drawn.pixelColor(x, y)) for x, y in points)
    assert apart / len(points) < 0.05


def test_a_pdf_has_as_many_pages_as_it_takes(qapp: object) -> None:
    long = "one line\n" * 200
    pages = PdfPages(Sheet(excerpt(0, len(long), long), DARK))
    assert list(pages.written()) == [1, 2, 3, 4]
    assert pages.data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b(?!s)", pages.data)) == 4


def test_what_is_absurdly_long_is_refused_in_one_sentence(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "x\n" * 1000
    with pytest.raises(ThinkpaneError) as raised:
        png(Sheet(excerpt(0, len(long), long), DARK))
    assert raised.value.problem.message == (
        f"A picture would be more than {MOST_HEIGHT:,} pixels high: export as PDF or HTML, or select less."
    )
    monkeypatch.setattr(pdf_pages, "MOST_PAGES", 2)
    with pytest.raises(ThinkpaneError, match="more than 2 pages"):
        list(PdfPages(Sheet(excerpt(0, len(long), long), DARK)).written())
    refusal = KINDS[0].refusal(400_001)
    assert refusal is not None
    assert refusal.message == "PNG takes 400,000 characters at most, and these are 400,001: select less."


def test_lines_hold_every_character_and_each_token_s_id_once(qapp: object) -> None:
    found = excerpt()
    lines = list(lines_of(found, replace(DARK, ids=True)))
    assert [line.number for line in lines] == [2, 3, 4]
    assert [line.label for line in lines] == [7, 7, 7]
    words = "\n".join("".join(run.text for run in line.runs) for line in lines)
    assert words == PART.replace("\u200b", "\\u200B")
    assert [run.text for run in lines[1].runs if run.kind == "escape"] == ["\\u200B"]
    assert [(run.text, run.role) for run in lines[2].runs] == [("<|im_end|>", "user")]
    ids = [run.id for line in lines for run in line.runs if run.id is not None]
    assert found.tokens is not None
    tokens = found.tokens.between(0, len(PART))
    places = {each.start: each.id for each in reversed(tokens)}
    assert ids == [places[start] for start in sorted(places)]


def test_what_was_forged_is_red_in_every_form(qapp: object) -> None:
    inside = TEXT.index("Hé")
    found = excerpt_of(Prompt(TEXT), None, None, START, END, "x", lit([(2, 4), (inside, inside + 2)]))
    assert found.forged == lit([(inside - START, inside + 2 - START)])
    runs = [run for line in lines_of(found, DARK) for run in line.runs]
    assert [run.text for run in runs if run.forged] == ["Hé"]
    assert '<span class="part forged">Hé</span>' in html_page(written(found, DARK))
    plain = replace(found, forged=lit([]))
    assert png(Sheet(found, DARK)) != png(Sheet(plain, DARK))


def test_the_page_holds_nothing_of_the_rest(qapp: object) -> None:
    page = html_page(written(excerpt(), replace(DARK, ids=True)))
    assert "secret" not in page
    assert "&lt;b&gt;" in re.sub(r"<[^>]*>", "", page)
    assert "<b>" not in page


@pytest.fixture
def dialog(qtbot: QtBot) -> ExportDialog:
    found = ExportDialog(excerpt())
    qtbot.addWidget(found)
    return found


@pytest.mark.parametrize(("number", "magic"), [(0, b"\x89PNG"), (1, b"<?xml"), (2, b"<!DOCTYPE html>"), (3, b"%PDF-")])
def test_the_dialog_writes_each_kind(
    dialog: ExportDialog, qtbot: QtBot, tmp_path: Path, number: int, magic: bytes
) -> None:
    dialog.kind.setCurrentIndex(number)
    path = tmp_path / f"out{dialog.chosen.suffix}"
    dialog.ask_path = lambda _kind: path
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    assert path.read_bytes().startswith(magic)
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_return_exports(dialog: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    dialog.ask_path = lambda _kind: tmp_path / "out.png"
    dialog.show()
    with qtbot.waitSignal(dialog.exported):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (tmp_path / "out.png").exists()


def test_the_preview_follows_the_choices(dialog: ExportDialog, qtbot: QtBot) -> None:
    assert dialog.facts.text().startswith("3 rows · tokens 15–47 of 60 tokens")
    before = dialog.preview.pixmap().size()
    dialog.width_.setCurrentIndex(0)
    qtbot.waitUntil(lambda: dialog.preview.pixmap().width() == 480)
    dialog.ids.setChecked(True)
    qtbot.waitUntil(lambda: dialog.preview.pixmap().height() > before.height())
    dialog.scheme.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.preview.pixmap().toImage().pixelColor(1, 1) == QColor(theme.LIGHT.pane))


def test_a_file_that_cannot_be_written_is_told_and_the_dialog_stays(dialog: ExportDialog, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    dialog.ask_path = lambda _kind: tmp_path / "file" / "out.png"
    dialog.show()
    dialog.export()
    assert "could not be written" in dialog.problem.text()
    assert dialog.save.isEnabled()
    assert dialog.isVisible()


def test_too_much_for_a_kind_is_told_before(qtbot: QtBot) -> None:
    found = ExportDialog(excerpt(0, 400_001, "x" * 400_001))
    qtbot.addWidget(found)
    assert found.problem.text() == "PNG takes 400,000 characters at most, and these are 400,001: select less."
    assert not found.save.isEnabled()
    found.kind.setCurrentIndex(3)
    qtbot.waitUntil(found.save.isEnabled)
    assert not found.problem.text()


def test_without_tokens_only_what_needs_them_is_off(qtbot: QtBot) -> None:
    plain = excerpt_of(Prompt("abc"), None, None, 0, 3, "")
    found = ExportDialog(plain)
    qtbot.addWidget(found)
    assert (plain.name, plain.facts) == ("prompt", "3 characters")
    assert not found.ids.isEnabled()
    assert not found.shaded.isChecked()
    assert found.gutter.isEnabled()


def test_closing_ends_what_is_being_written(dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.kind.setCurrentIndex(3)
    path = tmp_path / "out.pdf"
    dialog.ask_path = lambda _kind: path
    dialog.export()
    dialog.reject()
    assert not path.exists()


def _far(one: QColor, other: QColor) -> bool:
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return max(abs(a - b) for a, b in pairs) > 48


def test_a_page_that_is_ready_when_the_dialog_is_closed_is_not_written(dialog: ExportDialog, tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    dialog.kind.setCurrentIndex([each.id for each in KINDS].index("html"))
    dialog.ask_path = lambda _kind: path
    dialog.export()
    assert dialog._page is not None
    wait_told(dialog._page)
    dialog.reject()
    QApplication.processEvents()
    assert not path.exists()
