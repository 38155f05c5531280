"""Two prompts compared, given or made, by words and by tokens."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from support.services import PatientServices
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.comparison import Comparer, Side, Variant
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.library import from_source
from thinkpane.tokens.byte_level import letters

TALK = conversation_from_body({"messages": [{"role": "user", "content": "hé"}]})


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One engine for these tests."""
    services = PatientServices()
    yield services.engine
    services.close()


@pytest.fixture
def comparer(engine: Engine) -> Iterator[Comparer]:
    """One that ends with its test."""
    found = Comparer(engine)
    yield found
    found.close()


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """A tokenizer of single bytes."""
    made = Tokenizer(models.BPE({letter: byte for byte, letter in enumerate(letters())}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def variant(source: str) -> Variant:
    return Variant(source, lambda: PromptJob(from_source(source), TALK))


def test_variants_are_made_with_their_owners(comparer: Comparer) -> None:
    found = comparer.compare(variant("a {{ messages[0].content }}"), variant("b {{ messages[0].content }}"), None)
    assert (found.one.prompt.text, found.other.prompt.text) == ("a hé", "b hé")
    assert found.found is not None
    assert found.owners is not None
    assert [str(each) for each in found.owners] == ["scaffolding −1 +1"]
    assert (found.tokenizer, found.untold, found.problem) == ("", "", None)


def test_given_sides_are_compared_as_they_are(comparer: Comparer) -> None:
    found = comparer.compare(Side("A", Prompt(text="x y")), Side("B", Prompt(text="x z")), None)
    assert found.found is not None
    assert (found.found.removed, found.owners) == (1, None)


def test_tokens_are_counted_where_there_is_a_tokenizer(comparer: Comparer, tokenizer: Path) -> None:
    found = comparer.compare(Side("A", Prompt(text="x é")), Side("B", Prompt(text="x 漢")), tokenizer)
    assert found.found is not None
    assert (found.found.removed, found.found.added, found.found.exact) == (2, 3, True)
    assert found.tokenizer == "tokenizer.json"


def test_a_tokenizer_that_cannot_be_read_leaves_words(comparer: Comparer, tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{", encoding="utf-8")
    found = comparer.compare(Side("A", Prompt(text="x y")), Side("B", Prompt(text="x z")), broken)
    assert found.found is not None
    assert not found.found.exact
    assert found.untold


def test_why_there_is_nothing_to_compare(comparer: Comparer) -> None:
    def refuse() -> PromptJob:
        raise ThinkpaneError(Problem("template", "Gone."))

    assert comparer.compare(Variant("A", refuse), variant("b"), None).problem == Problem("template", "Gone.")
    failed = comparer.compare(variant("a"), variant("{{ 1 / 0 }}"), None)
    assert failed.found is None
    assert failed.problem is not None
    assert failed.problem.line == 1
