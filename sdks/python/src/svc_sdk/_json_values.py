"""JSON values: what of the arguments can be judged, and their text."""

from __future__ import annotations

import json
import math
from typing import Any, Mapping

from ._checks import SAFE_INTEGER_MAX

_DEPTH_MAX = 100


class NotJson(ValueError):
    """A value that JSON would drop or change, at ``pointer``."""

    def __init__(self, pointer: str) -> None:
        super().__init__(pointer)
        self.pointer = pointer


def snapshot(value: Any, pointer: str = "", depth: int = 0) -> Any:
    """Returns a private copy of a JSON value, which no one else can change between the decision and the call.

    Raises NotJson for a value that a rule would see differently, or not at all: other types, numbers that are not finite, integers that
    do not fit 53 bits, and text that is not valid Unicode.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, pointer)
    if isinstance(value, int):
        if abs(value) > SAFE_INTEGER_MAX:
            raise NotJson(pointer)
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotJson(pointer)
        return value
    if depth > _DEPTH_MAX:
        raise NotJson(pointer)
    if isinstance(value, (list, tuple)):
        items = [snapshot(item, f"{pointer}/{index}", depth + 1) for index, item in enumerate(value)]
        return tuple(items) if type(value) is tuple else items
    if isinstance(value, dict):
        copy = {}
        for name, member in list(value.items()):
            if not isinstance(name, str):
                raise NotJson(pointer)
            copy[_text(name, pointer)] = snapshot(member, f"{pointer}/{name}", depth + 1)
        return copy
    raise NotJson(pointer)


def _text(value: str, pointer: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise NotJson(pointer) from None
    return value


def json_text(value: Any) -> str:
    """Returns compact JSON. Whole floats are written as integers, as every JSON reader takes them."""
    return json.dumps(_whole(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) <= SAFE_INTEGER_MAX:
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(item) for item in value]
    return value


def request_text(tool: str, request: Mapping[str, Any], dry_run: bool = False) -> str:
    """Returns the wire form of a request. The same request always gives the same text. Raises TypeError for values that are not JSON."""
    parameters = request.get("parameters")
    if parameters is not None:
        if not isinstance(parameters, Mapping):
            raise TypeError("parameters must be a dict.")
        try:
            parameters = snapshot(dict(parameters))
        except NotJson as error:
            raise TypeError(not_json_sentence(error)) from None
    members = {
        "tool": tool,
        "parameters": parameters,
        "amount": request.get("amount"),
        "currency": request.get("currency"),
        "destination": request.get("destination"),
        "delegation_id": request.get("delegation_id"),
        "approval_id": request.get("approval_id"),
        "dry_run": dry_run or None,
    }
    try:
        return json_text({name: member for name, member in members.items() if member is not None})
    except ValueError:
        raise TypeError("amount must be an integer.") from None


def not_json_sentence(error: NotJson) -> str:
    return (
        f'parameters contain a value at "{error.pointer}" that JSON cannot represent exactly, so rules cannot evaluate it. '
        "Convert it, for example a large integer or a Decimal to str, or state the parameters with request."
    )
