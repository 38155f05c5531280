"""What --set did not do: a value that another one replaces, and one that changes nothing in the prompt, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from thinkpane.conversation.messages import message
from thinkpane.engine.host import Engine
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.prompt import Prompt


def set_notes(
    given: Sequence[str], job: PromptJob, prompt: Prompt, engine: Engine, file: Mapping[str, JsonValue]
) -> Iterator[str]:
    """A sentence for each of the values NAME=VALUE of `given` without effect. prompt: the job's, traced.

    file: the template variables of the FILE itself, which hold where --set says nothing.
    """
    last = {each.partition("=")[0]: each for each in given}
    for each in given:
        name = each.partition("=")[0]
        if last[name] != each:
            yield f"“{each}” has no effect: “{last[name]}” overrules it."
    for name, each in last.items():
        why = _why_nothing(name, job, prompt, engine, file)
        if why:
            yield f"“{each}” has no effect: {why}."


def _why_nothing(name: str, job: PromptJob, prompt: Prompt, engine: Engine, file: Mapping[str, JsonValue]) -> str:
    if name in prompt.ignored:
        return "the template does not read it here"
    if _text(_without(job, name, file), engine) != prompt.text:
        return ""
    # A conversation in which nothing can overrule a variable.
    plain = replace(job.conversation, messages=(message("user", "…"),), tools=(), documents=(), raw_text=None)
    other = replace(job, conversation=plain, continue_final_message=False)
    if _text(other, engine) != _text(_without(other, name, file), engine):
        return "something in the conversation overrules it, as a tag in a message does"
    return "what it says holds without it, or another variable overrules it"


def _without(job: PromptJob, name: str, file: Mapping[str, JsonValue]) -> PromptJob:
    """The job where --set says nothing of that variable: then it is as the file has it."""
    rest = {key: value for key, value in job.variables.items() if key != name}
    return replace(job, variables=rest | ({name: file[name]} if name in file else {}))


def _text(job: PromptJob, engine: Engine) -> str | None:
    """The prompt's text, None where there is none."""
    made = PromptMaker(engine).make(job)
    return made.text if made.problem is None else None
