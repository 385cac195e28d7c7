"""Proofs that this client holds the key that its tokens are bound to (DPoP, RFC 9449)."""

from __future__ import annotations

import hashlib
import secrets
import threading
from typing import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ._deadline import Deadline
from ._encoding import base64_url, encoded
from ._http import Request, Response, Transport, reset_after_fork
from ._wire_format import PATHS

_BOUND = "DPoP "
_JTI_BYTES = 18
_NEEDS_NONCE = "use_dpop_nonce"


def with_scheme(token: str, token_type: object) -> str:
    """Returns a token as it is kept: with its scheme if it is bound to a key."""
    return f"{_BOUND}{token}" if token_type == "DPoP" else token


def authorization_for(token: str) -> str:
    return token if token.startswith(_BOUND) else f"Bearer {token}"


def _refuses_nonce(response: Response) -> bool:
    """True if the gateway refused the nonce of a proof. Nothing was done with the request."""
    if response.status == 401:
        return _NEEDS_NONCE in response.headers.get("www-authenticate", "")
    return response.status == 422 and f'"{_NEEDS_NONCE}"'.encode() in response.body


class ProvingTransport:
    """Adds a proof to each request that needs one, made with a key that can sign and is not kept anywhere else."""

    def __init__(self, transport: Transport, now: Callable[[], float], is_on: bool) -> None:
        self._transport = transport
        self._now = now
        self._key: Ed25519PrivateKey | None = None
        self._nonce = ""
        self.is_on = is_on
        self.address = ""
        self.url = transport.url
        self.forget()
        reset_after_fork(self)

    def forget(self) -> None:
        """Drops the lock of the parent process, after a fork."""
        self._lock = threading.Lock()

    def send(self, request: Request, deadline: Deadline) -> Response:
        response, is_proven = self._send_once(request, deadline)
        if is_proven and _refuses_nonce(response) and "dpop-nonce" in response.headers:
            response, _ = self._send_once(request, deadline)
        return response

    def _send_once(self, request: Request, deadline: Deadline) -> tuple[Response, bool]:
        proof = self._prove(request)
        proven = request if proof is None else Request(request.method, request.path, request.body, {**request.headers, "dpop": proof})
        response = self._transport.send(proven, deadline)
        self._nonce = response.headers.get("dpop-nonce") or self._nonce
        return response, proof is not None

    def _prove(self, request: Request) -> str | None:
        authorization = request.headers.get("authorization", "")
        if authorization.startswith(_BOUND):
            return self._sign(request, authorization[len(_BOUND) :])
        is_sign_in = request.path in (PATHS["token"], PATHS["handshake"])
        return self._sign(request, None) if self.is_on and is_sign_in else None

    def _load_key(self) -> Ed25519PrivateKey:
        with self._lock:
            if self._key is None:
                self._key = Ed25519PrivateKey.generate()
            return self._key

    def _sign(self, request: Request, token: str | None) -> str:
        key = self._load_key()
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        jwk = {"kty": "OKP", "crv": "Ed25519", "x": base64_url(public)}
        claims: dict[str, object] = {
            "htm": request.method,
            "htu": f"{self.address}{request.path.split('?', 1)[0]}",
            "iat": int(self._now()),
            "nonce": self._nonce,
            "jti": base64_url(secrets.token_bytes(_JTI_BYTES)),
        }
        if token is not None:
            claims["ath"] = base64_url(hashlib.sha256(token.encode("ascii")).digest())
        signed = f"{encoded({'alg': 'EdDSA', 'typ': 'dpop+jwt', 'jwk': jwk})}.{encoded(claims)}"
        return f"{signed}.{base64_url(key.sign(signed.encode('ascii')))}"
