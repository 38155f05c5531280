"""The render's options that a body carries."""

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.workspace.body_variables import given_variables, state_options
from thinkpane.workspace.document_file import document_from_json


def body(**more: JsonValue) -> JsonObject:
    return {"messages": [{"role": "user", "content": "q"}], **more}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (body(), (None, False)),
        (body(add_generation_prompt=False), (False, False)),
        (body(continue_final_message=True, add_generation_prompt=False), (False, True)),
        (body(chat_template_kwargs={"add_generation_prompt": False}), (False, False)),
        (body(chat_template_kwargs={"continue_final_message": "reasoning_content"}), (None, "reasoning_content")),
        (body(chat_template_kwargs={"add_generation_prompt": False}, add_generation_prompt=True), (True, False)),
    ],
)
def test_options_are_found_at_the_top_and_among_the_variables(
    given: JsonObject, expected: tuple[bool | None, bool | str]
) -> None:
    state = document_from_json(given)
    assert state_options(state) == expected
    assert given_variables(state) == {}


@pytest.mark.parametrize("wrong", [{"add_generation_prompt": "yes"}, {"continue_final_message": 1}])
def test_an_option_of_another_shape_is_told(wrong: JsonObject) -> None:
    with pytest.raises(ThinkpaneError, match=next(iter(wrong))):
        state_options(document_from_json(body(**wrong)))
