"""Methods, filters, tests, tags and operators that other template engines lack."""

from collections.abc import Iterable, Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.engines import (
    ENGINES,
    HUGGINGFACE_JS,
    LLAMA_CPP,
    PLAIN_JINJA,
    TRANSFORMERS_TAGS,
    TRANSFORMERS_TOJSON,
    TemplateEngine,
    listed,
)
from thinkpane.analysis.lint.findings import Finding, Fix, Severity, TextEdit
from thinkpane.analysis.lint.subject import Subject
from thinkpane.engine.lint_values import Fact

_AS_FILTER = ("items", "upper", "lower", "title", "capitalize")
_WORDS = {
    "method": "The method “.{}()”",
    "filter": "The filter “{}”",
    "test": "The test “is {}”",
    "tag": "The tag “{}”",
}
_IDS = {
    "method": "method-call-not-portable",
    "filter": "filter-not-portable",
    "test": "test-not-portable",
    "tag": "tag-not-portable",
    "operator": "operator-not-portable",
}
# Names that a template makes by itself: what it calls there is its own.
_OWN_OBJECTS = ("self", "caller", "loop", "dict")


def _find(subject: Subject) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in subject.of_kind(*_IDS):
        own = fact.kind == "method" and fact.text.split(".")[0].split("[")[0] in _OWN_OBJECTS
        if not own and "unknown" not in fact.flags:
            groups.setdefault((fact.kind, fact.name), []).append(fact)
    for (kind, name), facts in groups.items():
        lacking = [each for each in ENGINES if name not in _has(each, kind)]
        if lacking or kind == "method" or (kind == "tag" and name in TRANSFORMERS_TAGS):
            yield _finding(subject, kind, name, facts, lacking)
    yield from _json_keywords(subject)


def _has(engine: TemplateEngine, kind: str) -> frozenset[str]:
    return {
        "method": engine.methods,
        "filter": engine.filters,
        "test": engine.tests,
        "tag": engine.tags,
        "operator": engine.operators,
    }[kind]


def _finding(subject: Subject, kind: str, name: str, facts: list[Fact], lacking: list[TemplateEngine]) -> Finding:
    what = _WORDS.get(kind, "The operator “{}”").format(name)
    names = [each.name for each in lacking]
    if kind == "tag" and name in TRANSFORMERS_TAGS:
        names.append(PLAIN_JINJA)
    if names:
        summary = f"{what} is not known to {listed(names)}."
    else:
        summary = f"{what} is Python's own; engines without Python's methods, such as bare minijinja, refuse it."
    return Finding(
        _IDS[kind],
        _severity(subject, lacking),
        summary,
        "The template renders here and in transformers and vLLM, but fails or differs in a server with that engine.",
        line=facts[0].line,
        name=name,
        lines=_lines(facts),
        fix=_as_filter(subject.source, name, facts) if kind == "method" else None,
    )


def _severity(subject: Subject, lacking: Iterable[TemplateEngine]) -> Severity:
    return "warning" if any(subject.target in each.targets for each in lacking) else "note"


def _as_filter(source: str, name: str, facts: list[Fact]) -> Fix | None:
    """The filter of the same name, which does the same to a value of the right kind and which every engine has."""
    call = f".{name}()"
    if name not in _AS_FILTER or "\r" in source:
        return None
    if not all(fact.start >= 0 and _ends_there(source, fact.start, call) for fact in facts):
        return None
    edits = sorted(
        (TextEdit(fact.start, fact.start + len(call), f"|{name}") for fact in facts), key=lambda it: it.start
    )
    return Fix(f"Write “|{name}” for “{call}”", template=tuple(edits))


def _ends_there(source: str, start: int, call: str) -> bool:
    """Whether the call stands at `start` and nothing is asked of its result that cannot be asked of a filter's."""
    rest = source[start + len(call) :].lstrip()
    return source.startswith(call, start) and not rest.startswith((".", "[", "("))


def _json_keywords(subject: Subject) -> Iterator[Finding]:
    facts = [
        each for each in subject.of_kind("filter") if each.name == "tojson" and TRANSFORMERS_TOJSON & {*each.flags}
    ]
    if not facts:
        return
    used = sorted(TRANSFORMERS_TOJSON & {flag for each in facts for flag in each.flags})
    lacking = [HUGGINGFACE_JS.name, PLAIN_JINJA]
    if "sort_keys" in used:
        lacking.insert(0, LLAMA_CPP.name)
    yield Finding(
        "filter-not-portable",
        "note",
        f"“tojson({', '.join(f'{name}=…' for name in used)})” is not known to {listed(lacking)}.",
        "There it is an error, or the JSON is written otherwise and the prompt differs from the one in training.",
        line=facts[0].line,
        name="tojson",
        lines=_lines(facts),
    )


def _lines(facts: list[Fact]) -> tuple[int, ...]:
    return tuple(sorted({fact.line for fact in facts}))


CHECK = Rule("portability", tuple(_IDS.values()), _find)
