"""Names of a template and where they hold: which are its own, and which it can only get from outside."""

from dataclasses import dataclass, field

from jinja2 import nodes

from thinkpane.engine.flow_values import NOTHING, Value


@dataclass(slots=True)
class Scope:
    """Names bound in one body. Kept over all passes, so that values only grow."""

    outer: "Scope | None" = None
    bound: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class Loads:
    """How a name was read where nothing had been bound to it: tested or given a default, called, in any other way.

    outside: outside of loops and macros. after: it had been bound in a place that is read earlier, if elsewhere.
    """

    line: int
    tested: bool = False
    called: bool = False
    other: bool = False
    outside: bool = False
    after: bool = False


class Names:
    """The scopes of a template, and which names are read before anything is bound to them."""

    def __init__(self) -> None:
        self.changed = False
        self.loads: dict[str, Loads] = {}
        self.stored: set[str] = set()
        self.macros: dict[str, nodes.Macro] = {}
        self._scopes: dict[object, Scope] = {}
        self._scope = Scope()
        self._top = self._scope
        self._first = True
        self._guarded = 0

    def start_again(self) -> None:
        """Begins a later pass over the same tree: what is read before it is bound was learnt in the first."""
        self.changed = False
        self._first = False

    def enter(self, key: object) -> None:
        """Opens the scope that belongs to `key`."""
        self._scope = self._scopes.setdefault(key, Scope(self._scope))

    def leave(self) -> None:
        """Closes the innermost scope."""
        self._scope = self._scope.outer or self._top

    def guard(self, by: int) -> None:
        """Enters (1) or leaves (-1) a branch: what is bound there may also not be."""
        self._guarded += by

    def bind(self, name: str, value: Value, parameter: bool = False) -> None:
        """Binds a name in the innermost scope. parameter: of a macro, which never hides anything outside of it."""
        if not parameter:
            self.stored.add(name)
        known = self._scope.bound.get(name)
        if known is None and self._guarded and not parameter:
            value |= self.read(name)
        joined = (known or NOTHING) | value
        if joined != known:
            self._scope.bound[name] = joined
            self.changed = True

    def bind_attribute(self, owner: str, name: str, value: Value) -> None:
        """Binds an attribute of a namespace, where the namespace itself is bound."""
        scope: Scope | None = self._scope
        while scope is not None and owner not in scope.bound:
            scope = scope.outer
        bound = (scope or self._scope).bound
        joined = bound.get(f"{owner}.{name}", NOTHING) | value
        if joined != bound.get(f"{owner}.{name}"):
            bound[f"{owner}.{name}"] = joined
            self.changed = True

    def bind_in(self, key: object, name: str, value: Value) -> None:
        """Binds a name in the scope that belongs to `key`: a macro's parameter, from where it is called."""
        inner = self._scopes.setdefault(key, Scope(self._top))
        joined = inner.bound.get(name, NOTHING) | value
        if joined != inner.bound.get(name):
            inner.bound[name] = joined
            self.changed = True

    def read(self, name: str) -> Value:
        """What the name may be, by all that is bound to it so far; a free one is a variable from outside."""
        found = self.lookup(name)
        return Value(variables=(name,)) if found is None else found

    def lookup(self, name: str) -> Value | None:
        """What is bound to a name, None where it is free."""
        scope: Scope | None = self._scope
        while scope is not None:
            if name in scope.bound:
                return scope.bound[name]
            scope = scope.outer
        return None

    def load(self, name: str, line: int, how: str) -> Value:
        """Reads a name; how: "tested", "called" or "other"."""
        found = self.lookup(name)
        if found is not None:
            return found
        if self._first:
            loads = self.loads.setdefault(name, Loads(line, after=name in self.stored))
            setattr(loads, how, True)
            loads.outside = loads.outside or self._scope is self._top
        return Value(variables=(name,))

    def from_outside(self) -> dict[str, int]:
        """The names that only a caller can give, with the line where each is first read.

        A name that the template also binds itself is one of them only where, before it is bound anywhere, it is tested
        with `is defined`, given a default, or read outside of loops and macros: else it is a local of another branch
        (jinja2.meta.find_undeclared_variables tells those too). One that is only ever called is a function.
        """
        found: dict[str, int] = {}
        for name, loads in self.loads.items():
            own = name in self.stored and (loads.after or not (loads.tested or loads.outside))
            function = loads.called and not loads.other
            if not own and not function and name not in self.macros:
                found[name] = loads.line
        return found
