"""A gateway for tests of what a real one does only when something is wrong. It shares no line with the client."""

import base64
import json
import socket
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

AGENT = "agt_01ARZ3NDEKTSV4RRFFQ69G5FAV"
ACTIONS = "/gateway/v1/actions"
TOKEN = "/gateway/v1/token"


def new_key():
    return Ed25519PrivateKey.generate()


def pem(key):
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def der(key):
    return base64.b64encode(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())).decode()


def decision(**changes):
    return {
        "action_id": "act_1",
        "decision": "ALLOW",
        "status": "ALLOWED",
        "mode": "ENFORCE",
        "code": None,
        "reason": "Allowed.",
        "explanation": {},
        "execution": {"state": "BY_AGENT"},
        "request_id": "req_peer",
        **changes,
    }


def refused(status, code, details=None, headers=None):
    body = {"error": {"code": code, "message": f"Refused with {code}.", "request_id": "req_peer", "details": details or {}}}
    return status, body, headers or {}


class FaultGateway:
    """``deed`` is called with each request and returns another response, ``cut``, ``hang``, ``drip``, or None for the usual one."""

    def __init__(self):
        self.key = new_key()
        self.seen = []
        self.tokens = []
        self.token_seconds = 900
        self.deed = lambda seen: None
        self.release = threading.Event()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True

            def answer(self):
                length = int(self.headers.get("content-length") or 0)
                text = self.rfile.read(length).decode()
                seen = {
                    "method": self.command,
                    "path": self.path,
                    "headers": {name.lower(): value for name, value in self.headers.items()},
                    "body": json.loads(text) if text else None,
                    "port": self.client_address[1],
                }
                gateway.seen.append(seen)
                deed = gateway.deed(seen)
                if deed == "hang":
                    gateway.release.wait(30)
                    deed = "cut"
                if deed == "cut":
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                if deed == "drip":
                    self.close_connection = True
                    self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
                    while not gateway.release.wait(0.05):
                        self.wfile.write(b" ")
                    return
                status, body, headers = deed or gateway.usual(seen)
                content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"x-request-id": "req_peer", "content-length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = answer

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def usual(self, seen):
        path = seen["path"]
        if path == "/.well-known/svc-platform-key":
            return 200, {"audience": "https://peer.example/gateway"}, {}
        if path == TOKEN:
            signed, _, signature = seen["body"]["assertion"].rpartition(".")
            self.key.public_key().verify(base64.urlsafe_b64decode(signature + "=="), signed.encode())
            token = f"tok_{uuid.uuid4()}"
            self.tokens.append(token)
            return 200, {"data": {"token": token, "token_type": "Bearer", "expires_in": self.token_seconds}}, {}
        if seen["headers"].get("authorization", "")[7:] not in self.tokens:
            return refused(401, "AGENT_TOKEN_EXPIRED")
        if path == ACTIONS:
            return 200, decision(), {}
        if path.endswith("/outcome"):
            return 200, {"id": "act_1", "decision": "ALLOW", "status": seen["body"]["status"]}, {}
        return refused(404, "NOT_FOUND")

    def count(self, path):
        return len([seen for seen in self.seen if seen["path"] == path])

    def bodies(self, path):
        return [seen["body"] for seen in self.seen if seen["path"] == path]

    def close(self):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()
