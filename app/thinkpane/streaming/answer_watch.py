"""Watches an answer's text for marks that should not be there: tool calls nobody parsed, special tokens that leaked."""

import re

_TOOL_MARKUP = re.compile(
    r"<\|tool_calls?(?:_section)?(?:_begin)?\|?>|<tool_calls?>|<function=|<function_calls>|<invoke name=|\[TOOL_CALLS\]"
    r"|<\|python_tag\|>|<[|｜]tool▁calls?▁begin[|｜]>|<｜DSML｜|<[a-z]+[:_](?:tool|function)_call[ >]|<\|tool_call>"
    r"|<start_function_call>|<TOOLCALL>|<\|(?:START_ACTION|action_start|tools_prefix)\|>|<tool_code>"
    r"|<\|channel\|>commentary to="
)
_SPECIAL_TOKEN = re.compile(
    r"<\|[A-Za-z][A-Za-z0-9_ ]{0,40}\|>|<｜[^｜<>\n]{1,40}｜>|</s>|<eos>|<bos>|<pad>"
    r"|<end_of_turn>|<start_of_turn>|<\|?turn\|?>|<unused\d+>|\[/?INST\]|\[EOS\]"
)
_FIRSTS = re.compile(r"[<\[]")
_LONGEST = 48


class AnswerWatch:
    """Follows one answer piece by piece and remembers the first mark of each kind."""

    def __init__(self) -> None:
        self.tool_markup = ""
        self.special_token = ""
        self._tail = ""

    def feed(self, text: str) -> None:
        """Goes on over `text`."""
        text = self._tail + text
        first = _FIRSTS.search(text)
        if first is None:
            self._tail = ""
            return
        if not self.tool_markup and (found := _TOOL_MARKUP.search(text)):
            self.tool_markup = found.group()
        if not self.special_token:
            self._look_for_special_token(text)
        tail = text[-_LONGEST:]
        self._tail = tail if _FIRSTS.search(tail) else ""

    def _look_for_special_token(self, text: str) -> None:
        for found in _SPECIAL_TOKEN.finditer(text):
            if not _TOOL_MARKUP.match(found.group()) and "tool" not in found.group():
                self.special_token = found.group()
                return
