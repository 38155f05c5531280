"""Records what transformers makes of control tokens in input: python tests/corpus/record_sanitized.py

Writes tests/data/oracle/sanitized.json from the cases in tests/support/sanitized_cases.py: for each the control tokens,
what the template rendered with its input marked, the pieces of that, and the ids; or the error.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support import corpus, sanitized_cases

ORACLE = """
import json, sys
from transformers import PreTrainedTokenizerFast
from transformers.utils import chat_template_utils
asked = json.load(sys.stdin)
for case in asked["cases"]:
    made = PreTrainedTokenizerFast(tokenizer_file=asked["files"][case["vocabulary"]], **case.get("tokenizer", {}))
    heard = []
    encode = chat_template_utils.encode_marked_chat
    import transformers.tokenization_utils_tokenizers as backend
    def hear(tokenizer, chat):
        heard.append(chat)
        return encode(tokenizer, chat)
    backend.encode_marked_chat = hear
    try:
        ids = made.apply_chat_template(case["messages"], tools=case.get("tools"), documents=case.get("documents"),
            chat_template=case["template"], sanitize_control_tokens=True, return_dict=False,
            add_generation_prompt=True, **case.get("variables", {}))
        found = {"ids": ids}
    except Exception as error:
        found = {"error": f"{type(error).__name__}: {error}"}
    found |= {"control_tokens": list(made._get_control_tokens(case["template"])), "marked": heard[0] if heard else None}
    plain = made.apply_chat_template(case["messages"], tools=case.get("tools"), documents=case.get("documents"),
        chat_template=case["template"], return_dict=False, add_generation_prompt=True, **case.get("variables", {}))
    print(json.dumps(found | {"plain_ids": plain}))
"""


def main() -> int:
    """Exit status 1 where transformers is missing."""
    if not corpus.has_oracle():
        print("Run `make corpus` first.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, vocabulary in sanitized_cases.vocabularies().items():
            files[name] = f"{folder}/{name}.json"
            vocabulary._tokenizer.save(files[name])
        asked = json.dumps({"files": files, "cases": sanitized_cases.CASES})
        ran = subprocess.run(
            [str(corpus.CACHE / "oracle" / "bin" / "python"), "-c", ORACLE],
            input=asked,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    kept = {case["name"]: answer for case, answer in zip(sanitized_cases.CASES, answers, strict=True)}
    sanitized_cases.RECORDED.write_text(
        "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in kept.items()) + "\n}\n", encoding="utf-8"
    )
    print(f"{len(kept)} answers recorded in {sanitized_cases.RECORDED.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
