"""`make tokens`: how exact incremental encoding is, by vocabulary, over random edits; and against a llama.cpp server.

Each edit's ids are compared with those of the whole text; ids that were joined inside a huge message are compared both
at once and when confirmed. Edits bring text that NFC changes, joined emoji, CR and LF, scripts without spaces, and
halves and wholes of special tokens (tests/support/edits.py).

python tests/corpus/token_exactness.py [EDITS] [NAME …]
"""

import random
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "tests"))

from support import vocabularies  # noqa: E402 - found only once the folder is on the path
from support.edits import Tried, texts, tried  # noqa: E402
from support.llama_server import LlamaServer, model_file  # noqa: E402
from support.small_vocabularies import normalising  # noqa: E402
from thinkpane.tokens.kinds.gguf import KIND  # noqa: E402
from thinkpane.tokens.vocabulary import Vocabulary  # noqa: E402

EDITS = 600
NAMES = ("qwen2", "qwen35", "llama-bpe", "command-r", "deepseek-llm", "deepseek-coder", "gemma-4", "gpt-2", "llama-spm")
AFTER_NFC = " after NFC"


def main(words: list[str]) -> int:
    """Exit status 1 where any ids are other ones than the whole text's."""
    edits = int(words[0]) if words else EDITS
    names = words[1:] or [*NAMES, f"qwen2{AFTER_NFC}"]
    print(f"{'vocabulary':<18} {'edits':>6} {'windows':>8} {'joined otherwise':>17} {'misplaced':>10} {'wrong':>6}")
    wrong = 0
    for name in names:
        vocabulary = _loaded(name)
        if vocabulary is None:
            print(vocabularies.MISSING)
            return 1
        found = [tried(vocabulary, edits, 11, long=False), tried(vocabulary, edits, 12, long=True)]
        print(_row(name, found), flush=True)
        wrong += sum(len(each.wrong) + each.misplaced for each in found)
    wrong += _with_server(edits)
    return 1 if wrong else 0


def _loaded(name: str) -> Vocabulary | None:
    file = vocabularies.file_of(name.removesuffix(AFTER_NFC))
    if not file.exists():
        return None
    found = KIND.load(file)
    return normalising(found) if name.endswith(AFTER_NFC) else found


def _row(name: str, found: list[Tried]) -> str:
    edits, windows = sum(each.edits for each in found), sum(each.windows for each in found)
    differing, misplaced = sum(each.differing for each in found), sum(each.misplaced for each in found)
    wrong = sum(len(each.wrong) for each in found)
    return f"{name:<18} {edits:>6,} {windows:>8,} {differing:>17,} {misplaced:>10,} {wrong:>6,}"


def _with_server(edits: int) -> int:
    """How many texts a running llama.cpp server encodes otherwise than we do with its model's file."""
    file = model_file()
    if file is None:
        print("No llama.cpp server is there to compare with; `make real-server` installs it.")
        return 0
    vocabulary = KIND.load(file)
    different = 0
    with LlamaServer() as server:
        for text in texts(random.Random(13), vocabulary.cuts, edits, long=False):
            body = {"content": text, "add_special": False, "parse_special": True}
            different += server.post("/tokenize", body)["tokens"] != [*vocabulary.encode([text])[0]]
    print(f"{edits:,} texts by a running llama.cpp server's /tokenize (SmolLM2): {different} different")
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
