"""Records what transformers answers, for machines that cannot have it: python tests/corpus/record.py

Writes tests/data/oracle/corpus-sample.json: "template + conversation" -> {sha256} of the text, or {error}. To be run
again when conversations or built-in templates changed.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support import corpus


def main() -> int:
    """Exit status 1 where templates or transformers are missing."""
    if not corpus.published() or not corpus.has_oracle():
        print("Run `make corpus` first.")
        return 1
    asked = corpus.recorded_pairs()
    answers = [corpus.hashed(each) for each in corpus.ask_oracle(asked)]
    kept = {f"{template} + {conversation}": each for (template, conversation), each in zip(asked, answers, strict=True)}
    corpus.RECORDED.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
    print(f"{len(kept)} answers recorded in {corpus.RECORDED.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
