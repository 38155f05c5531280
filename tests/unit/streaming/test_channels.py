"""gpt-oss channels in text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.channels import HarmonyReader


def read(*texts: str) -> list[tuple[str, str]]:
    """(what, text) of each run; a call's what is its recipient."""
    reader = HarmonyReader()
    found: list[tuple[str, str]] = []
    for piece in [piece for text in texts for piece in reader.feed(text)] + reader.close():
        what = piece.recipient or piece.what
        if piece.what == "started":
            found.append((what, ""))
        elif found and found[-1][0] in (what, "started"):
            found[-1] = (what, found[-1][1] + piece.text)
        else:
            found.append((what, piece.text))
    return found


CALL = '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Rome"}<|call|>'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>final<|message|>So.<|return|>",
            [("thinking", "why"), ("answer", "So.")],
        ),
        (CALL, [("get_weather", '{"city":"Rome"}')]),
        ("<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>", [("f", "{}")]),
        ("<|channel|>commentary<|message|>I will look.<|end|>", [("answer", "I will look.")]),
        ("plain text", [("answer", "plain text")]),
        ("<|message|>body", [("answer", "body")]),
        ("<|channel|>final<|message|>a <|x|> b < c <", [("answer", "a <|x|> b < c <")]),
        ("<|channel|>final<|message|>a<|end|>more", [("answer", "amore")]),
        ("<|channel|>analysis<|mess", []),
        ("", []),
    ],
)
def test_channels(text: str, found: list[tuple[str, str]]) -> None:
    assert read(text) == found
    assert read(*text) == found


TOKENS = ["<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|call|>", "assistant", "analysis", "final", "<|", "x"]


@given(st.lists(st.sampled_from(TOKENS), max_size=12))
def test_cuts_change_nothing_and_tokens_never_show(parts: list[str]) -> None:
    text = "".join(parts)
    assert read(text) == read(*text)
    assert not any(token in shown for _, shown in read(*text) for token in TOKENS[:5])
