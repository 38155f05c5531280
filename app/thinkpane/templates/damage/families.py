"""The angle-bracket tags of model families, for templates that lost theirs. Used only with a person's consent.

GLM: the tags and the wording of the tools passage as the GLM-5.2 and GLM-5.3-Flash templates of Z.ai have them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """One family. marks: texts by which its templates are known.

    tags: opening and closing tag by what they enclose: thinking, call, argument_name, argument_value, result, tools.
    passages: fixed wordings with what they are where no tag and no line break was lost (`re.sub` pairs).
    """

    name: str
    title: str
    marks: tuple[str, ...]
    tags: Mapping[str, tuple[str, str]]
    passages: tuple[tuple[re.Pattern[str], str], ...]


GLM = Family(
    name="glm",
    title="GLM",
    marks=("[gMASK]", "<|observation|>"),
    tags={
        "thinking": ("<think>", "</think>"),
        "call": ("<tool_call>", "</tool_call>"),
        "argument_name": ("<arg_key>", "</arg_key>"),
        "argument_value": (
            "<arg_value>",
            "</arg_value>",
        ),
        "result": ("<tool_response>", "</tool_response>"),
        "tools": ("<tools>", "</tools>"),
    },
    passages=(
        (re.compile(r"\[gMASK\](?!<sop>)"), "[gMASK]<sop>"),
        (
            re.compile(
                r"(functions to assist with the user query\.)\s+(You are provided with function signatures within) "
                r"XML tags:\s*"
            ),
            "\\1\n\n\\2 <tools></tools> XML tags:\n<tools>\n",
        ),
        (
            re.compile(
                r"\s*(For each function call, output the function name and arguments within the following XML format:)"
                r"\s*(\{function-name\}(?:\{arg-key-\d\}\{arg-value-\d\})+\.\.\.)"
            ),
            "\n</tools>\n\n\\1\n<tool_call>\\2</tool_call>",
        ),
        (
            re.compile(r"\{arg-key-(\d)\}\{arg-value-\1\}"),
            r"<arg_key>{arg-key-\1}</arg_key><arg_value>{arg-value-\1}</arg_value>",
        ),
        (
            re.compile(
                r"([\"'])(You are unable to process this [^{}]{1,120}? "
                r"because you don't have multi-modal input ability\. Try different methods\.)"
            ),
            r"\1<reminder>\2</reminder>",
        ),
    ),
)

FAMILIES: Mapping[str, Family] = {GLM.name: GLM}


def likely_family(text: str) -> Family | None:
    """The family whose marks all stand in `text`; a proposal for a person, never consent."""
    return next((each for each in FAMILIES.values() if all(mark in text for mark in each.marks)), None)
