"""The conversations that the bench measures with: the same every time on one Python, of any size, in several scripts.

Sizes follow what people paste: code and documentation as they come with Python, lines in Chinese, Japanese and Korean,
emoji; reasoning in every assistant turn, and tools called in about a third of them, two at once, answered in reverse.
"""

import random
import sysconfig
from functools import cache
from pathlib import Path
from typing import Final

from thinkpane.formats.json_values import JsonObject, JsonValue

CODE: Final = ("argparse.py", "typing.py", "pathlib.py", "tarfile.py", "zipfile.py", "statistics.py", "ast.py")
DOCUMENTATION: Final = "pydoc_data/topics.py"
"""Files of Python's own library."""

OTHER_SCRIPTS: Final = (
    "循环读取列表末尾之后的一个元素，因此需要检查边界条件，然后再次测量结果，避免噪声掩盖微小的改进。",
    "请把这个函数改成只读取已经存在的条目，并且在输入为空时立即返回。",
    "文件已保存，但服务器没有回应；稍后会自动重试三次。",
    "リストの末尾を一つ越えて読んでいるので、添字が長さと等しい場合を先に調べてください。",
    "設定を変更した後は、もう一度測定してから次の変更に進みます。",
    "接続が切れました。ネットワークを確認して、もう一度お試しください。",
    "목록의 끝을 하나 넘어서 읽고 있으므로 먼저 길이를 확인해야 합니다.",
    "설정을 바꾼 뒤에는 다시 측정하고 결과를 비교해 주세요.",
    "파일을 저장했지만 서버가 응답하지 않아 잠시 후 다시 시도합니다.",
    "✅ 🧪 👩‍💻 🇦🇹 🧵 done, 🚀 next: 🧮 ➡️ 📈",
)
CALLED: Final = 0.3
"""The part of the assistant's turns in which tools are called."""


def conversation(messages: int, characters: int, seed: int = 7, called: float = CALLED) -> list[JsonValue]:
    """`messages` messages of about `characters` characters each after a system message.

    called: the part of the assistant's turns that call tools; 0 = roles alternate strictly.
    """
    chance = random.Random(seed)
    found: list[JsonValue] = [{"role": "system", "content": prose(chance, characters // 2)}]
    while len(found) < messages:
        found.append({"role": "user", "content": prose(chance, characters)})
        if chance.random() < called:
            found += _calling(chance, characters, len(found))
        found.append(_answer(chance, characters))
    return found[:messages]


def _answer(chance: random.Random, characters: int) -> JsonObject:
    return {
        "role": "assistant",
        "content": prose(chance, characters),
        "reasoning_content": prose(chance, characters // 3),
    }


def _calling(chance: random.Random, characters: int, place: int) -> list[JsonValue]:
    names = [f"call_{place}_{number}" for number in (1, 2)]
    calls: list[JsonValue] = [
        {
            "id": name,
            "type": "function",
            "function": {"name": f"look_up_{place % 20}", "arguments": {"name": prose(chance, 60), "place": place}},
        }
        for name in names
    ]
    answers: list[JsonValue] = [
        {"role": "tool", "tool_call_id": name, "content": prose(chance, characters)} for name in reversed(names)
    ]
    return [{**_answer(chance, characters // 2), "tool_calls": calls}, *answers]


def prose(chance: random.Random, characters: int) -> str:
    """About `characters` characters of mixed code, documentation, other scripts and emoji."""
    pieces: list[str] = []
    length = 0
    while length < characters:
        kind = chance.random()
        if kind < 0.3:
            piece = "\n".join(chance.choices(OTHER_SCRIPTS, k=chance.randint(1, 4))) + "\n"
        else:
            lines = _lines(chance.choice(CODE) if kind < 0.7 else DOCUMENTATION)
            start = chance.randrange(len(lines))
            piece = "\n".join(lines[start : start + chance.randint(4, 16)]) + "\n"
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces)[:characters]


@cache
def _lines(file: str) -> list[str]:
    text = (Path(sysconfig.get_path("stdlib")) / file).read_text(encoding="utf-8")
    if file != DOCUMENTATION:
        return text.split("\n")
    # The documentation stands there as strings in quotes, a line each.
    return [line.strip().strip("'\"").replace("\\n", "") for line in text.split("\n")]


def tools(count: int = 20) -> list[JsonValue]:
    """`count` tools of the size that real clients send."""
    return [_tool(index) for index in range(count)]


def _tool(index: int) -> JsonObject:
    properties: JsonObject = {
        name: {"type": "string", "description": f"The {name} of thing {index}, as people write it."}
        for name in ("name", "place", "unit")
    }
    function: JsonObject = {
        "name": f"look_up_{index}",
        "description": f"Looks up thing number {index} and says what is known about it.",
        "parameters": {"type": "object", "properties": properties, "required": ["name"]},
    }
    return {"type": "function", "function": function}
