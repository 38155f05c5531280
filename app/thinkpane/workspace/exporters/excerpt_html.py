"""A part of a prompt as one HTML file: no script, nothing that is loaded, and nothing of the text becomes markup."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Final, Literal, TypeAlias

RunKind: TypeAlias = Literal["text", "token", "escape", "newline"]
"""token: a special token's chip; escape: stands for a character that hides; newline: the line's end, as a token."""

ROLES: Final = ("system", "user", "assistant", "tool", "thinking", "developer")
"""Message roles that have a colour; others have none."""

_PAGE: Final = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
$header<div class="prompt">
$lines
</div>
</body>
</html>
"""
)

_STYLE: Final = """body { margin: 0; padding: 16px; background: @pane; color: @text; max-width: @widthpx;
  font-family: system-ui, "DejaVu Sans", sans-serif; font-size: 13px; }
h1 { font-size: 13px; margin: 0 0 2px; overflow-wrap: anywhere; }
p { font-size: 11px; margin: 0 0 12px; color: @dim; overflow-wrap: anywhere; }
.prompt { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12px; line-height: 1.6;
  font-variant-ligatures: none; font-feature-settings: "liga" 0, "calt" 0; tab-size: 4; }
.line { display: flex; min-height: 1.6em; }
.gutter { flex: none; color: @dim; text-align: right; white-space: pre; user-select: none; }
.number { width: @numbers; } .from { width: @labels; margin-left: 10px; }
.bar { flex: none; width: 3px; margin: 0 8px; }
.words { flex: auto; min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.token { border-radius: 4px; padding: 2px 0; }
.escape { border-radius: 4px; background: @warning38; color: @warning; }
.forged { background: @bad42; text-decoration: underline solid @bad; }
.even { background: @text0D; } .odd { background: @text29; }
.ids .words { line-height: 1.3; }
.ids .part { display: inline-block; white-space: pre-wrap; max-width: 100%; vertical-align: top; margin: 0 1px 3px 0;
  padding: 0 2px 0 0; }
.ids .part[data-id]::after { content: attr(data-id); display: block; font-size: 9px; color: @dim; }
.newline::before { content: "↵"; color: @dim; }
@media print { body { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }"""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one line. text: as it is shown. role: a token's; shade: 0 or 1 = its token is shaded so, None = not.

    id: of the token that begins here, None = none does, or ids are not asked for. forged: it is a special token, or a
    part of one, that came from input.
    """

    text: str
    kind: RunKind = "text"
    role: str = ""
    shade: int | None = None
    id: int | None = None
    forged: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line. number: from 1. label: the template line that wrote it, 0 = not to be told. role: whose it is."""

    number: int
    runs: tuple[Run, ...]
    label: int = 0
    role: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is written. title, facts: the lines above, "" = none. gutter, ids: whether these are shown.

    colours: #rrggbb by the theme's names (pane, text, dim, warning, bad and the roles). width: pixels at most.
    """

    lines: Iterable[Line]
    colours: Mapping[str, str]
    title: str = ""
    facts: str = ""
    gutter: bool = True
    ids: bool = False
    width: int = 960


def html_page(excerpt: Excerpt) -> str:
    """The file's text; UTF-8 is its encoding."""
    lines = list(excerpt.lines)
    header = f"<h1>{_text(excerpt.title)}</h1>\n" if excerpt.title else ""
    header += f"<p>{_text(excerpt.facts)}</p>\n" if excerpt.facts else ""
    written = "\n".join(_line(each, gutter=excerpt.gutter) for each in lines)
    page = _PAGE.substitute(
        title=_text(excerpt.title or "Prompt"), style=_style(excerpt, lines), header=header, lines=written
    )
    return page.replace('<div class="prompt">', '<div class="prompt ids">', 1) if excerpt.ids else page


def _line(line: Line, *, gutter: bool) -> str:
    beside = ""
    if gutter:
        label = f"L{line.label}" if line.label else ""
        beside = (
            f'<span class="gutter number">{line.number}</span><span class="gutter from">{label}</span>'
            f'<span class="bar{_role(line.role, " bar-")}"></span>'
        )
    return f'<div class="line">{beside}<span class="words">{"".join(map(_run, line.runs))}</span></div>'


def _run(run: Run) -> str:
    names = ["part"]
    if run.kind != "text":
        names.append(run.kind)
    if run.kind == "token":
        names += [_role(run.role, "chip-")] if run.role in ROLES else ["chip-"]
    elif run.shade is not None:
        names.append(("even", "odd")[run.shade])
    if run.forged:
        names.append("forged")
    if names == ["part"] and run.id is None:
        return _text(run.text)
    number = f' data-id="{run.id:d}"' if run.id is not None else ""
    return f'<span class="{" ".join(names)}"{number}>{_text(run.text)}</span>'


def _style(excerpt: Excerpt, lines: list[Line]) -> str:
    numbers = max((len(str(line.number)) for line in lines), default=2)
    labels = max((len(str(line.label)) + 1 for line in lines if line.label), default=0)
    found = _STYLE.replace("@width", str(excerpt.width)).replace("@numbers", f"{max(numbers, 2)}ch")
    found = found.replace("@labels", f"{labels}ch")
    # Longer names first, so that no name is taken for the beginning of another.
    for name in sorted(excerpt.colours, key=len, reverse=True):
        found = found.replace(f"@{name}", excerpt.colours[name])
    return "\n".join([found, *_role_rules(excerpt.colours)])


def _role_rules(colours: Mapping[str, str]) -> Iterator[str]:
    for role in ROLES:
        colour = colours.get(role, colours["dim"])
        yield f".chip-{role} {{ background: {colour}38; color: {colour}; }} .bar-{role} {{ background: {colour}; }}"
    yield f".chip- {{ background: {colours['dim']}38; color: {colours['dim']}; }}"


def _role(role: str, before: str) -> str:
    """A class for a role; roles come from messages, so only known ones become a part of the markup."""
    return f"{before}{role}" if role in ROLES else ""


def _text(text: str) -> str:
    """Foreign text between tags, or in a double-quoted attribute; a half surrogate pair is no text of a file."""
    return escape(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
