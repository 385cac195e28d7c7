"""Proof of who the agent is: a signed assertion, used once."""

from __future__ import annotations

import base64
import binascii
import json
import platform
import re
import secrets
import threading
from datetime import datetime, timezone
from typing import Callable, TypeGuard, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_der_private_key

from ._backoff import retrying
from ._checks import is_platform_key
from ._deadline import Deadline
from ._dpop import ProvingTransport
from ._encoding import base64_url, encoded
from ._http import Request, Transport, exchange, reset_after_fork
from ._version import __version__
from ._wire_format import ASSERTION_TYPE, PATHS
from .errors import GovernanceError

Result = TypeVar("Result")

_LIFETIME_S = 60.0
_NONCE_BYTES = 24
_AUDIENCE_KEPT_S = 300.0
_PEM = re.compile(r"-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END PRIVATE KEY-----")

Sign = Callable[[bytes], bytes]


def import_private_key(given: object) -> Sign:
    """Returns what signs with a private key: PEM as openssl writes it, or base64 PKCS #8. Raises TypeError, which repeats nothing of it."""
    whole = given.strip() if isinstance(given, str) else ""
    pem = _PEM.fullmatch(whole)
    text = re.sub(r"\s", "", pem.group(1)) if pem else whole
    key: object = None
    try:
        der = base64.b64decode(text, validate=True)
        key = load_der_private_key(der, password=None) if der else None
    except Exception:
        # Errors of the library may repeat what they were given.
        pass
    if not isinstance(key, Ed25519PrivateKey):
        raise TypeError("private_key must be an Ed25519 private key: PEM (BEGIN PRIVATE KEY) or base64-encoded PKCS #8.")
    return key.sign


def _iso(seconds: float) -> str:
    milliseconds = int(seconds * 1000)
    moment = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    return f"{moment.strftime('%Y-%m-%dT%H:%M:%S')}.{milliseconds % 1000:03d}Z"


def sign_assertion(sign: Sign, agent_id: str, key_generation: int, audience: str, now: float, nonce: str | None = None, context: str | None = None) -> str:
    """Returns a compact JWS that proves once, within a minute, that the agent holds its key, for a session in a flow context."""
    header = encoded({"alg": "EdDSA", "typ": ASSERTION_TYPE, "kid": f"{agent_id}#{key_generation}"})
    payload = encoded(
        {
            "sub": agent_id,
            "aud": audience,
            "iat": _iso(now),
            "exp": _iso(now + _LIFETIME_S),
            "nonce": nonce or base64_url(secrets.token_bytes(_NONCE_BYTES)),
            **({} if context is None else {"context": context}),
        }
    )
    signature = sign(f"{header}.{payload}".encode("ascii"))
    return f"{header}.{payload}.{base64_url(signature)}"


class ServiceClock:
    """Time of the service: the local clock until the service reported a difference."""

    def __init__(self, local: Callable[[], float]) -> None:
        self._local = local
        self._offset = 0.0

    def now(self) -> float:
        return self._local() + self._offset

    def correct(self, server_time: object) -> bool:
        """Takes the ISO-8601 time that the service reported; False when it reported none."""
        try:
            reported = datetime.fromisoformat(str(server_time).replace("Z", "+00:00"))
        except ValueError:
            return False
        if reported.tzinfo is None:
            return False
        self._offset = reported.timestamp() - self._local()
        return True


class Audience:
    """The audience to sign for: pinned, or published by the gateway and kept for five minutes."""

    def __init__(self, transport: Transport, pinned: str | None, now: Callable[[], float]) -> None:
        self._transport = transport
        self._pinned = pinned
        self._now = now
        self._kept: tuple[str, float] | None = None
        self.forget()
        reset_after_fork(self)

    def forget(self) -> None:
        self._lock = threading.Lock()

    def read(self, deadline: Deadline) -> str:
        if self._pinned is not None:
            return self._pinned
        kept = self._kept
        return kept[0] if kept is not None and self._now() < kept[1] else self._fetch(deadline)

    def has_moved(self, refused: str, deadline: Deadline) -> bool:
        """Reads it again after ``refused`` was not accepted; True when it has changed."""
        return self._pinned is None and self._fetch(deadline) != refused

    def _fetch(self, deadline: Deadline) -> str:
        audience: str = exchange(self._transport, Request("GET", PATHS["platformKey"]), is_platform_key, deadline)["audience"]
        with self._lock:
            self._kept = (audience, self._now() + _AUDIENCE_KEPT_S)
        return audience


class Identity:
    """The agent and its key. The key can sign, and nothing here returns it."""

    __slots__ = ("agent_id", "key_generation", "sign", "audience", "clock", "context")

    def __init__(
        self, agent_id: str, key_generation: int, sign: Sign, audience: Audience, clock: ServiceClock, context: str | None = None
    ) -> None:
        self.agent_id = agent_id
        self.key_generation = key_generation
        self.sign = sign
        self.audience = audience
        self.clock = clock
        self.context = context


def _cure(transport: Transport, identity: Identity, error: GovernanceError, signed_for: str, deadline: Deadline) -> str | None:
    """Names what a new assertion corrects; each is tried once."""
    if error.code == "TIMESTAMP_OUT_OF_WINDOW":
        return "time" if identity.clock.correct(error.details.get("server_time")) else None
    if error.code == "NONCE_REPLAYED":
        return "nonce"
    if error.details.get("oauth_error") == "invalid_dpop_proof" and isinstance(transport, ProvingTransport) and not transport.is_on:
        # The agent is held to proofs of possession.
        transport.is_on = True
        return "proof"
    may_have_moved = error.code == "AGENT_AUTHENTICATION_FAILED"
    return "audience" if may_have_moved and identity.audience.has_moved(signed_for, deadline) else None


def _runtime() -> str:
    return f"python/{platform.python_version()}"[:100]


def present_assertion(
    transport: Transport, identity: Identity, path: str, understands: Callable[[object], TypeGuard[Result]], deadline: Deadline
) -> Result:
    """Sends new assertions to ``path`` until one is accepted or refused for good. No assertion is sent twice."""
    cured: set[str] = set()

    def present() -> Result:
        while True:
            audience = identity.audience.read(deadline)
            if isinstance(transport, ProvingTransport):
                transport.address = audience
            now = identity.clock.now()
            assertion = sign_assertion(identity.sign, identity.agent_id, identity.key_generation, audience, now, context=identity.context)
            sdk = {"name": "svc-sdk", "version": __version__, "runtime": _runtime()}
            body = json.dumps({"agent_id": identity.agent_id, "assertion": assertion, "sdk": sdk})
            try:
                return exchange(transport, Request("POST", path, body), understands, deadline)
            except GovernanceError as error:
                cure = _cure(transport, identity, error, audience, deadline)
                if cure is None or cure in cured:
                    raise
                cured.add(cure)

    return retrying(deadline, present)
