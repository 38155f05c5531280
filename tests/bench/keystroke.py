"""One keystroke at 32k tokens, to the prompt on screen: this program's way beside the usual one, in the same run.

The usual way is what a quick tool does: render in the window's process with jinja2's sandbox, colour the special
tokens as HTML spans, hand the whole to a QTextEdit. Ours: edit of the frozen conversation, steps and profile, render in
the worker, cut at special tokens, the prompt pane's own view. Our render alone, in this process, is the floor.
"""

import html
import re
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import TypeVar

from PySide6.QtWidgets import QApplication, QTextEdit

from bench.corpus import conversation, tools
from bench.figures import Figure
from bench.usual import usual_template
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.conversation.message_edits import set_content
from thinkpane.engine.environment import compiled
from thinkpane.engine.host import Engine
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.library import load
from thinkpane.ui.panes._prompt_words import marks
from thinkpane.ui.widgets.text_view import TextView

_Result = TypeVar("_Result")

ROUNDS = 15
MESSAGES, CHARACTERS = 100, 1_080
"""About 140 kB of prompt, 34k tokens."""

_SPECIAL = re.compile(r"(&lt;\|im_(?:start|end)\|&gt;|&lt;/?think&gt;|&lt;/?tools?&gt;)")


def measure(application: QApplication) -> list[Figure]:
    """The whole keystroke, the window thread's share of it, and what is beside the render."""
    engine = Engine()
    try:
        return _measured(application, engine)
    finally:
        engine.close()


def _measured(application: QApplication, engine: Engine) -> list[Figure]:
    template = load("chatml")
    talk = conversation_from_body({"messages": conversation(MESSAGES, CHARACTERS), "tools": tools()})
    maker = PromptMaker(engine)
    view, editor = TextView("bench"), QTextEdit()
    for widget in (view, editor):
        widget.resize(700, 800)
        widget.show()
    application.processEvents()
    rendered, _ = compiled(template.source)
    plain = usual_template("chatml")
    whole: list[float] = []
    shares: list[float] = []
    usual: list[float] = []
    floors: list[float] = []
    for number in range(ROUNDS):
        typed = edits.edit(talk, MESSAGES - 1, set_content, talk.messages[-1].text + "x" * number)
        prompt, milliseconds = timed(lambda typed=typed: maker.make(PromptJob(template, typed)))  # type: ignore[misc]
        _, share = timed(lambda prompt=prompt: _show(view, prompt))  # type: ignore[misc]
        whole.append(milliseconds + share)
        shares.append(share)
        text, floor = timed(lambda typed=typed: str(rendered.render(_context(typed))))  # type: ignore[misc]
        floors.append(floor)
        assert text == prompt.text, "both sides must show the same prompt"
        _, milliseconds = timed(lambda text=text: _show_html(editor, text))  # type: ignore[misc]
        usual.append(timed(lambda typed=typed: plain.render(_context(typed)))[1] + milliseconds)  # type: ignore[misc]
    size = f"{len(view.text) // 1000} kB"
    return [
        Figure(f"keystroke at 32k tokens ({size}): jinja2 + QTextEdit HTML over ours", median(whole), median(usual)),
        Figure("the same, the window's thread alone", median(shares), median(usual)),
        Figure("the same, the render alone over ours (the floor)", median(whole), median(floors)),
    ]


def _context(talk: Conversation) -> dict[str, object]:
    return {
        "messages": talk.messages_value(),
        "tools": talk.tools_value(),
        "documents": None,
        "add_generation_prompt": True,
    }


def timed(act: Callable[[], _Result]) -> tuple[_Result, float]:
    """What `act` gives, and how many milliseconds it took."""
    start = perf_counter()
    result = act()
    return result, (perf_counter() - start) * 1000


def _show(view: TextView, prompt: Prompt) -> None:
    view.set_text(prompt.text, marks(prompt))
    QApplication.processEvents()
    view.viewport().grab()


def _show_html(editor: QTextEdit, text: str) -> None:
    coloured = _SPECIAL.sub(r'<span style="background:#335">\1</span>', html.escape(text)).replace("\n", "<br>")
    editor.setHtml(f"<pre>{coloured}</pre>")
    QApplication.processEvents()
    editor.viewport().grab()
