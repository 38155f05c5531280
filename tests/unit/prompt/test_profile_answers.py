"""The profiles against what the runtimes' own code gave for our conversations (tests/data/runtimes)."""

import json
from typing import Any

import pytest

from support.records import DATA, records
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.profiles._registry import profile

RUNTIMES = DATA / "runtimes"


def read(name: str) -> Any:
    return json.loads((RUNTIMES / f"{name}.json").read_text(encoding="utf-8"))


def conversations() -> dict[str, Any]:
    return {each["name"]: each for each in [*records("conversations"), *read("conversations")]}


class Known:
    """Facts that a template of that variant would have."""

    def __init__(self, variant: str) -> None:
        self.variant = variant

    def about(self, name: str, source: str) -> JsonObject:
        parts = self.variant.startswith("openai")
        return {"vllm_parts": parts, "sglang_parts": parts, "declared": [], "pairs_results": "+ids" in self.variant}

    def render(self, request: RenderRequest) -> Rendered:
        return Rendered("")


def given(runtime: str, variant: str, record: Any) -> RenderRequest:
    return RenderRequest(
        "'developer'" if "+developer" in variant else "x",
        record["messages"],
        record.get("tools"),
        record.get("documents"),
        add_generation_prompt=record.get("add_generation_prompt") if runtime == "vllm" else None,
        continue_final_message=bool(record.get("continue_final_message")),
    )


@pytest.mark.parametrize("runtime", ["vllm", "sglang"])
def test_every_answer(runtime: str) -> None:
    known, compared = conversations(), 0
    assert read(runtime)["version"] == profile(runtime).version
    for answer in read(runtime)["answers"]:
        for variant, expected in answer["variants"].items():
            request = given(runtime, variant, known[answer["conversation"]])
            where = f"{answer['conversation']} {variant}"
            compared += 1
            if expected.get("refused"):
                with pytest.raises(ThinkpaneError, match="refuses this request"):
                    raise AssertionError(f"{where}: {profile(runtime).apply(request, Known(variant))}")
                continue
            made = profile(runtime).apply(request, Known(variant)).request
            assert made.messages == expected["messages"], where
            assert made.tools == expected["tools"], where
            assert made.ends.suffix_text == expected.get("suffix", ""), where
    assert compared > 140
