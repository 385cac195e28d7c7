"""Options of calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, TypedDict

from .answers import Approval


@dataclass(frozen=True)
class SideError:
    """A failure that is not raised. ``during`` is ``outcome`` (report of a guarded function) or ``renewal`` (of a token that still works)."""

    error: BaseException
    during: str
    action_id: Optional[str] = None


@dataclass(frozen=True)
class Wait:
    """How to wait for a person. ``timeout`` in seconds; None: until the approval expires. ``on_poll`` is called with each look."""

    timeout: Optional[float] = None
    on_poll: Optional[Callable[[Approval], object]] = None


class ActionRequest(TypedDict, total=False):
    """What the gateway judges."""

    #: Arguments of the tool, as JSON.
    parameters: Mapping[str, Any]
    #: Whole minor units of ``currency``.
    amount: int
    #: ISO 4217.
    currency: str
    #: Host, host:port or URL that the action reaches.
    destination: str
    #: The delegation to act under.
    delegation_id: str
    #: An approval that was given for this very request.
    approval_id: str


class DelegationScope(TypedDict, total=False):
    """Each list narrows one dimension; None does not narrow it, and an empty one leaves nothing."""

    capabilities: Optional[list[str]]
    tools: Optional[list[str]]
    environments: Optional[list[str]]
    destinations: Optional[list[str]]


class DelegationCeiling(TypedDict, total=False):
    """Limits of a delegation; None sets no limit."""

    max_amount: Optional[int]
    currency: Optional[str]
    max_calls: Optional[int]
    window_seconds: Optional[int]
