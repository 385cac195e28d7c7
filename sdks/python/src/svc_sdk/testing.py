"""A double of the client for unit tests of programs that use it. It decides in this process and never uses the network."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from typing import Any, Callable, Mapping, Union

from ._deadline import Deadline
from ._http import Request, Response
from ._session import Session
from ._wire_format import ERROR_CODES, PATHS
from .client import Governance

_REASON = "Decided by Governance.testing: no gateway was asked."
_EFFECTS = ("ALLOW", "BLOCK", "REQUIRE_APPROVAL", "APPROVED", "DENIED")

#: ``ALLOW``; ``BLOCK``; ``REQUIRE_APPROVAL`` (held, and never decided); ``APPROVED`` or ``DENIED`` (held, then decided so); or an error code.
Verdict = Union[str, Callable[[Mapping[str, Any]], str]]


class TestingGovernance(Governance):
    """Decides by a table: a verdict, or a function of the request that returns one, by tool. A tool that is not in it is blocked.

    ``requests`` has every request, and ``outcomes`` every reported outcome, as the gateway would get them.
    """

    __test__ = False

    def __init__(self, decisions: Mapping[str, Verdict], *, on_error: Any = None) -> None:
        if os.environ.get("SVC_AGENT_KEY_FILE") or os.environ.get("SVC_AGENT_KEY"):
            raise TypeError("Governance.testing decides nothing real, so it refuses a process that has an agent's key (SVC_AGENT_KEY...).")
        transport = _Transport(decisions)
        self.requests = transport.requests
        self.outcomes = transport.outcomes
        self._session = Session(
            transport=transport,
            agent_id="agt_testing",
            sign=lambda _: bytes(64),
            key_generation=1,
            audience="testing",
            timeout=None,
            clock=time.time,
            on_error=on_error,
        )


class _Transport:
    url = "http://governance.testing.invalid"

    def __init__(self, decisions: Mapping[str, Verdict]) -> None:
        self._decisions = dict(decisions)
        self._lock = threading.Lock()
        self._held: dict[str, str] = {}
        self.requests: list[dict[str, Any]] = []
        self.outcomes: list[dict[str, Any]] = []

    def send(self, request: Request, deadline: Deadline) -> Response:
        status, body = self._respond(request.path.split("?")[0], json.loads(request.body or "{}"))
        return Response(status, {"x-request-id": "req_testing"}, json.dumps(body).encode("utf-8"))

    def _respond(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path in (PATHS["token"], PATHS["handshake"]):
            grant = {"token": "testing", "token_type": "Bearer", "expires_in": 900}
            return 200, {"data": {**grant, "agent_id": "agt_testing", "mode": "ENFORCE", "tools": [], "capabilities": []}}
        if path == PATHS["logout"]:
            return 200, {"revoked": True}
        if path == PATHS["actions"]:
            return self._decide(body)
        if path.startswith(f"{PATHS['approvals']}/"):
            return self._approval(path.rsplit("/", 1)[1])
        outcome = re.fullmatch(r".*/(act_testing_[0-9]+)/outcome", path)
        if outcome:
            with self._lock:
                self.outcomes.append({"action_id": outcome.group(1), **body})
            return 200, {"id": outcome.group(1), "decision": "ALLOW", "status": body["status"]}
        return 404, _error("NOT_FOUND", "Governance.testing has no response to this call.")

    def _decide(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        with self._lock:
            self.requests.append(body)
            number = len(self.requests)
        verdict = self._decisions.get(body["tool"])
        if callable(verdict):
            verdict = verdict(body)
        reason = _REASON if verdict is not None else f"{_REASON} It has no decision for {body['tool']}."
        code = "ACTION_BLOCKED" if verdict in (None, "BLOCK") else verdict
        if code not in _EFFECTS and code not in ERROR_CODES and code != "ACTION_BLOCKED":
            raise TypeError(f"{verdict!r} is no verdict: use {', '.join(_EFFECTS)} or an error code.")
        if code == "ALLOW" or (code in _EFFECTS and self._held.get(body.get("approval_id", "")) == "APPROVED"):
            return 200, _decision(f"act_testing_{number}", reason)
        if code in _EFFECTS:
            approval_id = f"apr_testing_{number}"
            self._held[approval_id] = {"REQUIRE_APPROVAL": "PENDING"}.get(code, code)
            held = {"approval_id": approval_id, "poll_after_seconds": 1, "expires_at": "2999-01-01T00:00:00.000Z"}
            return 403, _error("APPROVAL_REQUIRED", reason, held)
        return 403, _error(code, reason)

    def _approval(self, approval_id: str) -> tuple[int, dict[str, Any]]:
        status = self._held.get(approval_id)
        if status is None:
            return 404, _error("NOT_FOUND", "Governance.testing has no such approval.")
        # No one decides a pending one, so waiting for it ends at once.
        shown = "EXPIRED" if status == "PENDING" else status
        known = {"id": approval_id, "status": shown, "denial_reason": _REASON if shown == "DENIED" else None}
        return 200, {**known, "poll_after_seconds": 1, "expires_at": "2999-01-01T00:00:00.000Z", "approved_request": None}


def _decision(action_id: str, reason: str) -> dict[str, Any]:
    return {
        "action_id": action_id,
        "decision": "ALLOW",
        "status": "ALLOWED",
        "mode": "ENFORCE",
        "code": None,
        "reason": reason,
        "explanation": {},
        "execution": {"state": "BY_AGENT"},
        "request_id": "req_testing",
    }


def _error(code: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "request_id": "req_testing", "details": details or {}}}
