"""Format, damage and repair as jobs of a worker tell what their functions do."""

from pathlib import Path

import pytest

from thinkpane.engine.host import Engine
from thinkpane.formats.jinja_format import formatted
from thinkpane.templates.repair import KINDS, inspect, repair

SEEDS = sorted((Path(__file__).parents[2] / "data" / "seeds").glob("*.txt"))
BLOCKS = "{% for m in messages %}\n{% if m %}\nx\n{% endif %}\n{% endfor %}\n"


def test_format(engine: Engine) -> None:
    assert engine.job("format", {"source": BLOCKS}) == {"source": formatted(BLOCKS)}
    assert engine.job("format", {"source": "{% if a %}"}) == {"source": None}


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name[:3])
def test_damage_and_repair(engine: Engine, seed: Path) -> None:
    text = seed.read_text(encoding="utf-8")
    damages = engine.job("damage", {"source": text})["damages"]
    assert damages == [
        {"kind": each.kind, "line": each.line, "sentence": each.sentence, "confidence": each.confidence}
        for each in inspect(text)
    ]
    done = repair(text, KINDS, "glm")
    said = [step.sentence for step in done.steps]
    assert engine.job("repair", {"source": text, "family": "glm"}) == {"source": done.text, "said": said}
    nothing = engine.job("repair", {"source": text, "kinds": ["unheard-of"], "family": "unheard-of"})
    assert nothing == {"source": text, "said": []}
