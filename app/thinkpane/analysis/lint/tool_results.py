"""Tool calls and their results: each result has its call, each call its result, in an order that tells them apart."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix, MessageEdit
from thinkpane.analysis.lint.subject import Subject
from thinkpane.formats.json_values import JsonObject

_IDS = ("tool-result-without-call", "tool-call-without-result", "tool-results-out-of-order", "tool-call-id-repeated")


def _find(subject: Subject) -> Iterator[Finding]:
    messages = subject.messages()
    yield from _without_call(subject, messages)
    yield from _without_result(subject, messages)
    yield from _out_of_order(subject, messages)
    yield from _repeated(subject, messages)


def _without_call(subject: Subject, messages: list[tuple[int, JsonObject]]) -> Iterator[Finding]:
    ids: set[str] = set()
    calls = 0
    for index, message in messages:
        calls += len(_calls(message))
        ids |= {id for id in map(_id, _calls(message)) if id}
        if message.get("role") != "tool":
            continue
        asked = message.get("tool_call_id")
        if not calls:
            words = "no message before it calls a tool"
        elif isinstance(asked, str) and asked and ids and asked not in ids:
            words = f"no call before it has the id “{asked}”"
        else:
            continue
        yield Finding(
            _IDS[0],
            "warning",
            f"Message {subject.number(index)} is a tool's result, and {words}.",
            "Servers refuse such a conversation, and the model reads an answer to a question that it never asked.",
            message_index=index,
        )


def _without_result(subject: Subject, messages: list[tuple[int, JsonObject]]) -> Iterator[Finding]:
    for place, (index, message) in enumerate(messages):
        calls = _calls(message)
        if message.get("role") != "assistant" or not calls:
            continue
        results = 0
        for _, later in messages[place + 1 :]:
            if later.get("role") != "tool":
                break
            results += 1
        else:
            continue  # the conversation ends here, the results are still to come
        if results < len(calls):
            yield Finding(
                _IDS[1],
                "warning",
                f"Message {subject.number(index)} makes {len(calls)} call{'s' if len(calls) > 1 else ''}, "
                f"and {results or 'none'} of them {'has' if results == 1 else 'have'} a result before the next turn.",
                "Servers refuse such a conversation, and the model may wait for the result or make one up.",
                message_index=index,
            )


def _out_of_order(subject: Subject, messages: list[tuple[int, JsonObject]]) -> Iterator[Finding]:
    for place, (_, message) in enumerate(messages):
        wanted = [id for id in map(_id, _calls(message)) if id]
        following = messages[place + 1 : place + 1 + len(wanted)]
        got = [(index, each) for index, each in following if each.get("role") == "tool"]
        ids = [each.get("tool_call_id") for _, each in got]
        if len(wanted) < 2 or len(got) != len(wanted) or ids == wanted or sorted(map(str, ids)) != sorted(wanted):
            continue
        if not all(_goes_by_place(subject, index) for index, _ in got):
            continue
        first = next(index for (index, _), id, expected in zip(got, ids, wanted, strict=True) if id != expected)
        by_id = {str(each.get("tool_call_id")): each for _, each in got}
        edits = tuple(MessageEdit(index, (), by_id[id]) for (index, _), id in zip(got, wanted, strict=True))
        yield Finding(
            _IDS[2],
            "warning",
            f"Tool results stand in another order than their calls (from message {subject.number(first)}), "
            "and the template goes by their place alone.",
            "It prints neither the call's id nor the tool's name, so that the model takes each result for another "
            "call's.",
            message_index=first,
            fix=Fix("Put the results in the order of the calls", messages=edits),
        )


def _goes_by_place(subject: Subject, index: int) -> bool:
    if subject.trace is None or subject.trace.owners is None:
        return True
    return not any(subject.trace.prints(f"messages[{index}].{name}") for name in ("tool_call_id", "name"))


def _repeated(subject: Subject, messages: list[tuple[int, JsonObject]]) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, message in messages:
        for id in filter(None, map(_id, _calls(message))):
            if id in seen:
                yield Finding(
                    _IDS[3],
                    "warning",
                    f"The call id “{id}” in message {subject.number(index)} was used before.",
                    "Results cannot be told apart by it.",
                    message_index=index,
                    name=id,
                )
            seen.add(id)


def _calls(message: JsonObject) -> list[JsonObject]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _id(call: JsonObject) -> str:
    id = call.get("id")
    return id if isinstance(id, str) else ""


CHECK = Rule("tool-results", _IDS, _find)
