"""Sanitising of control tokens: marks, pieces and ids as transformers 5.24 makes them, recorded."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.patient import PATIENT
from support.sanitized_cases import CASES, RECORDED, vocabularies
from thinkpane.analysis.sanitized import (
    END,
    START,
    AddedToken,
    control_tokens,
    marked_request,
    plain_stretches,
    sanitized_pieces,
)
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.tokens.apart import encode_apart
from thinkpane.tokens.vocabulary import Vocabulary

ANSWERS: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
VOCABULARIES = vocabularies()


def added(vocabulary: Vocabulary) -> list[AddedToken]:
    return [AddedToken(each.text, each.special) for each in vocabulary.added]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_ids_are_those_of_transformers(case: dict[str, Any], engine: Engine) -> None:
    vocabulary, answer = VOCABULARIES[case["vocabulary"]], ANSWERS[case["name"]]
    source = case["template"]
    text = engine.about("constants", source)
    literals = [str(each) for name in ("constants", "data") for each in text[name]]  # type: ignore[union-attr]
    tokenizer = case.get("tokenizer", {})
    tokens = control_tokens(added(vocabulary), literals, tokenizer.get("chat_control_tokens"))
    assert [*tokens] == answer["control_tokens"]
    own = {name: value for name, value in tokenizer.items() if name.endswith("_token")}
    variables = {**own, **case.get("variables", {})}
    request = RenderRequest(source, case["messages"], case.get("tools"), case.get("documents"), variables=variables)
    plain, marked = engine.render_many([request, marked_request(request, tokens, own)])
    assert (plain.text is None, marked.text) == (False, answer["marked"])
    pieces = sanitized_pieces(marked.text or "", [each.text for each in vocabulary.added])
    ids = encode_apart(vocabulary, [(each.text, each.plain) for each in pieces])
    assert [id for each in ids for id in each] == answer["ids"]
    assert [*vocabulary.encode([plain.text or ""])[0]] == answer["plain_ids"]


def test_the_cases_tell_sanitised_prompts_from_plain_ones() -> None:
    differ = [name for name, each in ANSWERS.items() if each["ids"] != each["plain_ids"]]
    assert len(differ) >= 16
    assert not any("error" in each for each in ANSWERS.values())
    assert "nothing to do, bytes" not in differ


def test_variables_of_the_tokenizer_are_not_marked_unless_they_were_changed() -> None:
    request = RenderRequest("", [], variables={"bos_token": "<s>", "eos_token": "<s>", "count": 3})
    found = marked_request(request, ["<s>"], {"bos_token": "<s>", "eos_token": "</s>"})
    assert found.variables == {"bos_token": "<s>", "eos_token": f"{START}<s>{END}", "count": 3}
    assert (found.tools, found.documents) == (None, None)


def test_where_the_plain_pieces_stand() -> None:
    pieces = sanitized_pieces(f"a{START}<s>{END}b{START}c{END}<s>", ["<s>"])
    assert [(each.text, each.plain) for each in pieces] == [
        ("a", False),
        ("<s>", True),
        ("b", False),
        ("c", False),
        ("<s>", False),
    ]
    assert plain_stretches(pieces) == [(1, 4)]
    assert sanitized_pieces("", []) == ()


@PATIENT
@given(st.lists(st.sampled_from(["<s>", "<|", "a", START, END, " ", "<s"]), max_size=12).map("".join))
def test_no_text_forges_a_mark_or_loses_more_than_marks(text: str) -> None:
    marked = marked_request(RenderRequest("", text), ["<s>"]).messages
    pieces = sanitized_pieces(str(marked), ["<s>"])
    whole = "".join(each.text for each in pieces)
    assert whole == text.replace(START, "").replace(END, "")
    assert all(each.text == "<s>" for each in pieces if each.plain)
    assert sum(each.plain for each in pieces) == whole.count("<s>"), "every whole token is plain text"
