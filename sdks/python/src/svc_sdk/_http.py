"""One request and its response, over HTTP/1.1 without redirects and with a bound of time and size."""

from __future__ import annotations

import errno
import http.client
import io
import json
import os
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Protocol, TypeGuard, TypeVar
from urllib.parse import urljoin, urlsplit

from ._backoff import read_retry_after
from ._deadline import Deadline
from ._wire_format import HEADER_NAMES
from .errors import GovernanceError, error_for

Result = TypeVar("Result")

_RESPONSE_BYTES_MAX = 16 * 1024 * 1024
_IDLE_SECONDS_MAX = 3.0
_IDLE_CONNECTIONS_MAX = 8
_SOCKET_SECONDS_MAX = 3_600.0


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends requests to one gateway."""

    url: str

    def send(self, request: Request, deadline: Deadline) -> Response:
        """Returns the response. Raises OSError or http.client.HTTPException when there is none."""
        ...


class _BoundedReader(io.RawIOBase):
    """Reads from a socket until the deadline, however slowly the bytes arrive."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        _bound(self._sock, self._deadline)
        return self._sock.recv_into(buffer)


class _BoundedSocket:
    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._reader = _BoundedReader(sock, deadline)

    def makefile(self, *_: Any, **__: Any) -> io.BufferedReader:
        return io.BufferedReader(self._reader)


def _bound(sock: socket.socket, deadline: Deadline) -> None:
    deadline.check()
    sock.settimeout(min(deadline.remaining(), _SOCKET_SECONDS_MAX))


class HttpTransport:
    """Keeps a few idle connections. Safe for threads, and for a process that forks."""

    def __init__(self, url: str, context: ssl.SSLContext | None = None) -> None:
        self.url = url
        parts = urlsplit(url)
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._is_secure else 80)
        self._base = parts.path
        self._context = (context or ssl.create_default_context()) if self._is_secure else None
        self._lock = threading.Lock()
        self._idle: list[tuple[http.client.HTTPConnection, float]] = []

    def forget(self) -> None:
        """Drops connections and lock of the parent process, after a fork."""
        self._lock = threading.Lock()
        self._close_idle()

    def __del__(self) -> None:
        self._close_idle()

    def _close_idle(self) -> None:
        idle, self._idle = getattr(self, "_idle", []), []
        for connection, _ in idle:
            connection.close()

    def send(self, request: Request, deadline: Deadline) -> Response:
        idle = self._take()
        if idle is not None:
            try:
                return self._exchange(idle, request, deadline)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # The gateway closed a connection that was idle. Every request of this client may be repeated.
                pass
        return self._exchange(self._connect(deadline), request, deadline)

    def _take(self) -> http.client.HTTPConnection | None:
        with self._lock:
            while self._idle:
                connection, since = self._idle.pop()
                if time.monotonic() - since < _IDLE_SECONDS_MAX:
                    return connection
                connection.close()
        return None

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if connection.sock is not None and len(self._idle) < _IDLE_CONNECTIONS_MAX:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()

    def _connect(self, deadline: Deadline) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(self._host, self._port)
        connection.default_port = 443 if self._is_secure else 80
        connection.auto_open = 0
        failure: OSError | None = None
        for family, kind, protocol, _, address in socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM):
            sock = socket.socket(family, kind, protocol)
            try:
                _bound(sock, deadline)
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.sock = sock if self._context is None else self._context.wrap_socket(sock, server_hostname=self._host)
                return connection
            except OSError as error:
                failure = error
                sock.close()
            except BaseException:
                sock.close()
                raise
        raise failure or OSError(errno.EHOSTUNREACH, "no address")

    def _exchange(self, connection: http.client.HTTPConnection, request: Request, deadline: Deadline) -> Response:
        sock = connection.sock

        def end() -> None:
            # Wakes the thread that reads from the socket, which close alone does not.
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

        deadline.cancellation.while_open(end)
        try:
            _bound(sock, deadline)
            connection.response_class = lambda sock, *_, **known: http.client.HTTPResponse(  # type: ignore[assignment]
                _BoundedSocket(sock, deadline), method=known.get("method")  # type: ignore[arg-type]
            )
            headers = {"accept": "application/json", "accept-encoding": "identity", **request.headers}
            body = None if request.body is None else request.body.encode("utf-8")
            if body is not None:
                headers["content-type"] = "application/json"
            connection.request(request.method, f"{self._base}{request.path}", body=body, headers=headers)
            response = connection.getresponse()
            content = _read_body(response)
            self._keep(connection)
            return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, content)
        except BaseException:
            connection.close()
            deadline.check()
            raise
        finally:
            deadline.cancellation.while_open(None)


def _read_body(response: http.client.HTTPResponse) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        chunk = response.read(65_536)
        if not chunk:
            break
        size += len(chunk)
        if size > _RESPONSE_BYTES_MAX:
            raise http.client.HTTPException("the response is too large")
        chunks.append(chunk)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(chunks)


def _name_of(error: BaseException) -> str | None:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "certificate not accepted"
    if isinstance(error, socket.gaierror):
        return "host not found"
    number = getattr(error, "errno", None)
    if isinstance(number, int) and number in errno.errorcode:
        return errno.errorcode[number]
    return None


def _unreachable(url: str, error: BaseException) -> GovernanceError:
    name = _name_of(error)
    said = f" ({name})" if name else ""
    failure = error_for("GATEWAY_UNREACHABLE", f"The gateway at {url} did not respond{said}.", details={"address": url})
    # A new error: the traceback of the other one holds the request.
    failure.__cause__ = ConnectionError(f"{name}: {error}" if name else type(error).__name__)
    return failure


def _parse(body: bytes) -> tuple[Any, bool]:
    try:
        return json.loads(body), True
    except (ValueError, RecursionError):
        return None, False


def _unreadable(response: Response) -> GovernanceError:
    return error_for(
        "ANSWER_UNREADABLE",
        f"The response with status {response.status} is not a gateway response.",
        status=response.status,
        request_id=response.headers.get(HEADER_NAMES["requestId"]),
        retry_after_seconds=read_retry_after(response.headers.get(HEADER_NAMES["retryAfter"])),
    )


def _refusal(response: Response, parsed: Any, url: str) -> GovernanceError:
    error = parsed.get("error") if isinstance(parsed, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str) or error["code"] == "":
        return _unreadable(response)

    def text(name: str) -> str | None:
        value = error.get(name)
        return value if isinstance(value, str) and value else None

    docs_url = text("docs_url")
    details = error.get("details")
    return error_for(
        error["code"],
        text("message") or error["code"],
        status=response.status,
        request_id=text("request_id") or response.headers.get(HEADER_NAMES["requestId"]),
        remedy=text("remedy"),
        docs_url=None if docs_url is None else urljoin(url, docs_url),
        details=details if isinstance(details, dict) else None,
        retry_after_seconds=read_retry_after(response.headers.get(HEADER_NAMES["retryAfter"])),
    )


def exchange(transport: Transport, request: Request, understands: Callable[[object], TypeGuard[Result]], deadline: Deadline) -> Result:
    """Returns the JSON of a success that ``understands`` accepts. Everything else is raised as a GovernanceError."""
    deadline.check()
    try:
        response = transport.send(request, deadline)
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        failure = _unreachable(transport.url, error)
    else:
        parsed, is_json = _parse(response.body)
        if not 200 <= response.status <= 299:
            failure = _refusal(response, parsed, transport.url)
        elif is_json and understands(parsed):
            return parsed
        else:
            failure = _unreadable(response)
    raise failure


def read_url(text: str) -> str:
    """Returns the address without a trailing slash. Raises TypeError for one that cannot be used."""
    try:
        parts = urlsplit(text)
        is_plain = parts.username is None and parts.password is None and not parts.query and not parts.fragment
        is_plain = is_plain and not any(character <= " " or character == "\\" for character in text) and "?" not in text and "#" not in text
        if parts.scheme in ("http", "https") and parts.hostname and is_plain and (parts.port is None or parts.port > 0):
            return text.rstrip("/")
    except (ValueError, TypeError, AttributeError):
        pass
    raise TypeError("gateway_url must be an http or https URL without user, query or fragment.")


if hasattr(os, "register_at_fork"):
    import weakref

    _resettable: weakref.WeakSet[Any] = weakref.WeakSet()

    def reset_after_fork(thing: Any) -> None:
        """Calls ``thing.forget()`` in a child process: a fork copies locks that no thread will release."""
        _resettable.add(thing)

    def _forget_all() -> None:
        for thing in list(_resettable):
            thing.forget()

    os.register_at_fork(after_in_child=_forget_all)
else:

    def reset_after_fork(thing: Any) -> None:
        """Does nothing where processes cannot fork."""
