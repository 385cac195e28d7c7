"""Guards for tools of agent frameworks, recognised by their shape; no framework is imported."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from typing import Any, Callable, Iterable, Mapping

from ._guard import Guard, GuardOptions
from ._session import Session
from .errors import GovernanceError


def _kind_of(tool: Any) -> str:
    if hasattr(tool, "on_invoke_tool"):
        return "openai"
    if isinstance(getattr(tool, "name", None), str) and (hasattr(tool, "func") or hasattr(tool, "coroutine")):
        return "langchain"
    if inspect.isfunction(tool) or inspect.ismethod(tool):
        return "function"
    return "unknown"


def _refusal_for(tool: Any) -> Callable[[GovernanceError], Any]:
    # A LangChain tool with this format must return a pair.
    if getattr(tool, "response_format", "content") == "content_and_artifact":
        return lambda error: (error.for_model, None)
    return lambda error: error.for_model


def _with(tool: Any, changes: Mapping[str, Any]) -> Any:
    """Returns a copy of the same class, which frameworks check for."""
    if hasattr(tool, "model_copy"):
        return tool.model_copy(update=dict(changes))
    if dataclasses.is_dataclass(tool) and not isinstance(tool, type):
        return dataclasses.replace(tool, **changes)
    changed = copy.copy(tool)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


def _guard_langchain(session: Session, name: str, tool: Any, options: GuardOptions) -> Any:
    settings = dataclasses.replace(options, refusal=_refusal_for(tool))
    functions = {member: getattr(tool, member, None) for member in ("func", "coroutine")}
    present = {member: fn for member, fn in functions.items() if fn is not None}
    if not present:
        raise TypeError(f"The tool {tool.name} ({type(tool).__name__}) has no function to guard.")
    return _with(tool, {member: Guard(session, name, fn, settings).wrap() for member, fn in present.items()})


def guard_tools(session: Session, tools: Iterable[Any], names: Mapping[str, str], options: GuardOptions) -> list[Any]:
    """Returns guarded copies. Raises TypeError for a tool that cannot be guarded, so that none passes unguarded."""
    given = list(tools)
    guarded = []
    known = set()
    for tool in given:
        kind = _kind_of(tool)
        if kind == "openai":
            raise TypeError(
                f"The tool {getattr(tool, 'name', '')!r} parses its arguments after this guard would judge them. Guard its function instead: "
                'function_tool(governance.guard("<tool>", on_refusal="return")(fn)).'
            )
        if kind == "unknown":
            raise TypeError(f"A tool of class {type(tool).__name__} cannot be guarded. Guard the function that carries it out.")
        own_name = tool.name if kind == "langchain" else tool.__name__
        known.add(own_name)
        name = names.get(own_name, own_name)
        if name == "<lambda>":
            raise TypeError("A tool needs a name: give the function a name, or guard it with governance.guard.")
        guarded.append(_guard_langchain(session, name, tool, options) if kind == "langchain" else Guard(session, name, tool, options).wrap())
    unused = set(names) - known
    if unused:
        raise TypeError(f"names has {', '.join(sorted(unused))}, which is none of the tools.")
    return guarded
