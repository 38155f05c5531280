"""Random templates from a grammar: mostly Jinja as people write it, with odd types, unknown filters, deep nests, and
now and then a tear in the text. The same seed gives the same templates."""

import random

NAMES = ["messages", "m", "m.content", "m['role']", "tools", "bos_token", "x", "ns.a", "loop.index", "loop", "missing"]
CONSTANTS = [
    "1",
    "0",
    "-3",
    "2.5",
    "'a'",
    "''",
    "'é\\n<|x|>'",
    "none",
    "true",
    "[]",
    "{}",
    "[1, 'b']",
    "{'k': [1]}",
    "()",
]
FILTERS = [
    *(
        "upper",
        "trim",
        "length",
        "tojson",
        "join",
        "join(', ')",
        "default('d')",
        "list",
        "first",
        "last",
        "string",
        "int",
    ),
    *(
        "float",
        "replace('a', 'b')",
        "indent(2)",
        "safe",
        "e",
        "map('upper')",
        "map(attribute='role')",
        "selectattr('role')",
    ),
    *(
        "select",
        "reject('none')",
        "sort",
        "unique",
        "groupby('role')",
        "items",
        "dictsort",
        "reverse",
        "round(1)",
        "abs",
    ),
    *("truncate(3)", "wordwrap(4)", "center(9)", "format(1)", "batch(2)", "slice(2)", "sum", "max", "min", "random(1)"),
    *(
        "nope",
        "tojson(indent=2)",
        "urlencode",
        "title",
        "xmlattr",
        "filesizeformat",
        "attr('x')",
        "pprint",
        "striptags",
    ),
]
TESTS = [
    "defined",
    "none",
    "string",
    "mapping",
    "iterable",
    "number",
    "odd",
    "divisibleby(0)",
    "in [1]",
    "sameas 1",
    "nope",
]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or"]
METHODS = [
    *(
        "strip()",
        "split()",
        "split('a')[0]",
        "get('k')",
        "items()",
        "append(1)",
        "upper()",
        "nope()",
        "startswith('a')",
    ),
    *(
        "format(1)",
        "join(messages)",
        "__class__",
        "rsplit(none)",
        "encode()",
        "replace('a')",
        "index(1)",
        "keys()",
        "pop()",
    ),
]
CALLS = [
    *(
        "range(3)",
        "namespace(a=1)",
        "dict(a=1)",
        "raise_exception('no')",
        "strftime_now('%Y')",
        "cycler(1)",
        "joiner()",
    ),
    *("macro1('a')", "macro2()", "caller()", "self.block()", "lipsum(1)", "nope()", "raise_exception()", "range('a')"),
]
TEXTS = ["text", "\n", " \n  ", "<|im_start|>", "{", "}", "%}", "#", "é😀\u2028", "\r\n", "\t", "{ {", "'", '"']
TEARS = [
    "{{",
    "{%",
    "%}",
    "}}",
    "{#",
    "(",
    ")",
    "|",
    ".",
    "'",
    "{% endif %}",
    "{% endfor %}",
    "\x00",
    "\ud800",
    "-%}",
    "{% raw %}",
]


class Generator:
    """Makes templates, one after another."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def template(self) -> str:
        """One template; about one in four is torn."""
        source = self._body(3)
        if self._chance.random() < 0.02:
            source = self._deep()
        for _ in range(self._chance.choice((0, 0, 0, 1))):
            source = self._torn(source)
        return source

    def _one(self, of: list[str]) -> str:
        return self._chance.choice(of)

    def _torn(self, source: str) -> str:
        at = self._chance.randint(0, len(source))
        if self._chance.random() < 0.5:
            return source[:at] + self._one(TEARS) + source[at:]
        return source[:at] + source[at + self._chance.randint(1, 9) :]

    def _deep(self) -> str:
        depth = self._chance.choice((5, 30, 90, 150, 600))
        before, inner, after = self._chance.choice(
            [
                ("(", "1", ")"),
                ("[", "", "]"),
                ("{'a': ", "1", "}"),
                ("not ", "1", ""),
                ("-", "1", ""),
                ("", "x", ".a"),
                ("", "x", "['a']"),
                ("", "'a'", " ~ 'a'"),
                ("", "x", "|string"),
            ]
        )
        expression = before * depth + inner + after * depth
        statement = self._chance.choice(
            [("{% if 1 %}", "{% endif %}"), ("{% for a in [1] %}", "{% endfor %}"), ("", "")]
        )
        return statement[0] * (depth // 5) + "{{ " + expression + " }}" + statement[1] * (depth // 5)

    def _body(self, depth: int) -> str:
        return "".join(self._node(depth) for _ in range(self._chance.randint(1, 4)))

    def _node(self, depth: int) -> str:
        kind = self._chance.random()
        dash, end = self._one(["", "", "-", "+"]), self._one(["", "", "-"])
        if kind < 0.25:
            return self._one(TEXTS)
        if kind < 0.6 or depth == 0:
            return f"{{{{{dash} {self._expression(depth)} {end}}}}}"
        return self._statement(depth - 1, f"{{%{dash} ", f" {end}%}}")

    def _statement(self, depth: int, opening: str, closing: str) -> str:
        def tag(words: str) -> str:
            return opening + words + closing

        body, value = self._body(depth), self._expression(depth)
        return self._chance.choice(
            [
                tag(f"for m in {self._one(['messages', 'messages', 'range(4)', 'tools', value])}")
                + body
                + tag("endfor"),
                tag(f"for a, b in {self._one(['m.items()', '{}|items', value])}")
                + body
                + tag("else")
                + body
                + tag("endfor"),
                tag(f"if {value}") + body + tag(f"elif {self._expression(depth)}") + body + tag("endif"),
                tag(f"if {value} is {self._one(TESTS)}") + body + tag("else") + body + tag("endif"),
                tag(f"set {self._one(['x', 'ns.a', 'x, y', 'm', 'ns.__a', 'loop'])} = {value}"),
                tag("set x") + body + tag("endset"),
                tag("set ns = namespace(a=1)") + body,
                tag(f"macro {self._one(['macro1(a)', 'macro2(a, b=1)', 'macro2()'])}") + body + tag("endmacro"),
                tag(f"call {self._one(['macro1(1)', 'macro2()', 'x()'])}") + body + tag("endcall"),
                tag(f"filter {self._one(FILTERS)}") + body + tag("endfilter"),
                tag("generation") + body + tag("endgeneration"),
                tag(
                    self._one(
                        ["break", "continue", "do x", "include 'a'", "extends x", "import 'a' as b", "nope", "endif"]
                    )
                ),
                tag(f"with x = {value}") + body + tag("endwith"),
                tag("block block") + body + tag("endblock"),
                "{#" + body.replace("#}", "") + "#}",
                tag("raw") + body + tag("endraw"),
            ]
        )

    def _expression(self, depth: int) -> str:
        kind = self._chance.random()
        if depth <= 0 or kind < 0.3:
            return self._one(NAMES) if self._chance.random() < 0.6 else self._one(CONSTANTS)
        inner = self._expression(depth - 1)
        if kind < 0.5:
            return f"{inner} | {self._one(FILTERS)}"
        if kind < 0.62:
            return f"({inner}) {self._one(OPERATORS)} {self._expression(depth - 1)}"
        if kind < 0.72:
            return f"({inner}).{self._one(METHODS)}"
        if kind < 0.8:
            return self._one(CALLS)
        if kind < 0.86:
            return f"{inner}[{self._one(['0', '-1', '1:', '::-1', 'x', repr('k'), '::0', inner])}]"
        if kind < 0.92:
            return f"({inner} if {self._expression(depth - 1)} else {self._one(CONSTANTS)})"
        return f"({inner} is {self._one(TESTS)})"
