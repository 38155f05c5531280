"""The task classifier: every example of the GLMT document, mixed and unclear tasks, edited lists."""

import pytest

from thinkpane.conversation.messages import message
from thinkpane.reasoning.classifier import classify_task


@pytest.mark.parametrize(
    ("text", "task", "thinking"),
    [
        ("think about the architecture", "reasoning", True),
        ("list files in directory", "execution", False),
        ("debug authentication issue", "reasoning", True),
        ("fix the bug", "execution", False),
        ("ultrathink this complex problem", "reasoning", True),
        ("think about the microservices architecture", "reasoning", True),
        ("ultrathink this complex algorithm optimization", "reasoning", True),
        ("implement the user authentication feature", "execution", False),
        ("debug the memory leak issue", "reasoning", True),
        ("implement the solution now", "execution", False),
        ("fix the bug immediately", "execution", False),
        ("execute the code", "execution", False),
        ("<Thinking:On> analyze this complex issue", "reasoning", True),
        ("list, show, update and fix it, then explain", "mixed", True),
        ("hello there", "unclear", True),
        ("the listing shows planning", "unclear", True),
        ("", "unclear", True),
    ],
)
def test_tasks(text: str, task: str, thinking: bool) -> None:
    found = classify_task([message("user", text)])
    assert (found.task, found.thinking) == (task, thinking)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fix it", "Thinking off: “fix” says execute, none says reason."),
        ("plan it", "Thinking on: “plan” says reason, none says execute."),
        ("plan, review and fix", "Thinking on: “plan” and “review” say reason, “fix” says execute, mixed tasks think."),
        ("hm", "Thinking on: no word says reason or execute, and thinking is the default."),
    ],
)
def test_the_reason_is_one_sentence(text: str, reason: str) -> None:
    assert classify_task([message("user", text)]).reason == reason


def test_history_counts_unless_only_the_last_message_is_asked() -> None:
    messages = [message("user", "explain it"), message("assistant", "plan"), message("user", "now fix it")]
    assert classify_task(messages).task == "mixed"
    assert classify_task(messages, latest_only=True).task == "execution"


def test_the_lists_can_be_edited() -> None:
    found = classify_task([message("user", "check the fix")], reasoning=["check"], execution=[])
    assert (found.task, found.reasoning, found.execution) == ("reasoning", ("check",), ())
