"""An excerpt as one HTML file: nothing of the prompt becomes markup, and nothing is loaded or run."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.workspace.exporters.excerpt_html import Excerpt, Line, Run, RunKind, html_page

COLOURS = {
    "pane": "#1a1d23",
    "text": "#d7dbe3",
    "dim": "#8b93a3",
    "warning": "#e0b04c",
    "bad": "#e5716f",
    "system": "#b48ead",
    "user": "#6ea8fe",
    "assistant": "#58c48d",
    "tool": "#e0b04c",
}
TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "p", "div", "span"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "data-id"}
HOSTILE = (
    "</style><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "]]>",
    "<!--",
    "&lt;b&gt;&amp;",
    '"><svg onload="x">',
    "$title",
    "@pane",
    "javascript:alert(1)",
    "</div></body>",
    "\x00\x0b\ufffe",
    "\ud800",
)


class Read(HTMLParser):
    """What a reader of the file makes of it: tags, attributes, and the text in the lines' words."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: dict[str, list[str]] = {}
        self.comments: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "meta":
            return
        names = (dict(attrs).get("class") or "").split()
        self._open.append("words" if "words" in names else tag)
        self.texts.setdefault(self._open[-1], []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        place = "words" if "words" in self._open else self._open[-1] if self._open else "outside"
        found = self.texts.setdefault(place, [""])
        found[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


KINDS: list[RunKind] = ["text", "token", "escape"]
WORDS = st.one_of(st.text(max_size=30), st.sampled_from(HOSTILE))
RUNS = st.builds(
    Run,
    WORDS,
    st.sampled_from(KINDS),
    st.one_of(st.sampled_from(["user", "tool", ""]), WORDS),
    st.sampled_from([None, 0, 1]),
    st.one_of(st.none(), st.integers(0, 300_000)),
    st.booleans(),
)
LINE = st.builds(
    Line,
    st.integers(1, 9999),
    st.lists(RUNS, min_size=1, max_size=5).map(tuple),
    st.integers(0, 500),
    WORDS,
)
LINES = st.lists(LINE, min_size=1, max_size=4)


@given(LINES, WORDS, WORDS, st.booleans(), st.booleans())
def test_nothing_of_the_prompt_becomes_markup(
    lines: list[Line], title: str, facts: str, gutter: bool, ids: bool
) -> None:
    page = html_page(Excerpt(lines, COLOURS, title, facts, gutter, ids))
    read = Read(page)
    assert set(read.tags) <= TAGS
    assert {name for name, _ in read.attributes} <= ATTRIBUTES
    assert read.comments == []
    assert read.tags.count("div") == 1 + len(lines)
    for name, value in read.attributes:
        if name == "class":
            assert re.fullmatch(r"[a-z -]+", value or "")
        if name == "data-id":
            assert (value or "").isdigit()
    expected = ["".join(_readable(run.text) for run in line.runs) for line in lines]
    assert [_line_ends(each) for each in read.texts["words"]] == [_line_ends(each) for each in expected]


@given(WORDS, WORDS)
def test_title_and_facts_are_read_back(title: str, facts: str) -> None:
    read = Read(html_page(Excerpt([Line(1, (Run("x"),))], COLOURS, title, facts)))
    for tag, words in (("h1", title), ("p", facts)):
        assert [_line_ends(each) for each in read.texts.get(tag, [])] == [_line_ends(_readable(words))] * bool(words)


def test_nothing_is_loaded_and_nothing_runs() -> None:
    page = html_page(Excerpt([Line(1, (Run("x", "token", "user", None, 7),), 12, "user")], COLOURS, "T", "F", ids=True))
    assert "default-src 'none'" in page
    assert not re.search(r"url\(|@import|src=|href=|<script|<link|https?:", page)
    assert "@" not in page.replace("@media print", "")
    assert 'class="prompt ids"' in page
    assert '<span class="part token chip-user" data-id="7">x</span>' in page
    assert 'class="bar bar-user"' in page
    assert ">L12<" in page


def test_without_gutter_and_title_only_the_words_are_there() -> None:
    page = html_page(Excerpt([Line(8, (Run("a & b"),))], COLOURS, gutter=False))
    assert "<h1>" not in page
    assert '<div class="line"><span class="words">a &amp; b</span></div>' in page


@pytest.mark.parametrize("colour", ["pane", "text", "dim", "warning", "bad"])
def test_the_colours_are_the_theme_s(colour: str) -> None:
    page = html_page(Excerpt([], COLOURS | {colour: "#123456"}))
    assert "#123456" in page


def _readable(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _line_ends(text: str) -> str:
    """Readers of HTML see one kind of line end; a NUL and a few others are U+FFFD or nothing to some of them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
