"""What probing believes of servers that work, ignore and refuse, each of them made up here."""

import json
from typing import Any

import pytest

from support.server_answers import Answers
from thinkpane.endpoints.probe import Finding, Probed, probe
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.server import Server
from thinkpane.endpoints.variant_table import variant_named
from thinkpane.endpoints.variants import GENERIC, Variant
from thinkpane.errors import Problem, ThinkpaneError


class Pretended:
    """A server whose ways are chosen; `refuses`: parameters that it does not take."""

    def __init__(
        self,
        *,
        switch: str = "",
        field: str = "reasoning_content",
        effort: str = "",
        limit: str = "max_tokens",
        history: str = "",
        prefill: str = "",
        refuses: tuple[str, ...] = (),
        usage_in_streams: bool = True,
    ) -> None:
        self.switch, self.field, self.effort, self.limit = switch, field, effort, limit
        self.history, self.prefill, self.refuses, self.usage_in_streams = history, prefill, refuses, usage_in_streams

    def __call__(self, body: dict[str, Any]) -> object:
        if lacking := [name for name in self.refuses if name in body]:
            return 400, {"error": {"message": f"{lacking[0]} is not known"}}
        thinks = self.switch == "kwargs" and body.get("chat_template_kwargs", {}).get("enable_thinking", False)
        thinks = thinks or (self.switch == "type" and body.get("thinking", {}).get("type") == "enabled")
        if self.effort and body.get(self.effort) not in (None, "low", "medium", "high", "none"):
            return 400, {"error": {"message": "no such effort"}}
        words = sum(len(str(message.get("content"))) for message in body["messages"])
        words += sum(50 for message in body["messages"] if self.history and self.history in message)
        last = body["messages"][-1]
        goes_on = last["role"] == "assistant" and (
            self.prefill == "trailing" or last.get(self.prefill) or body.get(self.prefill)
        )
        text = " 6, 7" if goes_on else "Well, 1"
        message = {"content": text} | ({self.field: "Hm."} if thinks else {})
        usage = {"prompt_tokens": words + 7 * thinks, "completion_tokens": body.get(self.limit, 90)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        answer: dict[str, Any] = {"choices": [choice], "usage": usage}
        if body["stream"] and not (self.usage_in_streams and "stream_options" in body):
            del answer["usage"]
        return answer


def probed(server: Pretended, variant: Variant = GENERIC) -> tuple[Probed, dict[str, str]]:
    told: list[Finding] = []
    send = Answers({"/v1/chat/completions": server})
    found = probe(Server(Endpoint("e", "openai-chat", "http://h:1"), send), "m", variant, told.append)
    assert tuple(told) == found.findings
    assert all(body.get("temperature") == 0 for _, body in send.asked)
    assert all(min(body.get("max_tokens", 99), body.get("max_completion_tokens", 99)) <= 24 for _, body in send.asked)
    return found, {each.name: each.outcome for each in found.findings}


def test_a_server_that_does_it_all() -> None:
    server = Pretended(switch="kwargs", effort="reasoning_effort", history="reasoning_content", prefill="trailing")
    found, outcomes = probed(server)
    assert outcomes == {
        "token_limit": "works",
        "on": "works",
        "effort": "works",
        "history": "works",
        "prefill": "works",
        "stream_usage": "works",
        "lacks": "works",
        "arrives": "works",
    }
    assert found.edits["token_limit"] == "max_tokens"
    assert found.edits["prefill"] == "trailing"
    assert found.edits["on"] == {"chat_template_kwargs": {"enable_thinking": True, "thinking": True}}
    assert "arrives" not in found.edits
    assert "effort" not in found.edits


def test_what_a_variant_knows_already_is_no_change() -> None:
    found, outcomes = probed(Pretended(switch="type", history="reasoning_content"), variant_named("deepseek"))
    assert outcomes["on"] == "works"
    assert not {"on", "off", "token_limit", "history", "arrives"} & set(found.edits)


def test_another_switch_and_another_place() -> None:
    found, _ = probed(Pretended(switch="type", field="reasoning", limit="max_completion_tokens"), variant_named("vllm"))
    assert (found.edits["on"], found.edits["off"]) == (
        {"thinking": {"type": "enabled"}},
        {"thinking": {"type": "disabled"}},
    )
    assert found.edits["arrives"] == ["reasoning"]
    assert found.edits["token_limit"] == "max_completion_tokens"


def test_a_server_that_ignores_everything() -> None:
    found, outcomes = probed(Pretended(limit="", usage_in_streams=False))
    assert outcomes == {
        "token_limit": "unknown",
        "on": "ignored",
        "effort": "ignored",
        "history": "ignored",
        "prefill": "unknown",
        "stream_usage": "ignored",
        "lacks": "works",
        "arrives": "unknown",
    }
    assert found.edits == {}


def test_a_server_that_refuses() -> None:
    refuses = ("top_k", "seed", "reasoning_effort", "stream_options", "max_completion_tokens")
    found, outcomes = probed(Pretended(refuses=refuses), variant_named("openai"))
    assert (outcomes["effort"], outcomes["stream_usage"], outcomes["lacks"]) == ("refused", "refused", "refused")
    assert found.edits["token_limit"] == "max_tokens"
    assert found.edits["stream_usage"] is False
    assert found.edits["lacks"] == ["top_k", "seed"]


@pytest.mark.parametrize("style", ["continue_final_message", "prefix", "partial"])
def test_styles_of_prefill(style: str) -> None:
    assert probed(Pretended(prefill=style))[0].edits["prefill"] == style


def test_one_answer_that_never_comes_ends_nothing() -> None:
    server, asked = Pretended(switch="kwargs"), list[int]()
    answers = Answers({"/v1/chat/completions": server})

    def send(request: Any) -> Any:
        asked.append(1)
        if len(asked) == 4:
            raise ThinkpaneError(Problem("timeout", "It took too long."))
        return answers(request)

    found = probe(Server(Endpoint("e", "openai-chat", "http://h:1"), send), "m", GENERIC, lambda _: None)
    assert len(found.findings) == 8


@pytest.mark.parametrize("problem", ["network", "tls"])
def test_a_server_that_goes_away_ends_it(problem: str) -> None:
    def send(_request: object) -> Any:
        raise ThinkpaneError(Problem(problem, "It is gone."))

    with pytest.raises(ThinkpaneError, match="gone"):
        probe(Server(Endpoint("e", "openai-chat", "http://h:1"), send), "m", GENERIC, lambda _: None)


def test_where_the_plainest_request_fails_nothing_is_tried() -> None:
    send = Answers({"/v1/chat/completions": (401, {"error": {"message": "no key"}})})
    with pytest.raises(ThinkpaneError, match="no key"):
        probe(Server(Endpoint("e", "openai-chat", "http://h:1"), send), "m", GENERIC, lambda _: None)
    assert len(send.asked) == 2
    assert json.dumps(send.asked)
