"""What an agent written in Python is, as a text that is another one wherever it may play otherwise.

Hashed are its code (that of its class, of all base classes and of what these name in their own module), its parameters
(the attributes of an object and of its class, the values of a closure) and the global values that its code reads.
Numbers, texts, bytes, NumPy arrays and collections of these can be read. Whatever else plays a part makes the agent one
of a kind, so that its games are never taken for another's.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
import sys
import types
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import MISSING
from typing import Any

import numpy as np

PLAIN = (type(None), type(...), str, bytes, bool, int, float, complex, slice)


class _Unreadable(Exception):
    """Something whose content nobody can tell."""


def identity(agent: Any) -> str:
    """What results change with, or what is never the same again."""
    digest = hashlib.sha256()
    try:
        for part in _Reader().read(agent):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    except (_Unreadable, RecursionError):
        return uuid.uuid4().hex
    return digest.hexdigest()


def lasts(text: str) -> bool:
    """Whether an identity is one that can be come to again."""
    return len(text) == hashlib.sha256().digest_size * 2


class _Reader:
    """Reads things into parts of text. What it has read before is only named."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}

    def read(self, thing: Any) -> Iterator[str]:
        """What it is."""
        if type(thing) in PLAIN:
            yield f"{type(thing).__name__} {thing!r}"
        elif type(thing) in (list, tuple):
            yield f"{type(thing).__name__} {len(thing)}"
            for item in thing:
                yield from self.read(item)
        elif type(thing) in (set, frozenset):
            yield f"{type(thing).__name__} {len(thing)}"
            # Their order is not the same in every process.
            yield from sorted("\0".join(self.read(item)) for item in thing)
        elif type(thing) is dict:
            yield f"dict {len(thing)}"
            for key, value in thing.items():
                yield from self.read(key)
                yield from self.read(value)
        elif isinstance(thing, (np.ndarray, np.generic)) and not thing.dtype.hasobject:
            yield f"array {thing.dtype.str} {thing.shape} {thing.tobytes().hex()}"
        elif isinstance(thing, types.ModuleType):
            yield f"module {thing.__name__}"
        elif isinstance(thing, types.BuiltinFunctionType) and thing.__self__.__class__ is types.ModuleType:
            yield f"builtin {thing.__module__}.{thing.__qualname__}"
        elif isinstance(thing, (type, types.FunctionType)) or _wrapped(thing) is not None or _own(thing):
            yield from self._once(thing)
        else:
            raise _Unreadable

    def _once(self, thing: Any) -> Iterator[str]:
        if id(thing) in self._seen:
            yield f"again {self._seen[id(thing)]}"
            return
        self._seen[id(thing)] = len(self._seen)
        wrapped = _wrapped(thing)
        if wrapped is not None:
            yield f"{type(thing).__name__} {len(wrapped)}"
            for part in wrapped:
                yield from self.read(part)
        elif isinstance(thing, types.FunctionType):
            yield from self._function(thing)
        elif isinstance(thing, type):
            yield from self._class(thing)
        else:
            yield "object"
            yield from self.read(type(thing))
            yield from self.read(_state(thing))

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        yield f"function {function.__qualname__}"
        yield from self._code(function.__code__)
        yield from self.read(function.__defaults__)
        yield from self.read(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            try:
                yield from self.read(cell.cell_contents)
            except ValueError:
                yield "empty"
        for name in sorted(set(_globals(function.__code__))):
            if name in function.__globals__:
                yield f"global {name}"
                yield from self._named(function.__globals__[name], function.__module__)

    def _named(self, thing: Any, module: str | None) -> Iterator[str]:
        """What a function finds by name. Functions and classes of other modules are taken by their names."""
        if isinstance(thing, (type, types.FunctionType)) and thing.__module__ != module:
            yield f"{thing.__module__}.{thing.__qualname__}"
        else:
            yield from self.read(thing)

    def _code(self, code: types.CodeType) -> Iterator[str]:
        yield f"code {code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_cellvars}"
        yield f"{code.co_flags} {code.co_argcount} {code.co_posonlyargcount} {code.co_kwonlyargcount}"
        yield getattr(code, "co_exceptiontable", b"").hex()
        for constant in code.co_consts:
            yield from self._code(constant) if isinstance(constant, types.CodeType) else self.read(constant)

    def _class(self, cls: type) -> Iterator[str]:
        if not _readable(cls):
            yield f"class {cls.__module__}.{cls.__qualname__}"
            return
        if any(isinstance(vars(base).get("__new__"), types.BuiltinFunctionType) for base in cls.__mro__[:-1]):
            # What a list, a dictionary or the like contains is in no attribute.
            raise _Unreadable
        # Where it stands is not restored in another process, and says nothing of what it does.
        yield f"class {cls.__name__}"
        for base in cls.__mro__[1:]:
            yield from self.read(base)
        yield from self._dataclass(cls)
        for name, value in sorted(vars(cls).items()):
            special = name.startswith("__") and name.endswith("__")
            if _generated(cls, name, value) or name == "_abc_impl" or isinstance(value, types.MemberDescriptorType):
                continue
            if special and not isinstance(value, (types.FunctionType, staticmethod, classmethod, property)):
                continue
            yield f"attribute {name}"
            yield from self.read(value)

    def _dataclass(self, cls: type) -> Iterator[str]:
        for field in vars(cls).get("__dataclass_fields__", {}).values():
            yield f"field {field.name} {field.init} {field.compare}"
            for default in (field.default, field.default_factory):
                # One that was sent from another process is not the same object.
                yield from ["none"] if isinstance(default, type(MISSING)) else self.read(default)


def _globals(code: types.CodeType) -> Iterable[str]:
    """The global names that code reads, that of functions within it included."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and not step.argval.startswith("__"):
            yield step.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals(constant)


def _readable(cls: type) -> bool:
    """Whether a class is read; those of Python itself are the same wherever its version is."""
    return cls.__module__.partition(".")[0] not in sys.stdlib_module_names or cls.__module__ == "__main__"


def _generated(cls: type, name: str, value: Any) -> bool:
    """Whether `dataclass` has written a method: it follows from the fields."""
    special = name.startswith("__") and "__dataclass_fields__" in vars(cls)
    code = getattr(inspect.unwrap(value), "__code__", None) if special and callable(value) else None
    return code is not None and code.co_filename == "<string>"


def _wrapped(thing: Any) -> tuple[Any, ...] | None:
    """What stands behind a wrapper of Python's own."""
    if isinstance(thing, (staticmethod, classmethod)):
        return (thing.__func__,)
    if isinstance(thing, property):
        return (thing.fget, thing.fset, thing.fdel)
    if isinstance(thing, functools.cached_property):
        return (thing.func,)
    if type(thing) is functools.partial:
        return (thing.func, thing.args, thing.keywords)
    return None


def _own(thing: Any) -> bool:
    """Whether it is the agent or what makes one, and not just something that either has."""
    return callable(getattr(thing, "think", None))


def _state(thing: Any) -> dict[str, Any]:
    """The attributes of an object."""
    slots = [name for cls in type(thing).__mro__ for name in _names(vars(cls).get("__slots__", ()))]
    state = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return dict(sorted({**state, **getattr(thing, "__dict__", {})}.items()))


def _names(slots: Any) -> list[str]:
    names = [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]
