"""The client against a gateway with faults."""

import asyncio
import base64
import json
import multiprocessing
import os
import pathlib
import pickle
import tempfile
import threading
import time
import traceback
import unittest

from svc_sdk import Governance
from svc_sdk.errors import AnswerUnreadable, ApprovalRequired, AuthenticationFailed, GatewayUnreachable, GovernanceError, NotExecuted, TimedOut

from .fault_gateway import ACTIONS, AGENT, TOKEN, FaultGateway, decision, der, pem, refused


def _claims(assertion):
    payload = assertion.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def _act_in_child(governance, results):
    results.put(governance.act("x", timeout=10)["status"])


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.peer = FaultGateway()
        self.addCleanup(self.peer.close)

    def client(self, **options):
        given = {"gateway_url": self.peer.url, "agent_id": AGENT, "private_key": der(self.peer.key)}
        return Governance(**{**given, **options})

    def on_actions(self, *deeds):
        left = list(deeds)
        self.peer.deed = lambda seen: left.pop(0) if seen["path"] == ACTIONS and left else None

    def raised(self, work):
        with self.assertRaises(GovernanceError) as caught:
            work()
        return caught.exception

    def test_options_that_cannot_be_used_are_rejected_and_the_key_is_not_repeated(self):
        key = der(self.peer.key)
        wrong = [
            {"gateway_url": "gateway"},
            {"gateway_url": "ftp://gateway.example"},
            {"gateway_url": "https://me:secret-word@gateway.example"},
            {"gateway_url": "https://gateway.example/?a=1"},
            {"gateway_url": "https://gateway.example:99999"},
            {"gateway_url": "https://gate way.example"},
            {"gateway_url": None},
            {"agent_id": ""},
            {"agent_id": f"{AGENT}#2"},
            {"private_key": ""},
            {"private_key": f"{key[:-4]}secret-word!"},
            {"private_key": key[:-8]},
            {"private_key": f"-----BEGIN EC PRIVATE KEY-----\n{key}\n-----END EC PRIVATE KEY-----"},
            {"key_generation": 0},
            {"key_generation": 1.5},
            {"key_generation": True},
            {"timeout": 0},
            {"timeout": float("nan")},
        ]
        for change in wrong:
            with self.subTest(list(change)):
                with self.assertRaises(TypeError) as caught:
                    self.client(**change)
                shown = "".join(traceback.format_exception(caught.exception))
                self.assertNotIn(key[8:40], shown)
                self.assertNotIn("secret-word", str(caught.exception))

    def test_pem_and_base64_are_the_same_key(self):
        for key in (pem(self.peer.key), pem(self.peer.key).replace("\n", "\r\n"), f"  {der(self.peer.key)}\n"):
            self.assertEqual(self.client(private_key=key).act("x")["status"], "ALLOWED")

    def test_neither_the_key_nor_a_token_is_shown(self):
        client = self.client()
        client.act("x")
        errors = []
        for deed in ("cut", (200, "Bearer?", {}), refused(500, "INTERNAL_ERROR"), refused(403, "ACTION_BLOCKED")):
            self.peer.deed = lambda seen: deed if seen["path"] == ACTIONS else None
            errors.append(self.raised(lambda: client.act("x", timeout=2)))
        session = client._session
        shown = [repr(thing) for thing in (client, session, session.tokens, session.tokens._held, vars(client), vars(session), session._identity)]
        for error in errors:
            # A traceback holds the frames of the request, which tools that report errors send away.
            self.assertIsNone(error.__cause__ and error.__cause__.__traceback__)
            cause = [repr(error.__cause__), "".join(traceback.format_exception(error.__cause__))] if error.__cause__ else []
            shown += [repr(error), str(error), repr(vars(error)), *cause]
        for secret in (der(self.peer.key)[20:], self.peer.tokens[0], "Bearer tok"):
            self.assertNotIn(secret, "\n".join(shown))
        with self.assertRaisesRegex(TypeError, "cannot be pickled"):
            pickle.dumps(client)

    def test_an_error_can_be_pickled(self):
        self.on_actions(refused(403, "APPROVAL_REQUIRED", {"approval_id": "apr_1"}))
        error = pickle.loads(pickle.dumps(self.raised(lambda: self.client().act("x"))))
        self.assertIsInstance(error, ApprovalRequired)
        self.assertEqual((error.approval_id, error.status, error.request_id), ("apr_1", 403, "req_peer"))

    def test_threads_share_one_token_and_connections_are_reused(self):
        client = self.client()
        threads = [threading.Thread(target=client.act, args=("x",)) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((self.peer.count(TOKEN), self.peer.count(ACTIONS)), (1, 40))
        before = len(self.peer.seen)
        for _ in range(10):
            client.act("x")
        self.assertLess(len({seen["port"] for seen in self.peer.seen[before:]}), 10)

    def test_each_context_has_an_assertion_and_a_token_of_its_own(self):
        client = self.client()
        clients = [client, client.with_context("ticket:1"), client.with_context("ticket:2").with_context("ticket:3"), client.with_context()]
        for one in clients * 2:
            one.act("x")
        claims = [_claims(seen["body"]["assertion"]) for seen in self.peer.seen if seen["path"] == TOKEN]
        self.assertEqual([each.get("context") for each in claims[:3]], [None, "ticket:1", "ticket:3"])
        self.assertRegex(claims[3]["context"], r"^[0-9a-f-]{36}$")
        self.assertEqual((len(claims), self.peer.count(ACTIONS)), (4, 8))

    def test_a_token_is_renewed_in_the_background_while_the_old_one_serves(self):
        now = [time.time()]
        client = self.client(clock=lambda: now[0])
        client.act("x")
        now[0] += 839
        client.act("x")
        self.assertEqual(self.peer.count(TOKEN), 1)
        release = threading.Event()
        usual = self.peer.usual
        self.peer.usual = lambda seen: (release.wait(30) if seen["path"] == TOKEN else None) and None or usual(seen)
        now[0] += 2
        for _ in range(5):
            client.act("x")
        self.assertEqual({seen["headers"]["authorization"] for seen in self.peer.seen if seen["path"] == ACTIONS}, {f"Bearer {self.peer.tokens[0]}"})
        release.set()
        until = time.monotonic() + 30
        while self.peer.seen[-1]["headers"].get("authorization") != f"Bearer {self.peer.tokens[-1]}" or len(self.peer.tokens) < 2:
            self.assertLess(time.monotonic(), until)
            client.act("x")
        self.assertEqual(self.peer.count(TOKEN), 2)

    def test_a_renewal_that_fails_is_reported_and_does_not_fail_the_call(self):
        now, failures = [time.time()], []
        client = self.client(clock=lambda: now[0], timeout=2, on_error=failures.append)
        client.act("x")
        now[0] += 850
        self.peer.deed = lambda seen: refused(401, "AGENT_IDENTITY_REVOKED") if seen["path"] == TOKEN else None
        self.assertEqual(client.act("x")["status"], "ALLOWED")
        until = time.monotonic() + 30
        while not failures:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        self.assertEqual((failures[0].during, failures[0].error.code), ("renewal", "AGENT_IDENTITY_REVOKED"))

    def test_a_refused_token_is_replaced_once(self):
        client = self.client()
        client.act("x")
        self.peer.tokens.clear()
        client.act("x")
        self.assertEqual(self.peer.count(TOKEN), 2)
        self.peer.deed = lambda seen: refused(401, "AGENT_TOKEN_EXPIRED") if seen["path"] == ACTIONS else None
        self.assertEqual(self.raised(lambda: client.act("x")).status, 401)
        self.assertEqual(self.peer.count(TOKEN), 3)

    def test_a_wrong_clock_is_corrected_once_by_the_time_of_the_gateway(self):
        def deed(seen):
            if seen["path"] == TOKEN and self.peer.count(TOKEN) == 1:
                return refused(400, "TIMESTAMP_OUT_OF_WINDOW", {"server_time": "2030-01-01T00:00:00.000Z"})
            return None

        self.peer.deed = deed
        self.client().act("x")
        claims = self.peer.bodies(TOKEN)[1]["assertion"].split(".")[1]
        self.assertIn(b'"iat":"2030-01-01T00:00:0', base64.urlsafe_b64decode(claims + "=="))
        nonces = {body["assertion"].split(".")[1] for body in self.peer.bodies(TOKEN)}
        self.assertEqual(len(nonces), 2)

    def test_no_redirect_is_followed(self):
        other = FaultGateway()
        self.addCleanup(other.close)
        self.on_actions((307, "", {"location": f"{other.url}{ACTIONS}"}))
        error = self.raised(lambda: self.client().act("x"))
        self.assertEqual((error.code, error.status, other.seen), ("ANSWER_UNREADABLE", 307, []))

    def test_passing_failures_are_repeated_with_the_same_key_not_before_retry_after(self):
        self.on_actions(refused(503, "POLICY_SERVICE_UNAVAILABLE"), (503, "<html>", {}), refused(429, "RATE_LIMITED", None, {"retry-after": "1"}))
        began = time.monotonic()
        self.assertEqual(self.client().act("x")["decision"], "ALLOW")
        self.assertGreaterEqual(time.monotonic() - began, 1.15)
        keys = {seen["headers"]["idempotency-key"] for seen in self.peer.seen if seen["path"] == ACTIONS}
        self.assertEqual((len(keys), self.peer.count(ACTIONS)), (1, 4))

    def test_final_refusals_are_not_repeated(self):
        for status, code in ((400, "VALIDATION_FAILED"), (403, "ACTION_BLOCKED"), (404, "NOT_FOUND"), (409, "CONFLICT"), (502, "EXECUTION_FAILED")):
            self.on_actions(refused(status, code, None, {"retry-after": "0"}))
            before = self.peer.count(ACTIONS)
            error = self.raised(lambda: self.client().act("x"))
            self.assertEqual((error.code, error.status, self.peer.count(ACTIONS) - before), (code, status, 1))

    def test_a_gateway_that_cuts_is_reported_soon_with_the_key_to_ask_again(self):
        self.peer.deed = lambda seen: "cut" if seen["path"] == ACTIONS else None
        error = self.raised(lambda: self.client().act("x", idempotency_key="mine"))
        self.assertIsInstance(error, GatewayUnreachable)
        self.assertEqual((error.address, error.details["idempotency_key"], error.retryable), (self.peer.url, "mine", True))
        # Four attempts; the first may go over a connection that was idle, and is then sent again at once.
        self.assertIn(self.peer.count(ACTIONS), (4, 5))

    def test_an_address_without_a_gateway_is_named_with_the_error_of_the_system(self):
        self.peer.close()
        error = self.raised(lambda: self.client().act("x"))
        self.assertIn("did not respond (ECONNREFUSED)", error.message)
        self.assertIn("refused", str(error.__cause__))

    def test_a_gateway_that_hangs_or_drips_is_given_up_after_the_time_of_the_call(self):
        client = self.client()
        client.act("x")
        for deed in ("hang", "drip"):
            self.on_actions(deed)
            began = time.monotonic()
            error = self.raised(lambda: client.act("x", timeout=0.5, idempotency_key="k"))
            self.assertIsInstance(error, TimedOut)
            self.assertEqual(error.details["idempotency_key"], "k")
            self.assertLess(time.monotonic() - began, 10)

    def test_a_response_that_is_no_decision_is_an_error(self):
        right = decision()
        for body in ("Allowed!", "", "null", "true", [right], {**right, "decision": "PERMIT"}, {**right, "explanation": None}, {"data": right}, "[" * 5000):
            self.on_actions((200, body, {}))
            self.assertIsInstance(self.raised(lambda: self.client().act("x")), AnswerUnreadable)

    def test_a_refusal_with_the_status_of_a_success_is_raised_unless_the_environment_observes(self):
        for change in ({"code": "ACTION_BLOCKED"}, {"decision": "BLOCK"}):
            self.on_actions((200, decision(**change), {}))
            self.assertEqual(self.raised(lambda: self.client().act("x")).code, "ACTION_BLOCKED")
            self.on_actions((200, decision(**change, mode="OBSERVE"), {}))
            self.assertEqual(self.client().act("x")["mode"], "OBSERVE")

    def test_a_permitted_call_that_the_service_did_not_make_is_raised(self):
        body = decision(execution={"state": "NOT_EXECUTED", "reason": "Calls are off."})
        self.peer.deed = lambda seen: (200, body, {}) if seen["path"] == ACTIONS else None
        error = self.raised(lambda: self.client().act("x"))
        self.assertIsInstance(error, NotExecuted)
        self.assertEqual(error.reason, "Calls are off.")
        self.assertEqual(self.client().act("x", allow_not_executed=True)["status"], "ALLOWED")

    def test_values_that_json_changes_are_rejected_before_anything_is_sent(self):
        client = self.client()
        for value in (float("nan"), 2**53, object(), b"x", {1: 2}, "\ud800", {"a": {"b": set()}}):
            with self.assertRaisesRegex(TypeError, "JSON cannot represent"):
                client.act("x", parameters={"value": value})
        for key in ("", "a b", "ü", "x" * 256):
            with self.assertRaises(TypeError):
                client.act("x", idempotency_key=key)
        self.assertEqual(self.peer.count(ACTIONS), 0)

    def test_an_unknown_agent_is_authenticated_no_further(self):
        self.peer.deed = lambda seen: refused(401, "AGENT_AUTHENTICATION_FAILED") if seen["path"] == TOKEN else None
        error = self.raised(lambda: self.client().act("x"))
        self.assertIsInstance(error, AuthenticationFailed)
        self.assertIn("key_generation", error.message)
        self.assertEqual(self.peer.count(TOKEN), 1)

    def test_cancelling_a_coroutine_ends_its_request(self):
        client = self.client()
        client.act("x")
        self.on_actions("hang")

        async def main():
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.aio.act("x"), 0.3)

        before = threading.active_count()
        asyncio.run(main())
        until = time.monotonic() + 10
        while any(thread.name == "svc-sdk-call" for thread in threading.enumerate()):
            self.assertLess(time.monotonic(), until, before)
            time.sleep(0.01)

    @unittest.skipUnless(hasattr(os, "fork"), "this system cannot fork")
    def test_a_client_serves_a_forked_process(self):
        client = self.client()
        client.act("x")
        client._session.tokens._lock.acquire()
        context = multiprocessing.get_context("fork")
        results = context.Queue()
        child = context.Process(target=_act_in_child, args=(client, results))
        child.start()
        client._session.tokens._lock.release()
        self.assertEqual(results.get(timeout=30), "ALLOWED")
        child.join()

    def test_the_environment_makes_a_client_and_a_key_that_others_can_read_is_rejected(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "agent.key"
            path.write_text(pem(self.peer.key), encoding="utf-8")
            path.chmod(0o600)
            environ = {"SVC_GATEWAY_URL": self.peer.url, "SVC_AGENT_ID": AGENT, "SVC_AGENT_KEY_FILE": str(path)}
            self.assertEqual(Governance.from_env(environ).act("x")["status"], "ALLOWED")
            path.chmod(0o644)
            with self.assertRaisesRegex(TypeError, "chmod 600"):
                Governance.from_env(environ)
            for wrong in ({"SVC_AGENT_ID": ""}, {"SVC_AGENT_KEY_FILE": ""}, {"SVC_AGENT_KEY": "x"}, {"SVC_AGENT_KEY_FILE": folder}):
                with self.assertRaises(TypeError):
                    Governance.from_env({**environ, **wrong})
        self.assertEqual(Governance.from_env({**environ, "SVC_AGENT_KEY_FILE": "", "SVC_AGENT_KEY": der(self.peer.key)}).agent_id, AGENT)

