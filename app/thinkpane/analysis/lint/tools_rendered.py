"""Tools and documents that are given and never reach the model."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.formats.json_values import JsonValue

_IDS = ("tools-not-rendered", "documents-not-rendered", "tool-not-rendered")


def _find(subject: Subject) -> Iterator[Finding]:
    trace = subject.trace
    if trace is None or trace.owners is None:
        return
    tools = subject.request.tools or []
    shown = [
        index for index, tool in enumerate(tools) if trace.prints(f"tools[{index}]") or _name(tool) in subject.text
    ]
    if tools and not shown and not trace.prints("tools"):
        other = " It has a template of its own for tools." if "tool_use" in subject.template.named else ""
        read = "tools" in subject.names("name")
        yield Finding(
            _IDS[0],
            "warning",
            f"{_counted(len(tools), 'tool')} given, and the prompt names none: the template "
            f"{'leaves them out here' if read else 'never reads “tools”'}.{other}",
            "The model cannot call what it does not know of.",
            name="tools",
        )
    elif shown:
        for index in sorted(set(range(len(tools))) - set(shown)):
            yield Finding(
                _IDS[2],
                "warning",
                f"Tool {index + 1} ({_name(tools[index])}) is not in the prompt, others are.",
                "The model cannot call what it does not know of.",
                name=f"tools[{index}]",
            )
    documents = subject.request.documents or []
    if documents and not trace.prints("documents"):
        yield Finding(
            _IDS[1],
            "warning",
            f"{_counted(len(documents), 'document')} given, and none is in the prompt.",
            "The template has no place for documents, or a variable has to be set before it prints them.",
            name="documents",
        )


def _name(tool: JsonValue) -> str:
    function = tool.get("function", tool) if isinstance(tool, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) and name else "\0"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{' is' if number == 1 else 's are'}"


CHECK = Rule("tools-rendered", _IDS, _find)
