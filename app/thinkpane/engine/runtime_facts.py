"""The job "runtime_facts": what vLLM and SGLang read out of a template's syntax tree before they render it.

Sources: vLLM 0.33.0, `vllm/renderers/hf.py` (content format, names that chat_template_kwargs may have); SGLang 0.5.23,
`sglang/srt/parser/jinja_template_utils.py` (content format, whether tool results are told apart by their call's id).
Both look for loops over a message's content: a template with one gets content parts, any other gets text.
"""

from collections.abc import Iterator
from typing import cast

from jinja2 import nodes
from jinja2.meta import find_undeclared_variables

from thinkpane.engine.environment import parsed
from thinkpane.engine.template_errors import compile_problem
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

_MEDIA_WORDS = ("image", "audio", "video", "vision")
_SGLANG_NAMES = ("message", "msg", "m")
_ID = "tool_call_id"


def runtime_facts_job(payload: JsonObject) -> JsonObject:
    """{source} in; {vllm_parts, sglang_parts, declared, pairs_results} out.

    vllm_parts, sglang_parts: that runtime hands content over as parts, else as text. declared: the names vLLM takes
    for the template's variables. pairs_results: SGLang may sort tool results into their calls' order.
    Raises ThinkpaneError (kind "template") when the source cannot be parsed.
    """
    source = cast("str", payload["source"])
    try:
        tree = parsed(source)
        declared = sorted(find_undeclared_variables(tree))
    except Exception as error:  # noqa: BLE001 - a parser may end in RecursionError, MemoryError, …
        problem = compile_problem(error, source)
        raise ThinkpaneError(problem) from None
    return {
        "vllm_parts": _vllm_parts(tree),
        "sglang_parts": any(word in source for word in _MEDIA_WORDS) or _sglang_parts(tree),
        "declared": cast("JsonValue", declared),
        "pairs_results": _names_call_ids(tree),
    }


def _sglang_parts(tree: nodes.Template) -> bool:
    return any(_reaches(loop.iter, name, "content") for loop in tree.find_all(nodes.For) for name in _SGLANG_NAMES)


def _names_call_ids(tree: nodes.Template) -> bool:
    if any(node.attr == _ID for node in tree.find_all(nodes.Getattr)):
        return True
    named = [node.arg for node in tree.find_all(nodes.Getitem)]
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr == "get":
            named.extend(call.args[:1])
    for each in tree.find_all(nodes.Filter):
        if each.name in ("map", "selectattr", "rejectattr"):
            named.extend(each.args[:1])
            named.extend(keyword.value for keyword in each.kwargs if keyword.key == "attribute")
    return any(isinstance(node, nodes.Const) and node.value == _ID for node in named)


def _vllm_parts(tree: nodes.Template) -> bool:
    messages = list(_message_loops(tree))
    if not all(isinstance(target, nodes.Name) for target in messages):
        return False  # vLLM's own search fails here, and it falls back to text
    names = {cast("nodes.Name", target).name for target in messages}
    in_macros, by_loop = _macro_loops(tree, names)
    for loop in tree.find_all(nodes.For):
        if any(_reaches(loop.iter, name, "content") for name in names):
            return isinstance(loop.target, nodes.Name)
        if not isinstance(loop.iter, nodes.Name):
            continue
        if loop.iter.name in by_loop.get(id(loop), ()) or (loop.iter.name == "content" and id(loop) not in in_macros):
            return isinstance(loop.target, nodes.Name)
    return False


def _message_loops(tree: nodes.Template) -> Iterator[nodes.Node]:
    """The targets of loops over the messages, whatever name they go by there."""
    names = _aliases(tree, "messages")
    for loop in tree.find_all(nodes.For):
        if any(_reaches(loop.iter, name) for name in names):
            yield loop.target


def _aliases(tree: nodes.Template, first: str) -> list[str]:
    """Names that are assigned the variable `first` or a slice or filtering of it, dotted ones for namespaces."""
    found = [first]
    for name in found:  # grows while it is walked
        for assigned in tree.find_all(nodes.Assign):
            found.extend(alias for alias in _assigned_names(assigned, name) if alias not in found)
    return found


def _assigned_names(assigned: nodes.Assign, name: str) -> Iterator[str]:
    target, value = assigned.target, assigned.node
    if isinstance(target, nodes.Name):
        if _reaches(value, name):
            yield target.name
        elif isinstance(value, nodes.Call) and isinstance(value.node, nodes.Name) and value.node.name == "namespace":
            yield from (f"{target.name}.{each.key}" for each in value.kwargs if _reaches(each.value, name))
    elif isinstance(target, nodes.NSRef) and _reaches(value, name):
        yield f"{target.name}.{target.attr}"


def _macro_loops(tree: nodes.Template, messages: set[str]) -> tuple[set[int], dict[int, set[str]]]:
    """The loops inside macros, and for each the macro's parameters that some call gives a message's content to."""
    inside: set[int] = set()
    by_loop: dict[int, set[str]] = {}
    calls = [call for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.Name)]
    for macro in tree.find_all(nodes.Macro):
        parameters = [each.name for each in macro.args]
        given: set[str] = set()
        for call in calls:
            if cast("nodes.Name", call.node).name == macro.name:
                pairs = [*zip(parameters, call.args, strict=False), *((each.key, each.value) for each in call.kwargs)]
                given |= {
                    name
                    for name, value in pairs
                    if name in parameters and any(_reaches(value, message, "content") for message in messages)
                }
        for loop in macro.find_all(nodes.For):
            inside.add(id(loop))
            if given:
                by_loop[id(loop)] = given
    return inside, by_loop


def _reaches(node: nodes.Node | None, name: str, key: str | None = None) -> bool:
    """Whether an expression is the variable (its entry `key`), through filters, tests and slices."""
    while isinstance(node, nodes.Filter | nodes.Test) or (
        isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice)
    ):
        node = node.node
    if key is None:
        return node is not None and _is_variable(node, name)
    if isinstance(node, nodes.Getitem):
        return isinstance(node.arg, nodes.Const) and node.arg.value == key and _is_variable(node.node, name)
    return isinstance(node, nodes.Getattr) and node.attr == key and _is_variable(node.node, name)


def _is_variable(node: nodes.Node, name: str) -> bool:
    if isinstance(node, nodes.Name):
        return node.ctx == "load" and node.name == name
    base, dot, attribute = name.rpartition(".")
    return isinstance(node, nodes.Getattr) and bool(dot) and node.attr == attribute and _is_variable(node.node, base)
