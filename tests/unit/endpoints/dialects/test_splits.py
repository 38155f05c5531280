"""However the network cuts a reply, the same events come of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from support.wire_cases import WireCase, wire_cases
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.transcript import Transcript

CASES = wire_cases("stream")


def read(case: WireCase, cuts: list[int], *, stream: bool) -> dict[str, object]:
    dialect = dialect_named(case.input["format"])
    decoder = dialect.decoder(case.options) if stream else dialect.answer_decoder(case.options)
    (body,) = case.chunks("whole")
    transcript = Transcript()
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        transcript.apply_all(decoder.feed(body[start:end]))
    transcript.apply_all(decoder.close())
    return transcript.as_json() | {"unknown": transcript.unknown, "clean": transcript.is_clean}


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(CASES), st.booleans(), st.data())
def test_cuts_change_nothing(case: WireCase, stream: bool, data: st.DataObject) -> None:
    size = len(case.chunks("whole")[0])
    cuts = sorted(data.draw(st.lists(st.integers(0, size), max_size=12)))
    assert read(case, cuts, stream=stream) == read(case, [], stream=stream)
