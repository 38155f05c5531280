"""What templates get as `namespace`, `dict` and `raise_exception`."""

from typing import Any

import jinja2
from jinja2.utils import Namespace

ATTRIBUTES = "_Namespace__attrs"
"""Where jinja's Namespace keeps what was set; it hides all else that it has."""

_attribute = object.__getattribute__


class TemplateNamespace(Namespace):
    """Jinja's `namespace`, which refuses attributes that begin with an underscore."""

    __module__ = "builtins"  # jinja's messages name the module of any other class

    # Arguments are taken nameless, so that a template may give a namespace an attribute called "self".
    def __init__(*args: Any, **kwargs: Any) -> None:
        attributes = dict(*args[1:], **kwargs)
        for name in attributes:
            _refuse_underscore(name)
        Namespace.__init__(args[0], attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        # Jinja only ever gives a name that stands in the template; loops set one hundreds of thousands of times.
        if name[:1] == "_":
            _refuse_underscore(name)
        _attribute(self, ATTRIBUTES)[name] = value


class TemplateDict:
    """What templates get as `dict`: it makes dictionaries, but is no type whose attributes lead elsewhere."""

    __module__ = "builtins"

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """`dict.fromkeys`."""
        return dict.fromkeys(*args, **kwargs)


def _refuse_underscore(name: Any) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(f"a namespace may have no attribute that begins with “_”: {name!r}")


def raise_exception(message: Any) -> None:
    """What templates refuse a conversation with; jinja's messages about a wrong call name it."""
    raise jinja2.exceptions.TemplateError(message)
