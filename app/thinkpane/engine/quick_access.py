"""Jinja's immutable sandbox with short ways for what chat templates do all the time, and the same answers.

For each attribute jinja 3.1.6 asks Python for it, lets that fail where the object is a dictionary, looks whether it is
`str.format`, and judges it by the object's type and its name; a call looks for marks on the callee four times. Where
the type is known *exactly* (`type(x) is dict`, no subclass), all of this has one answer, which is worked out once, by
the sandbox itself. Everything else takes jinja's own way. What a short way may let through: docs/adr/0010.
"""

from collections.abc import Mapping
from types import BuiltinMethodType
from typing import Any, Final

from jinja2.compiler import CodeGenerator
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from thinkpane.engine.quick_code import QuickCode
from thinkpane.engine.template_globals import ATTRIBUTES, TemplateNamespace

_JUDGE: Final = ImmutableSandboxedEnvironment()


def _allowed(example: Any) -> frozenset[str]:
    """The attributes of an object of that type which the sandbox hands out as they are."""
    found = ((name, getattr(example, name)) for name in dir(example))
    return frozenset(
        name
        for name, value in found
        if _JUDGE.is_safe_attribute(example, name, value) and _JUDGE.wrap_str_format(value) is None
    )


_EXAMPLES: Final[tuple[object, ...]] = ("", {}, [], (), 0, 0.0, True)
_ALLOWED: Final[Mapping[type, frozenset[str]]] = {type(example): _allowed(example) for example in _EXAMPLES}
"""By exact type of the object: its harmless attributes, all of them methods or numbers of Python's own."""

_OF_DICT: Final = frozenset(dir(dict))
_OF_LOOP: Final = _allowed(LoopContext([None], Undefined))
"""What `loop` counts, its neighbours, and its methods."""

_PLAIN: Final = frozenset({*_ALLOWED, type(None)})
"""Types whose values are never a method."""

_attribute = object.__getattribute__

_DEEP: Final = 8
"""Macros in macros from which on jinja's own way is taken, which needs more of Python's frames: what calls itself
without end is stopped as deep as there, within five calls."""

_STOPPED: Final = "value was undefined because a callable raised a StopIteration exception"


class QuickSandbox(ImmutableSandboxedEnvironment):
    """The sandbox of chat templates. Subclasses may widen `wrap_str_format`; `is_safe_attribute` is asked at import
    only where a type is known, and must not be overridden."""

    code_generator_class: type[CodeGenerator] = QuickCode
    _depth = 0

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`obj.attribute` in a template."""
        kind = type(obj)
        if kind is dict and attribute not in _OF_DICT:
            try:
                return obj[attribute]
            except (TypeError, LookupError):
                return self.undefined(obj=obj, name=attribute)
        if kind is LoopContext and attribute in _OF_LOOP:
            try:
                value = getattr(obj, attribute)
            except AttributeError:  # what is looped over may raise it, when it is asked for its next value
                return self.undefined(obj=obj, name=attribute)
            return value if type(value) in _PLAIN else self.wrap_str_format(value) or value
        if kind is TemplateNamespace and attribute[:1] != "_":
            values = _attribute(obj, ATTRIBUTES)
            value = values[attribute] if attribute in values else self.undefined(obj=obj, name=attribute)
            return value if type(value) in _PLAIN else self.wrap_str_format(value) or value
        if attribute in _ALLOWED.get(kind, ()):
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """`obj[argument]` in a template."""
        kind, of = type(obj), type(argument)
        if (kind is dict and of is str and argument not in _OF_DICT) or (kind is list and of is int):
            try:
                return obj[argument]
            except LookupError:
                return self.undefined(obj=obj, name=argument)
        return super().getitem(obj, argument)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """`obj(…)` in a template."""
        kind = type(__obj)
        if kind is not Macro and kind is not BuiltinMethodType:
            if not __self.is_safe_callable(__obj):
                raise SecurityError(f"{__obj!r} is not safely callable")
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        try:
            if kind is BuiltinMethodType:
                return __obj(*args, **kwargs)
            if kwargs or len(args) != __obj._argument_count or not __self._is_simple(__obj, __context):
                return __obj(__context.eval_ctx, *args, **kwargs)
            __self._depth += 1
            try:
                return __obj._func(*args)
            finally:
                __self._depth -= 1
        except StopIteration:
            return __self.undefined(_STOPPED)

    def _is_simple(self, macro: Macro, context: Context) -> bool:
        """Whether all that jinja would do is to hand over the arguments."""
        return not (
            macro.caller
            or macro.catch_kwargs
            or macro.catch_varargs
            or context.eval_ctx.autoescape
            or self._depth >= _DEEP
        )
