"""Marks of thinking that no list knows are found by rendering, and told where the prompt ends."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.prompt import PromptPane

SOURCE = """{%- for message in messages -%}
<|{{ message.role }}|>
{%- if message.reasoning_content %}<mm:muse>{{ message.reasoning_content }}</mm:muse>{% endif %}
{{- message.content }}
{%- endfor -%}
{%- if add_generation_prompt %}<|assistant|><mm:muse>{% endif -%}"""


def test_a_prompt_that_opens_thinking_by_marks_of_its_own_says_so(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "muse.jinja"
    path.write_text(SOURCE, encoding="utf-8")
    window.choices.use_template(str(path))
    pane = window.layout_.panes["prompt"]
    assert isinstance(pane, PromptPane)
    qtbot.waitUntil(lambda: "inside thinking" in pane.view.note)
    assert window.prompts.prompt.text.endswith("<mm:muse>")
    qtbot.waitUntil(lambda: "opened by the prompt" in window.layout_.status.fact("thinking"))
