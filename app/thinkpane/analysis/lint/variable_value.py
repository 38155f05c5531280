"""Values of variables that the template takes otherwise than they are meant."""

from collections.abc import Iterator
from dataclasses import replace

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding, Fix
from thinkpane.analysis.lint.subject import Subject
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue

_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False, "0": False, "1": True}
_UNKNOWN = "no-such-value"
_MOST = 12


def _ask(subject: Subject) -> Asked:
    asked: dict[str, RenderRequest] = {}
    if subject.trace is None:
        return asked
    for name in _texts(subject):
        value = str(subject.request.variables[name])
        if value.lower() in _BOOLEANS and value not in _known(subject, name):
            asked[f"boolean {name}"] = _with(subject, name, _BOOLEANS[value.lower()])
        elif _known(subject, name) and not _is_known(subject, name, value):
            asked[f"unknown {name}"] = _with(subject, name, _UNKNOWN)
    return asked


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    for name in _texts(subject):
        value = str(subject.request.variables[name])
        boolean, unknown = answers.get(f"boolean {name}"), answers.get(f"unknown {name}")
        if boolean is not None and boolean.text is not None and boolean.text != subject.text:
            meant = _BOOLEANS[value.lower()]
            shown = "true" if meant else "false"
            yield Finding(
                "text-given-for-true-or-false",
                "warning",
                f"“{name}” is the text “{value}”, and the template treats it otherwise than {shown}.",
                "Every text that is not empty counts as true in a template, “false” too.",
                name=name,
                fix=Fix(f"Set “{name}” to {shown}", variables={name: meant}),
            )
        if unknown is not None and unknown.text == subject.text:
            known = ", ".join(f"“{each}”" for each in sorted(_known(subject, name))[:8])
            yield Finding(
                "value-falls-through",
                "warning",
                f"The template does not know “{value}” for “{name}” and takes it like any unknown value.",
                f"It compares the variable with {known}.",
                name=name,
            )


def _texts(subject: Subject) -> list[str]:
    variables = subject.request.variables
    read = subject.names("name")
    return [name for name in sorted(subject.chosen & read) if isinstance(variables.get(name), str)][:_MOST]


def _known(subject: Subject, name: str) -> set[str]:
    return {each.text for each in subject.of_kind("compared") if each.name == name and "str" in each.flags}


def _is_known(subject: Subject, name: str, value: str) -> bool:
    plain = value.strip().lower()
    constants = {each.text.lower() for each in subject.of_kind("constant")}
    return plain in constants or value in _known(subject, name)


def _with(subject: Subject, name: str, value: JsonValue) -> RenderRequest:
    return replace(subject.request, variables={**subject.request.variables, name: value})


CHECK = Trial("variable-value", ("text-given-for-true-or-false", "value-falls-through"), _find, _ask)
