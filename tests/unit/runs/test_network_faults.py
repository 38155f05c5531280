"""Every network fault in every dialect ends in its own named state, with the text that had come."""

import pytest

from support.faulty_runs import met, wrong
from support.network_fault import NetworkFault
from support.network_faults import PAIRS

ALWAYS = ("openai-chat", "ollama")
"""One dialect of each framing; the others take minutes (`make test-all`, `make faults`)."""


@pytest.mark.parametrize(
    ("api", "fault"),
    [
        pytest.param(
            *pair,
            id=f"{n} of {len(PAIRS)}: {pair[0]}, {pair[1].name}",
            marks=() if pair[0] in ALWAYS else (pytest.mark.long,),
        )
        for n, pair in enumerate(PAIRS, 1)
    ],
)
def test_fault(api: str, fault: NetworkFault) -> None:
    run, requests = met(api, fault)
    assert not wrong(run, requests, fault), run.problem
