"""A prompt beside its sanitised form: texts, plain stretches, counts of tokens, and why it cannot be told."""

from collections.abc import Sequence

from support.small_vocabularies import byte_pairs
from thinkpane.analysis.sanitized import AddedToken
from thinkpane.analysis.sanitized_prompt import EncodeApart, SanitizedPrompt, sanitized_prompt
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.tokens.apart import encode_apart
from thinkpane.tokens.ids import Ids

ADDED = (AddedToken("<|turn|>", True), AddedToken("<think>", False), AddedToken("</think>", False))
VOCABULARY = byte_pairs(tuple(each.text for each in ADDED))
SOURCE = "{% for each in messages %}<|turn|>{{ each.content }}{% endfor %}"


def apart(pieces: Sequence[tuple[str, bool]]) -> list[Ids]:
    return encode_apart(VOCABULARY, pieces)


def sanitized(
    engine: Engine, source: str, content: str, encode: EncodeApart = apart, listed: Sequence[str] | None = None
) -> SanitizedPrompt:
    request = RenderRequest(source, [{"role": "user", "content": content}])
    (plain,) = engine.render_many([request])
    constants = engine.about("constants", source)
    return sanitized_prompt(
        plain.text or "", request, {}, ADDED, constants, engine.render_many, listed=listed, encode=encode
    )


def test_the_text_stays_and_its_tokens_become_text(engine: Engine) -> None:
    found = sanitized(engine, SOURCE, "a <|turn|> b")
    assert found.after == found.before == "<|turn|>a <|turn|> b"
    assert found.plain == ((10, 18),)
    assert [each.kind for each in found.pieces] == ["same"]
    whole = len(VOCABULARY.encode([found.before])[0])
    assert found.tokens == (whole, whole - 1 + len(VOCABULARY.encode_plain("<|turn|>")))


def test_only_what_the_template_writes_or_the_tokenizer_lists_is_a_control_token(engine: Engine) -> None:
    assert sanitized(engine, SOURCE, "<think>").plain == ()
    assert sanitized(engine, SOURCE, "<think>", listed=["<think>"]).plain == ((8, 15),)
    assert sanitized(engine, SOURCE + "<think>", "<think>").plain == ((8, 15),)


def test_a_template_that_looks_at_its_input_may_write_another_text(engine: Engine) -> None:
    source = "{% for each in messages %}{{ each.content[:8] }}|{{ '</think>' in each.content }}{% endfor %}"
    found = sanitized(engine, source, "<|turn|></think>")
    assert found.before == "<|turn|>|True"
    assert found.after == "<|turn|" + "|True", "the mark took a place"
    assert found.plain == ()
    assert any(each.kind == "removed" for each in found.pieces)


def test_without_a_tokenizer_no_tokens_are_counted(engine: Engine) -> None:
    found = sanitized(engine, SOURCE, "<|turn|>", encode=lambda _pieces: None)
    assert (found.tokens, found.plain) == (None, ((8, 16),))


def test_what_the_tokenizer_makes_of_plain_text_too_cannot_be_sanitised(engine: Engine) -> None:
    def merges(pieces: Sequence[tuple[str, bool]]) -> list[Ids]:
        return [VOCABULARY.encode([text])[0] for text, _ in pieces]

    found = sanitized(engine, SOURCE, "<|turn|>", encode=merges)
    assert found.problem is not None
    assert found.problem.message == "<|turn|> cannot be sanitised: the tokenizer makes it of plain text, too."


def test_a_template_that_fails_on_marked_input_is_told(engine: Engine) -> None:
    source = "{% if messages[0].content|length > 8 %}{{ raise_exception('Too long.') }}{% endif %}<|turn|>"
    found = sanitized(engine, source, "<|turn|>")
    assert found.problem is not None
    assert "Too long." in found.problem.message
