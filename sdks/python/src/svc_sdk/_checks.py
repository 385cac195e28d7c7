"""Checks of responses. A response that does not pass is an error, never a permission."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeGuard

from ._wire_format import ACTION_STATUSES, APPROVAL_STATUSES, EFFECTS, MODES

if TYPE_CHECKING:
    from .answers import Action, Approval, ApprovedRequest, Decision, NewDelegation

SAFE_INTEGER_MAX = 2**53 - 1


def is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def is_safe_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= SAFE_INTEGER_MAX


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_null_or_text(value: object) -> bool:
    return value is None or is_text(value)


def _is_paths(value: object) -> bool:
    return isinstance(value, list) and all(is_text(path) for path in value)


def _is_obligations(value: object) -> bool:
    """A mask that cannot be read must not pass for none."""
    if not isinstance(value, dict) or "mask" not in value:
        return False
    mask = value["mask"]
    return mask is None or (isinstance(mask, dict) and _is_paths(mask.get("parameters")) and _is_paths(mask.get("result")))


def is_decision(value: object) -> TypeGuard[Decision]:
    if not isinstance(value, dict) or not isinstance(value.get("explanation"), dict):
        return False
    execution = value.get("execution", {"state": "none"})
    return (
        {"action_id", "code"} <= value.keys()
        and _is_null_or_text(value["action_id"])
        and value.get("decision") in EFFECTS
        and value.get("status") in ACTION_STATUSES
        and value.get("mode") in MODES
        and _is_null_or_text(value["code"])
        and isinstance(value.get("reason"), str)
        and _is_obligations(value["explanation"].get("obligations", {"mask": None}))
        and isinstance(value.get("approval", {}), dict)
        and isinstance(execution, dict)
        and is_text(execution.get("state"))
        and is_text(value.get("request_id"))
    )


def is_action(value: object) -> TypeGuard[Action]:
    return (
        isinstance(value, dict)
        and is_text(value.get("id"))
        and value.get("decision") in EFFECTS
        and value.get("status") in ACTION_STATUSES
    )


def is_approved_request(value: object) -> TypeGuard[ApprovedRequest]:
    if not isinstance(value, dict) or not isinstance(value.get("parameters"), dict) or "amount" not in value:
        return False
    return value["amount"] is None or is_safe_integer(value["amount"])


def is_approval(value: object) -> TypeGuard[Approval]:
    """A narrowed request that cannot be read must not pass for none."""
    return (
        isinstance(value, dict)
        and is_text(value.get("id"))
        and value.get("status") in APPROVAL_STATUSES
        and _is_number(value.get("poll_after_seconds"))
        and is_text(value.get("expires_at"))
        and (value.get("approved_request") is None or is_approved_request(value["approved_request"]))
    )


def is_new_delegation(value: object) -> TypeGuard[NewDelegation]:
    return (
        isinstance(value, dict)
        and all(is_text(value.get(name)) for name in ("id", "delegate_agent_id", "status"))
        and all(isinstance(value.get(name), dict) for name in ("scope", "ceiling"))
        and isinstance(value.get("warnings"), list)
    )


def is_token_response(value: object) -> TypeGuard[dict[str, Any]]:
    data = value.get("data") if isinstance(value, dict) else None
    return (
        isinstance(data, dict)
        and is_text(data.get("token"))
        and data.get("token_type") in ("Bearer", "DPoP")
        and _is_number(data.get("expires_in"))
        and data["expires_in"] > 0
    )


def is_handshake_response(value: object) -> TypeGuard[dict[str, Any]]:
    if not is_token_response(value):
        return False
    data = value["data"]
    return data.get("mode") in MODES and isinstance(data.get("tools"), list) and isinstance(data.get("capabilities"), list)


def is_platform_key(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and is_text(value.get("audience"))


def is_logout_response(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and isinstance(value.get("revoked"), bool)
