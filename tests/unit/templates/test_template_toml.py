"""template.toml: what it may say, and how its faults are told."""

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.templates.template import TagCandidate, TierCandidate, VariableCandidate
from thinkpane.templates.template_toml import described

HEAD = 'title = "T"\norigin = "o"\nlicence = "MIT"\n'
WHOLE = (
    HEAD
    + """
uncertain = ["one"]
bos = "<s>"
eos = "</s>"
special_tokens = ["<s>", "<u>"]
thinking = ["<think>", "</think>"]

[roles]
"<u>" = "user"

[messages_as_text]
doc = true

[[tiers]]
label = "High"
short = "Hi"
tag = "[H]"
summary = "much"
variables = { effort = "high", on = true }

[[variables]]
name = "effort"
kind = "choice"
default = "high"
values = ["high", 2]
summary = "how much"

[[variables]]
name = "other"

[[tags]]
tag = "[H]"

[[tags]]
tag = "[M:…]"
insert = "[M:…] "
summary = "mode"
where = "user messages"
"""
)


def test_everything_that_may_be_said() -> None:
    template = described("t", "text", WHOLE)
    assert (template.id, template.source, template.title, template.built_in) == ("t", "text", "T", True)
    assert (template.origin, template.licence, template.uncertain) == ("o", "MIT", ("one",))
    assert template.variables == {"bos_token": "<s>", "eos_token": "</s>"}
    assert template.special_tokens == ("<s>", "<u>", "</s>")
    assert template.thinking == ("<think>", "</think>")
    assert template.roles == {"<u>": "user"}
    assert template.messages_as_text == {"doc": True}
    assert template.tiers == (TierCandidate("High", "Hi", {"effort": "high", "on": True}, "[H]", "much"),)
    assert template.candidates == (
        VariableCandidate("effort", "choice", "high", ("high", 2), "how much"),
        VariableCandidate("other"),
    )
    assert template.tags == (TagCandidate("[H]", "[H]"), TagCandidate("[M:…]", "[M:…] ", "mode", "user messages"))


def test_the_least_that_must_be_said() -> None:
    template = described("t", "text", HEAD)
    assert template.thinking is None
    assert template.messages_as_text is None
    assert template.variables == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", "t/template.toml is not valid TOML: "),
        ("", "t/template.toml: “title” is missing."),
        (HEAD.replace('"T"', "5"), "t/template.toml: “title” must be a text."),
        (HEAD + 'uncertain = "one"', "“uncertain” must be a list of texts."),
        (HEAD + "special_tokens = [1]", "“special_tokens” must be a list of texts."),
        (HEAD + 'thinking = ["<think>"]', "“thinking” must be the opening and the closing tag."),
        (HEAD + 'titel = "x"', "“titel” is not known."),
        (HEAD + 'roles = "x"', "“roles” must be a table."),
        (HEAD + '[roles]\n"<u>" = "human"', "“roles.<u>” is “human”; it must be one of system, user"),
        (HEAD + "tiers = [1]", "“tiers” must be a list of tables."),
        (HEAD + '[[tiers]]\nlabel = "a"\nshort = "a"\n[[tiers]]\nlabel = "b"', "“tiers[1].short” is missing."),
        (HEAD + '[[tiers]]\nlabel = "a"\nshort = "a"\ntags = "x"', "“tiers[0].tags” is not known."),
        (HEAD + '[[variables]]\nname = "a"\nkind = "number"', "variable “a” has the kind “number”; it must be bool"),
        (HEAD + '[[variables]]\nname = "a"\nkind = "choice"', "variable “a” is a choice without “values”."),
        (HEAD + '[[variables]]\nname = "a"\nvalues = "x"', "“variables[0].values” must be a list."),
        (HEAD + '[[variables]]\nname = "a"\ndefault = 2026-01-01', "“variables[0].default” is a date or time;"),
        (HEAD + '[[tags]]\ninsert = "x"', "“tags[0].tag” is missing."),
    ],
)
def test_faults_name_their_place(text: str, words: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        described("t", "text", text)
    assert caught.value.problem.kind == "template_source"
    assert words in caught.value.problem.message
