"""Masks values as the service does it."""

from __future__ import annotations

import re
from typing import Any, Mapping, NamedTuple, Sequence

from .answers import Decision

MASKED = "[masked]"


class _Step(NamedTuple):
    each: bool
    key: str
    position: int


_Path = tuple[_Step, ...]
_ESCAPES = {"~0": "~", "~1": ".", "~2": "*"}


def _read_step(text: str) -> _Step:
    key = re.sub(r"~[012]", lambda match: _ESCAPES[match.group()], text)
    return _Step(text == "*", key, int(text) if re.fullmatch(r"0|[1-9][0-9]{0,8}", text) else -1)


def _step(paths: Sequence[_Path], key: str, index: int | None) -> list[_Path]:
    """A list on the way is followed element by element; an object in place of one counts as its element."""
    found: list[_Path] = []
    for path in paths:
        if not path:
            continue
        first, rest = path[0], path[1:]
        if first.each and index is None:
            found += [rest, *_step([rest], key, index)]
        elif first.each or (first.key == key if index is None else first.position == index):
            found.append(rest)
        elif index is not None and first.position < 0:
            found.append(path)
    return list(dict.fromkeys(found))


def _masked(value: Any, paths: Sequence[_Path]) -> Any:
    if not paths:
        return value
    if any(path == () for path in paths):
        return MASKED
    if isinstance(value, (list, tuple)):
        return [_masked(item, _step(paths, "", index)) for index, item in enumerate(value)]
    if value is None:
        return value
    if isinstance(value, Mapping):
        return {name: _masked(member, _step(paths, name, None)) for name, member in value.items()}
    return MASKED if any(all(step.each for step in path) for path in paths) else value


def mask_paths(value: Any, paths: Sequence[str]) -> Any:
    """Returns a copy of a JSON value in which everything on the dotted paths is replaced; ``*`` is every element or member."""
    return _masked(value, [tuple(_read_step(part) for part in path.split(".")) for path in paths])


def masks_of(decision: Decision, kind: str) -> list[str]:
    """Returns the paths to mask in ``parameters`` or ``result``. Only ENFORCE masks."""
    if decision["mode"] != "ENFORCE":
        return []
    mask = (decision["explanation"].get("obligations") or {}).get("mask") or {}
    return list(mask.get(kind, []))
