"""Small templates and conversations for the checks, and what must be told of them."""

from dataclasses import dataclass, field
from typing import Any

from thinkpane.engine.request import RenderRequest

TURN = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
CHATML = TURN + "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
TOOL = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Looks.",
        "parameters": {"type": "object", "properties": {"a": {"type": "string"}}},
    },
}


def user(content: Any = "hi", **rest: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **rest}


def calls(*arguments: Any, content: Any = "") -> dict[str, Any]:
    made = [
        {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": each}}
        for number, each in enumerate(arguments)
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def result(content: Any = "seen", id: str = "c0") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def printing(arguments: str) -> str:
    """A template that prints each call's arguments by these words of Jinja."""
    return (
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls or [] %}"
        f"<call>{{{{ c.function.name }}}} {arguments}</call>{{% endfor %}}{{% endfor %}}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )


@dataclass(frozen=True)
class Case:
    """One template and request, and a finding there must be: {id, …} as in the JSON; gone: there must be none."""

    name: str
    expected: dict[str, Any]
    source: str = CHATML
    messages: tuple[dict[str, Any], ...] = (user(),)
    options: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)
    target: str = ""

    def request(self) -> RenderRequest:
        return RenderRequest(self.source, list(self.messages), variables=self.variables, **self.options)


PLAIN = {"normalise": False}
"""Options of a render of the profile "plain"."""
