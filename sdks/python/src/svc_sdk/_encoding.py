"""Parts of a compact JWS."""

from __future__ import annotations

import base64
import json
from typing import Mapping


def base64_url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def encoded(members: Mapping[str, object]) -> str:
    return base64_url(json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))
