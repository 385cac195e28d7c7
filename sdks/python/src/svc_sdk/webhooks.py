"""Verification of webhook deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Sequence, Union

from ._wire_format import WEBHOOK_HEADERS, WEBHOOK_WINDOW_SECONDS

Headers = Union[Mapping[str, Any], Iterable[tuple[Any, Any]]]

_FORM = re.compile(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,8})")


@dataclass(frozen=True)
class WebhookDelivery:
    """A verified delivery. ``event_id`` is the same in all attempts: deduplicate on it. Delivery id and attempt are not signed."""

    event_id: str
    event_type: str
    delivery_id: str
    attempt: int


class WebhookNotVerified(Exception):
    """The delivery must not be believed. The message says why and contains nothing of it."""


def _as_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _header(headers: Headers, name: str) -> str:
    items = headers.items() if isinstance(headers, Mapping) else headers
    found = [value for key, value in items if _as_text(key).lower() == name]
    if len(found) == 1 and isinstance(found[0], (list, tuple)):
        found = list(found[0])
    if len(found) != 1 or not isinstance(found[0], (str, bytes)):
        raise WebhookNotVerified(f"The header {name} is missing or occurs more than once.")
    return _as_text(found[0])


def _statement_of(body: bytes) -> Mapping[str, Any]:
    try:
        stated = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return stated if isinstance(stated, dict) else {}


def verify_webhook(
    body: Union[bytes, str], headers: Headers, secrets: Union[str, Sequence[str]], now: float | None = None
) -> WebhookDelivery:
    """Returns the delivery if one of the secrets signed it within 300 s of ``now`` (seconds, by default this clock).

    ``body`` is the raw body as it arrived. ``headers`` is a mapping or pairs, in any letter case. While a secret is replaced, pass both.
    Raises WebhookNotVerified otherwise; for a time out of the window before anything is computed.
    """
    raw = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    form = _FORM.fullmatch(_header(headers, WEBHOOK_HEADERS["signature"]))
    if form is None:
        raise WebhookNotVerified("The signature does not have the form t=...,v1=....")
    stated_time = int(form.group(1))
    if abs((time.time() if now is None else now) - stated_time) > WEBHOOK_WINDOW_SECONDS:
        raise WebhookNotVerified("The timestamp of the signature is too old or in the future.")
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    if not known or "" in known:
        raise WebhookNotVerified("No secret was given to verify the signature.")
    digests = form.group(2).split(",v1=")[1:]
    signed = f"{form.group(1)}.".encode("ascii") + raw
    expected = [hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).hexdigest() for secret in known]
    if not any([hmac.compare_digest(one, other) for one in expected for other in digests]):
        raise WebhookNotVerified("The signature does not match the body and the secret.")
    stated = _statement_of(raw)
    values = {}
    for member, name in (("id", "eventId"), ("type", "eventType")):
        value = _header(headers, WEBHOOK_HEADERS[name])
        if value != stated.get(member):
            raise WebhookNotVerified(f"The header {WEBHOOK_HEADERS[name]} does not match the body.")
        values[member] = value
    attempt = _header(headers, WEBHOOK_HEADERS["deliveryAttempt"])
    if not re.fullmatch(r"[0-9]{1,9}", attempt):
        raise WebhookNotVerified(f"The header {WEBHOOK_HEADERS['deliveryAttempt']} is not a number.")
    return WebhookDelivery(values["id"], values["type"], _header(headers, WEBHOOK_HEADERS["deliveryId"]), int(attempt))
