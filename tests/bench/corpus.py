"""The conversations that the bench measures with: the same every time, of any size, in several scripts.

Sizes follow what people paste: code, prose, CJK and emoji, with reasoning in every assistant turn.
"""

import random

from thinkpane.formats.json_values import JsonObject, JsonValue

PROSE = (
    "the loop reads one past end of list when index equals length so guard it with a half open range and check "
    "empty input first then measure again before you change anything else because noise hides small gains"
)
WORDS = PROSE.split()
CJK = "循环读取列表末尾之后的一个元素因此需要检查边界条件然后再次测量结果避免噪声掩盖微小的改进"
CODE = (
    "def total(values: list[int]) -> int:\n    found = 0\n    for each in range(len(values)):\n"
    "        found += values[each]\n    return found\n"
)
EMOJI = "✅ 🧪 👩‍💻 🇦🇹 🧵"


def conversation(messages: int, characters: int, seed: int = 7) -> list[JsonValue]:
    """`messages` messages of about `characters` characters each, roles alternating after a system message."""
    chance = random.Random(seed)
    found: list[JsonValue] = [{"role": "system", "content": prose(chance, characters // 2)}]
    while len(found) < messages:
        found.append({"role": "user", "content": prose(chance, characters)})
        found.append(
            {
                "role": "assistant",
                "content": prose(chance, characters),
                "reasoning_content": prose(chance, characters // 3),
            }
        )
    return found[:messages]


def prose(chance: random.Random, characters: int) -> str:
    """About `characters` characters of mixed prose, code, CJK and emoji."""
    pieces: list[str] = []
    length = 0
    while length < characters:
        kind = chance.random()
        if kind < 0.12:
            piece = CODE
        elif kind < 0.2:
            piece = CJK + "\n"
        elif kind < 0.24:
            piece = EMOJI + "\n"
        else:
            piece = " ".join(chance.choices(WORDS, k=chance.randint(8, 22))) + ".\n"
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces)[:characters]


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
