"""The token that begins a text, given twice."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix
from thinkpane.analysis.lint.subject import Subject

# Servers that tokenize a raw prompt themselves and put the token before it, unless they are told not to.
_ADDING = {
    "openai-completions": "A completions server tokenizes the prompt and adds the token itself (vLLM does, unless "
    "“add_special_tokens” is false)",
    "llamacpp": "llama.cpp tokenizes the prompt and adds the token itself, where the model's file says so",
    "ollama-generate": "Ollama tokenizes the prompt and adds the token itself, where the model's file says so",
}
_USUAL = (
    "<s>",
    "<bos>",
    "<|bos|>",
    "<|begin_of_text|>",
    "<|startoftext|>",
    "<｜begin▁of▁sentence｜>",
    "<|begin_of_sentence|>",
    "<BOS_TOKEN>",
    "<|BOS|>",
)
"""What models call it, for templates that write it out."""


def _find(subject: Subject) -> Iterator[Finding]:
    given = subject.request.variables.get("bos_token")
    token = given if isinstance(given, str) and given else ""
    usual = (each for each in _USUAL if subject.text.startswith(each))
    start = token if token and subject.text.startswith(token) else next(usual, "")
    if not start or (not subject.given and not token):
        return
    if subject.text.startswith(start * 2) or (token and subject.text.startswith(start + token)):
        yield _finding(
            subject,
            "double-bos-in-prompt",
            start,
            f"The prompt begins with {start} twice.",
            "Models are trained on one; two of them make answers worse in ways that are hard to see.",
            len(start) * 2,
        )
    elif subject.target in _ADDING and subject.params.get("add_special_tokens") is not False:
        yield _finding(
            subject,
            "bos-at-start-of-completions-prompt",
            start,
            f"The prompt begins with {start}, and the server adds one more.",
            f"{_ADDING[subject.target]}; models are trained on one.",
            len(start),
        )


def _finding(subject: Subject, id: str, token: str, summary: str, why: str, end: int) -> Finding:
    owners = subject.trace.owners if subject.trace else None
    return Finding(
        id,
        "warning",
        summary,
        why,
        line=(owners.line_at(0) or None) if owners else None,
        name="bos_token" if subject.trace and subject.trace.prints("bos_token") else None,
        token=token,
        fix=_empty(subject),
        span=(0, end),
    )


def _empty(subject: Subject) -> Fix | None:
    """Without the variable the template writes none, where it writes it once and from the variable."""
    spans = subject.trace.spans_of("bos_token") if subject.trace else []
    token = subject.request.variables.get("bos_token")
    if len(spans) == 1 and isinstance(token, str) and spans[0][1] - spans[0][0] == len(token):
        return Fix("Set “bos_token” to nothing, so that only the server adds it", variables={"bos_token": ""})
    return None


CHECK = Rule("bos", ("double-bos-in-prompt", "bos-at-start-of-completions-prompt"), _find)
