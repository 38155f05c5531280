"""The same logical reply in every dialect decodes to the same."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from support.encoded_replies import APIS, RAW_APIS, LogicalReply, encoded
from support.wire_cases import decoded
from thinkpane.endpoints.dialects._registry import all_dialects

# Tags and channel tokens are a matter of their own, and newlines at a rim are separators only where tags are.
WORDS = st.text(
    st.characters(exclude_characters="<>|`\r\n", exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6
)
SPACED = st.lists(WORDS, max_size=4).map(lambda words: tuple(word + " " for word in words[:-1]) + tuple(words[-1:]))
ARGUMENTS = st.dictionaries(WORDS, st.integers() | WORDS | st.none(), max_size=3).map(
    lambda value: json.dumps(value, ensure_ascii=False)
)
CALLS = st.lists(st.tuples(st.sampled_from(["f", "g"]), ARGUMENTS), max_size=3).map(
    lambda calls: tuple((f"id{index}", name, arguments) for index, (name, arguments) in enumerate(calls))
)


def found(api: str, reply: LogicalReply) -> dict[str, object]:
    return {key: value for key, value in decoded(api, encoded(api, reply)).as_json().items() if key != "usage"}


def test_every_dialect_takes_part() -> None:
    assert set(APIS) == {dialect.name for dialect in all_dialects()}


@settings(max_examples=150, deadline=None)
@given(SPACED, SPACED, CALLS)
def test_in_every_dialect(
    thinking: tuple[str, ...], answer: tuple[str, ...], calls: tuple[tuple[str, str, str], ...]
) -> None:
    if not (thinking or answer or calls):
        answer = ("4",)
    reply = LogicalReply(thinking, answer, calls)
    wanted = {
        "thinking": "".join(thinking),
        "answer": "".join(answer),
        "tool_calls": [{"id": id, "name": name, "arguments": arguments} for id, name, arguments in calls],
        "finish": "end",
        "thinking_blocks": ["".join(thinking)] if thinking else [],
        "redacted": 0,
        "signatures": [],
        "warn": ["no-answer-only-thinking"] if thinking and not answer and not calls else [],
    }
    for api in APIS:
        if not (calls and api in RAW_APIS):
            assert found(api, reply) == wanted, api
