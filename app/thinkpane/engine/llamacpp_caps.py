"""The job "llamacpp_caps": what llama.cpp finds out about a template by rendering it on probes.

Source: llama.cpp (the tree inside llama-cpp-python 0.3.36), `common/jinja/caps.cpp`: values that note what is done to
them. Where its engine fails and Jinja does not (a loop over a text, `append`), it counts as failed or allowed here too.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Any, SupportsIndex, cast

from jinja2 import ChainableUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment

from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.template_errors import compile_problem
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject

_MARK = "STRING_MARKER"
_REASONING = "REASONING_MARKER"
_TOOL = {
    "name": "tool",
    "type": "function",
    "function": {
        "name": "tool1",
        "description": "Tool description",
        "parameters": {
            "type": "object",
            "properties": {"arg": {"type": "string", "description": "Arg description"}},
            "required": ["arg"],
        },
    },
}


def llamacpp_caps_job(payload: JsonObject) -> JsonObject:
    """{source} in; {text_content, part_content, system_role, object_arguments, thinking} out.

    The first four are llama.cpp's caps of like names; thinking: whether it takes the template for a thinking one, on
    which the default of `enable_thinking` depends.

    Raises ThinkpaneError (kind "template") when the source cannot be compiled.
    """
    source = cast("str", payload["source"])
    try:
        probes = _Probes(source)
    except Exception as error:  # noqa: BLE001 - compiling may end in RecursionError, MemoryError, …
        problem = compile_problem(error, source)
        raise ThinkpaneError(problem) from None
    text, parts = probes.content()
    return {
        "text_content": text,
        "part_content": parts,
        "system_role": probes.system_role(),
        "object_arguments": probes.object_arguments(),
        "thinking": probes.thinking(),
    }


class _Text(str):
    """A text that notes being walked through or indexed."""

    walked = False
    indexed = False

    def __iter__(self) -> Iterator[str]:
        self.walked = True
        return super().__iter__()

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        self.indexed = self.indexed or not isinstance(key, slice)
        return super().__getitem__(key)


class _List(list[Any]):
    """A list that notes being walked through or indexed."""

    walked = False

    def __iter__(self) -> Iterator[Any]:
        self.walked = True
        return super().__iter__()

    def __getitem__(self, key: Any) -> Any:
        self.walked = self.walked or not isinstance(key, slice)
        return super().__getitem__(key)


class _Object(dict[str, Any]):
    """An object that notes which of its entries are read."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def items(self) -> Any:
        self.read.update(self)
        return super().items()

    def values(self) -> Any:
        self.read.update(self)
        return super().values()


class _Nothing(ChainableUndefined):
    """An undefined value as llama.cpp has it: its entries are undefined too, and added to a text it is empty."""

    def __add__(self, other: Any) -> Any:
        return other

    def __radd__(self, other: Any) -> Any:
        return other


class _Lenient(ImmutableSandboxedEnvironment):
    """Lets lists be changed, as llama.cpp's engine does; only probes are rendered with it."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return SandboxedEnvironment.is_safe_attribute(self, obj, attr, value)


class _Probes:
    """One compiled template and what its renders do to values."""

    def __init__(self, source: str) -> None:
        self._environment = build_environment(Clock(), _Lenient)
        self._environment.undefined = _Nothing
        self._asked_for_text: list[object] = []
        self._is_string = cast("Callable[[Any], bool]", self._environment.tests["string"])
        self._environment.tests["string"] = self._tested_for_text
        for name in ("tojson", "string"):
            self._environment.filters[name] = self._reads_whole(self._environment.filters[name])
        self._template = self._environment.from_string(source)

    def content(self) -> tuple[bool, bool]:
        """Whether content may be text, and whether it may be parts."""
        content = _Text(_MARK)
        rendered = self._render([{"role": "user", "content": content}])
        parts = content.walked or content.indexed
        text = rendered is not None and not content.walked and not (parts and _MARK not in rendered)
        if any(each is content for each in self._asked_for_text):
            empty = _List()
            if self._render([{"role": "user", "content": empty}]) is not None and empty.walked:
                parts = True
        return text, parts

    def system_role(self) -> bool:
        """Whether a system message's content is read."""
        system = _Object({"role": "system", "content": "System message"})
        self._render([system, {"role": "user", "content": "User message"}])
        return "content" in system.read

    def object_arguments(self) -> bool:
        """Whether arguments of tool calls are read as objects."""
        arguments = _Object({"arg": "value"})
        call = {"id": "call00001", "type": "function", "function": {"name": "tool1", "arguments": arguments}}
        rendered = self._render(
            [
                {"role": "user", "content": "User message"},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "content": "Tool response", "tool_call_id": "call00001"},
                {"role": "assistant", "content": "The tool response was 'tool response'"},
                {"role": "user", "content": "User message"},
            ],
            [_TOOL],
        )
        return rendered is not None and "arg" in arguments.read

    def thinking(self) -> bool:
        """Whether reasoning is printed, or the switch changes how a reply starts, or a reply starts with thinking."""
        question = {"role": "user", "content": _MARK}
        replies: tuple[dict[str, Any], ...] = (
            {"content": "Answer", "reasoning_content": _REASONING},
            {"content": "Answer", "thinking": _REASONING},
            {"content": [{"type": "thinking", "thinking": _REASONING}, {"type": "text", "text": "Answer"}]},
        )
        for reply in replies:
            rendered = self._render([question, {"role": "assistant", **reply}], enable_thinking=True) or ""
            before, found, _ = rendered.partition(_REASONING)
            if found and before[-1:] not in ("'", '"'):
                return True
        starts = [(self._render([question], enable_thinking=on) or "").rpartition(_MARK)[2] for on in (True, False)]
        return starts[0] != starts[1] or "<think>" in starts[0]

    def _render(
        self, messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None = None, **variables: bool
    ) -> str | None:
        context = {"messages": messages, "tools": tools or [], "bos_token": "", "eos_token": ""}
        try:
            return self._template.render(context, add_generation_prompt=True, **variables)
        except Exception:  # noqa: BLE001 - that the template fails is the finding
            return None

    def _tested_for_text(self, value: Any) -> bool:
        self._asked_for_text.append(value)
        return self._is_string(value)

    def _reads_whole(self, printer: Callable[..., Any]) -> Callable[..., Any]:
        """A filter that prints a value whole: all in it is read then."""

        def printed(value: Any, *args: Any, **kwargs: Any) -> Any:
            return printer(_whole(value), *args, **kwargs)

        return printed


def _whole(value: Any) -> Any:
    """The value as plain ones, all of it read; what Jinja's `map` and the like give is a list in llama.cpp."""
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in list.__iter__(value)]
    return [_whole(each) for each in value] if isinstance(value, Generator) else value
