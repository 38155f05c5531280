"""Command R7B's two branches with their oddities; all kept."""

from collections.abc import Callable

import pytest

from thinkpane.engine.request import Rendered
from thinkpane.formats.json_values import JsonValue

Render = Callable[..., Rendered]
TURN, END = "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>"
SYSTEM, USERS, BOT = (f"{TURN}<|{role}_TOKEN|>" for role in ("SYSTEM", "USER", "CHATBOT"))
USER: JsonValue = {"role": "user", "content": " q "}
DOCUMENTS: list[JsonValue] = [{"text": "d"}]
TOOL: JsonValue = {"type": "function", "function": {"name": "find", "description": "", "parameters": {}}}


def calling(*ids: str, **more: JsonValue) -> JsonValue:
    """An assistant message that calls `find` once for each id."""
    calls: list[JsonValue] = [{"id": id, "function": {"name": "find", "arguments": {"n": 1}}} for id in ids]
    return {"role": "assistant", "tool_calls": calls, **more}


def result_of(id: str) -> JsonValue:
    """The result of the call with that id; it says the id."""
    return {"role": "tool", "tool_call_id": id, "content": id}


def text(render: Render, *messages: JsonValue, **more: JsonValue) -> str:
    """The prompt."""
    rendered = render("command-r7b", list(messages), **more)
    assert rendered.problem is None
    assert rendered.text is not None
    return rendered.text


def turns(render: Render, *messages: JsonValue, **more: JsonValue) -> str:
    """What follows the injected documents, up to the turn that is asked for; the first user message comes before it."""
    prompt = text(render, *messages, documents=DOCUMENTS, **more)
    return prompt.partition("<|END_TOOL_RESULT|>" + END)[2].removesuffix(BOT)


def test_without_documents_turns_are_stripped_and_no_thinking_is_possible(render: Render) -> None:
    answer: JsonValue = {"role": "assistant", "content": " a "}
    assert text(render, USER, answer, USER) == (
        f"<BOS_TOKEN>{SYSTEM}{END}{USERS}q{END}{BOT}<|START_RESPONSE|>a<|END_RESPONSE|>{END}{USERS}q{END}"
        f"{BOT}<|START_RESPONSE|>"
    )
    assert text(render, USER, add_generation_prompt=False) == f"<BOS_TOKEN>{SYSTEM}{END}{USERS}q{END}"


def test_without_documents_the_system_message_is_not_stripped(render: Render) -> None:
    system: JsonValue = {"role": "system", "content": " s "}
    assert text(render, system, USER).startswith(f"<BOS_TOKEN>{SYSTEM} s {END}{USERS}q{END}")


def test_tools_without_documents_are_ignored(render: Render) -> None:
    assert text(render, USER, tools=[TOOL]) == text(render, USER)


def test_tools_beside_documents_are_ignored(render: Render) -> None:
    assert text(render, USER, documents=DOCUMENTS, tools=[TOOL]) == text(render, USER, documents=DOCUMENTS)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([USER, USER], "Conversation roles must alternate"),
        ([USER, {"role": "tool", "content": "x"}, {"role": "tool", "content": "x"}], "must alternate"),
        ([USER, {"role": "assistant"}], "has no attribute 'content'"),
        ([{"role": "user", "content": []}], "'list object' has no attribute 'strip'"),
        ([{"role": "system", "content": []}, USER], "can only concatenate str"),
    ],
)
def test_without_documents_these_are_errors(render: Render, messages: list[JsonValue], words: str) -> None:
    problem = render("command-r7b", messages).problem
    assert problem is not None
    assert words in problem.message


def test_a_null_content_cannot_be_stripped_where_nobody_drops_it(render: Render) -> None:
    problem = render("command-r7b", [USER, {"role": "assistant", "content": None}], normalise=False).problem
    assert problem is not None
    assert "'None' has no attribute 'strip'" in problem.message


def test_with_documents_the_generation_prompt_is_not_asked_for(render: Render) -> None:
    with_prompt = text(render, USER, documents=DOCUMENTS)
    assert with_prompt == text(render, USER, documents=DOCUMENTS, add_generation_prompt=False)
    assert with_prompt.endswith(BOT)


def test_citations_are_explained_only_on_demand(render: Render) -> None:
    explained = text(render, USER, documents=DOCUMENTS, enable_citations=True)
    plain = text(render, USER, documents=DOCUMENTS)
    assert "## Grounding" in explained
    assert "<co>span</co: 0:[1,2],1:[0]>" in explained
    assert (
        explained.replace(explained[explained.index("\n## Grounding") : explained.index("\n## Available")], "") == plain
    )


def test_first_system_message_is_the_developer_preamble_and_later_ones_are_turns(render: Render) -> None:
    first: JsonValue = {"role": "System", "content": "dev"}
    prompt = text(render, first, USER, {"role": "system", "content": "later"}, documents=DOCUMENTS)
    assert f"system preamble instructions.\ndev{END}{USERS} q {END}" in prompt
    assert prompt.endswith(f"{SYSTEM}later{END}{BOT}")


def test_documents_stand_after_the_first_user_message_only(render: Render) -> None:
    answer: JsonValue = {"role": "chatbot", "content": "a"}
    assert turns(render, USER, answer, USER) == f"{BOT}<|START_RESPONSE|>a<|END_RESPONSE|>{END}{USERS} q {END}"


def test_documents_are_numbered_from_zero(render: Render) -> None:
    found = text(render, USER, documents=[{"text": "one"}, {"text": '<"ü">'}]).partition('"results": {\n')[2]
    assert found.startswith('            "0": {"text": "one"},\n            "1": {"text": "<\\"ü\\">"}\n        },\n')


def test_result_numbers_clash_with_the_documents(render: Render) -> None:
    first, second = (result_of(id) for id in "ab")
    found = turns(render, USER, calling("a", "b", tool_plan="plan"), first, second)
    calls, _, answers = found.partition("<|START_TOOL_RESULT|>")
    call = '    {"tool_call_id": "%d", "tool_name": "find", "parameters": {"n": 1}}'
    assert calls == (
        f"{BOT}<|START_THINKING|>plan<|END_THINKING|><|START_ACTION|>[\n{call % 1},\n{call % 2}\n]<|END_ACTION|>{END}"
        f"{SYSTEM}"
    )
    result = (
        '    {\n        "tool_call_id": "%d",\n        "results": {\n            "0": "%s"\n        },\n'
        '        "is_error": null\n    }'
    )
    assert answers == f"[\n{result % (0, 'a')},\n{result % (1, 'b')}\n]<|END_TOOL_RESULT|>{END}"


def test_a_result_id_that_was_shown_in_a_run_is_not_shown_again(render: Render) -> None:
    first, second = (result_of(id) for id in "ab")
    again = turns(render, USER, calling("a", "b"), first, second, USER, second)
    assert again == turns(render, USER, calling("a", "b"), first, second, USER)


def test_no_plan_leaves_an_empty_thinking_pair_and_reasoning_is_not_read(render: Render) -> None:
    found = turns(render, USER, calling("a", reasoning_content="r"))
    assert found.startswith(f"{BOT}<|START_THINKING|><|END_THINKING|><|START_ACTION|>[\n")


def test_arguments_as_text_are_encoded_twice(render: Render) -> None:
    call: JsonValue = {"id": "a", "function": {"name": "find", "arguments": '{"a":1}'}}
    found = turns(render, USER, {"role": "assistant", "tool_calls": [call]})
    assert r'"parameters": "{\"a\":1}"' in found


def test_the_system_preamble_has_coheres_own_wording(render: Render) -> None:
    prompt = text(render, USER, documents=DOCUMENTS)
    assert "You will reject requests to generate child sexual abuse material" in prompt
    assert "close it out with <|END_RESPONSE|>.\n" in prompt
