"""The same logical reply in every dialect is the same events in the same order, however its bytes are cut."""

import json
from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from support.encoded_replies import APIS, RAW_APIS, LogicalReply, encoded, unfinished
from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.events import AnswerDelta, Ended, Event, Failed, Finish, ThinkingDelta, ToolDelta, Warned

# Tags, channel tokens and newlines at a rim are matters of their own; halves of characters cannot be cut by bytes.
TEXTS = st.lists(
    st.text(st.characters(exclude_characters="<>|`\r\n", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5),
    max_size=4,
).map(tuple)
ARGUMENTS = st.dictionaries(st.text("aé", max_size=2), st.integers() | st.text('😀"\\', max_size=3), max_size=2)
CALLS = st.lists(
    st.tuples(st.sampled_from(["f", "g"]), ARGUMENTS.map(lambda value: json.dumps(value, ensure_ascii=False))),
    max_size=2,
).map(lambda calls: tuple((f"id{index}", name, arguments) for index, (name, arguments) in enumerate(calls)))
REPLIES = st.builds(LogicalReply, TEXTS, TEXTS, CALLS)
CUTS = st.lists(st.floats(0, 1), max_size=6)


def events(api: str, body: bytes, cuts: Iterable[float] = ()) -> list[Event]:
    """What is read of a body that comes in pieces, cut at those parts of its length."""
    decoder = dialect_named(api).decoder(DecodeOptions())
    places = [0, *sorted(round(cut * len(body)) for cut in cuts), len(body)]
    found: list[Event] = []
    for start, end in pairwise(places):
        found += decoder.feed(body[start:end])
    return found + decoder.close()


def told(found: list[Event]) -> list[tuple[str, ...]]:
    """The events in their order, pieces of one thing joined; without what dialects say differently or not at all.

    A call stands where it begins: an empty object for its arguments is only certain at the end.
    """
    lines: list[tuple[str, ...]] = []
    calls: dict[str, int] = {}
    for event in found:
        match event:
            case ThinkingDelta() | AnswerDelta():
                what = "thinking" if isinstance(event, ThinkingDelta) else "answer"
                if lines and lines[-1][0] == what:
                    lines[-1] = (what, lines[-1][1] + event.text)
                else:
                    lines.append((what, event.text))
            case ToolDelta():
                place = calls.setdefault(event.key, len(lines))
                _, id, name, arguments = lines[place] if place < len(lines) else ("tool", "", "", "")
                lines[place : place + 1] = [("tool", event.id or id, event.name or name, arguments + event.arguments)]
            case Finish():
                lines.append(("finish", event.reason))
            case Failed():
                lines.append(("failed", event.problem.kind))
            case Warned():
                lines.append(("warned", event.id))
            case Ended():
                lines.append(("ended", str(event.clean)))
    return lines


def fits(api: str, reply: LogicalReply) -> bool:
    """Whether the dialect can say it: raw ones have no calls, and blanks beside a think tag are not told apart."""
    return not (api in RAW_APIS and (reply.calls or not "".join(reply.answer).strip()))


@settings(max_examples=120, deadline=None)
@given(REPLIES, CUTS)
def test_a_whole_reply(reply: LogicalReply, cuts: list[float]) -> None:
    thinking, answer = "".join(reply.thinking), "".join(reply.answer)
    wanted = [("thinking", thinking)] if thinking else []
    wanted += [("answer", answer)] if answer else []
    calls = [("tool", id, name, arguments) for id, name, arguments in reply.calls]
    for api in filter(lambda api: fits(api, reply), APIS):
        body = encoded(api, reply)
        found = told(events(api, body))
        said = [line for line in found if line[0] in ("thinking", "answer", "tool")]
        if api not in RAW_APIS:
            assert said == [*wanted, *calls], api
        assert [line for line in found if line[0] in ("finish", "failed", "ended")] == [
            ("finish", "end"),
            ("ended", "True"),
        ]
        assert told(events(api, body, cuts)) == found, api


@settings(max_examples=120, deadline=None)
@given(REPLIES, CUTS, st.booleans())
def test_a_reply_that_is_cut_off_or_ends_with_done_alone(reply: LogicalReply, cuts: list[float], done: bool) -> None:
    ends = set()
    for api in filter(lambda api: fits(api, reply), APIS):
        body = unfinished(api, reply)
        if done:
            body += b"[DONE]\n" if api in ("ollama", "ollama-generate") else b"data: [DONE]\n\n"
        found = told(events(api, body, cuts))
        assert found == told(events(api, body)), api
        ends.add(tuple(line for line in found if line[0] in ("failed", "ended", "finish")))
    has_text = bool("".join(reply.thinking) or "".join(reply.answer) or reply.calls)
    whole = (("ended", "True"),)
    cut = (("failed", "incomplete"), ("ended", "False"))
    assert ends <= {whole if done and has_text else cut}
