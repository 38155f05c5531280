"""Reads template.toml: titles, origin and candidates. What they do always comes from rendering (docs/architecture.md).

title, origin, licence    texts
uncertain                 what the restoration could not know, a sentence each
special_tokens, bos, eos  special tokens; bos and eos are also the variables bos_token and eos_token
thinking                  [open, close]
[given]                   further variables that come with the template = value
[roles]                   special token = role, where the text after the token does not say it
[messages_as_text]        variables under which `messages` is one text
[[tiers]]                 label, short, tag, summary, [tiers.variables]
[[variables]]             name, kind (bool, text, choice), default, values, summary
[[tags]]                  tag, insert, summary, where
"""

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.files import source_problem
from thinkpane.templates.template import TagCandidate, Template, TierCandidate, VariableCandidate
from thinkpane.templates.toml_table import TomlTable, parse

VARIABLE_KINDS = ("bool", "text", "choice")
ROLES = ("system", "user", "assistant", "tool", "thinking")


def described(id: str, source: str, toml: str) -> Template:
    """The template `id` with the text `source`, described by the text of its template.toml.

    Raises ThinkpaneError (kind "template_source") naming the key at fault.
    """
    file = f"{id}/template.toml"
    top = parse(toml, file)
    tokens = {f"{name}_token": top.text(name) for name in ("bos", "eos") if top.has(name)}
    template = Template(
        id=id,
        source=source,
        title=top.text("title"),
        origin=top.text("origin"),
        licence=top.text("licence"),
        uncertain=top.texts("uncertain"),
        variables={**tokens, **top.mapping("given")},
        special_tokens=tuple(dict.fromkeys([*top.texts("special_tokens"), *tokens.values()])),
        roles=_roles(top, file),
        thinking=_thinking(top, file),
        tiers=tuple(_tier(each) for each in top.tables("tiers")),
        candidates=tuple(_variable(each, file) for each in top.tables("variables")),
        tags=tuple(_tag(each) for each in top.tables("tags")),
        messages_as_text=top.mapping("messages_as_text") if top.has("messages_as_text") else None,
        built_in=True,
    )
    top.finish()
    return template


def _roles(top: TomlTable, file: str) -> dict[str, str]:
    found = {token: str(role) for token, role in top.mapping("roles").items()}
    for token, role in found.items():
        if role not in ROLES:
            raise source_problem(f"{file}: “roles.{token}” is “{role}”; it must be one of {', '.join(ROLES)}.")
    return found


def _thinking(top: TomlTable, file: str) -> tuple[str, str] | None:
    match top.texts("thinking"):
        case ():
            return None
        case (opens, closes):
            return opens, closes
        case _:
            raise source_problem(f"{file}: “thinking” must be the opening and the closing tag.")


def _tier(table: TomlTable) -> TierCandidate:
    tier = TierCandidate(
        label=table.text("label"),
        short=table.text("short"),
        variables=table.mapping("variables"),
        tag=table.text("tag", ""),
        summary=table.text("summary", ""),
    )
    table.finish()
    return tier


def _variable(table: TomlTable, file: str) -> VariableCandidate:
    name, kind = table.text("name"), table.text("kind", "text")
    default: JsonValue = table.value("default")
    values = table.values("values")
    if kind not in VARIABLE_KINDS:
        raise source_problem(f"{file}: variable “{name}” has the kind “{kind}”; it must be bool, text or choice.")
    if kind == "choice" and not values:
        raise source_problem(f"{file}: variable “{name}” is a choice without “values”.")
    variable = VariableCandidate(name, kind, default, values, table.text("summary", ""))
    table.finish()
    return variable


def _tag(table: TomlTable) -> TagCandidate:
    tag = table.text("tag")
    found = TagCandidate(tag, table.text("insert", tag), table.text("summary", ""), table.text("where", "any message"))
    table.finish()
    return found
