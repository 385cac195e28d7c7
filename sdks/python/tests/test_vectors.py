"""The vectors that the TypeScript client has to pass as well: packages/sdk/src/vectors.test.ts."""

import json
import pathlib
import unittest

from svc_sdk import Governance, WebhookDelivery, WebhookNotVerified, may_proceed, verify_webhook
from svc_sdk._actions import key_of_approval
from svc_sdk._backoff import retry_delay
from svc_sdk._checks import is_decision
from svc_sdk._identity import import_private_key, sign_assertion
from svc_sdk._json_values import request_text
from svc_sdk._masks import mask_paths
from svc_sdk.errors import error_for

VECTORS = json.loads((pathlib.Path(__file__).parents[2] / "vectors.json").read_text(encoding="utf-8"))


class VectorsTest(unittest.TestCase):
    def test_assertions_are_signed_alike(self):
        for each in VECTORS["assertions"]:
            sign = import_private_key(VECTORS["private_key"])
            facts = (each["agent_id"], each["key_generation"], each["audience"], each["now_ms"] / 1000)
            self.assertEqual(sign_assertion(sign, *facts, nonce=VECTORS["nonce"], context=each.get("context")), each["assertion"])

    def test_ids_of_contexts_are_accepted_alike(self):
        client = Governance(gateway_url="http://127.0.0.1:1", agent_id="agt_1", private_key=VECTORS["private_key"])
        for each in VECTORS["contexts"]:
            with self.subTest(each["id"]):
                if each["accepted"]:
                    self.assertEqual(client.with_context(each["id"]).agent_id, "agt_1")
                else:
                    self.assertRaisesRegex(TypeError, "id of a context", client.with_context, each["id"])

    def test_requests_have_the_same_text_and_key(self):
        for each in VECTORS["requests"]:
            text = request_text(each["tool"], each["request"], each["dry_run"])
            self.assertEqual(text, each["text"])
            self.assertEqual(key_of_approval("apr_1", text), each["key_of_approval"])

    def test_values_are_masked_alike(self):
        for each in VECTORS["masks"]:
            self.assertEqual(mask_paths(each["value"], each["paths"]), each["masked"])

    def test_decisions_are_understood_and_permit_alike(self):
        for each in VECTORS["decisions"]:
            decision = {**VECTORS["decision"], **each["change"]}
            with self.subTest(each["change"]):
                self.assertEqual(is_decision(decision), each["understood"])
                self.assertEqual(is_decision(decision) and may_proceed(decision), each["may_proceed"])

    def test_errors_have_the_same_class_next_step_and_repeats(self):
        known = {"remedy": "Remedy.", "details": {"approval_id": "apr_1"}, "retry_after_seconds": 1.0}
        for each in VECTORS["errors"]:
            error = error_for(each["code"], "Message", status=each["status"], **known)
            with self.subTest(each["code"]):
                self.assertEqual((type(error).__name__, error.retryable, error.next_step), (each["class"], each["retryable"], each["next_step"]))
                repeated = [attempt for attempt in (0, 1, 3) if retry_delay(error, attempt, False) is not None]
                self.assertEqual(repeated, each["repeated_at_attempt"])
                self.assertEqual(retry_delay(error, 0, True) is not None, each["repeated_after_lost_answer"])

    def test_webhooks_are_verified_and_refused_alike(self):
        for each in VECTORS["webhooks"]:
            given = (each["body"].encode("utf-8"), each["headers"], each["secrets"], each["now"])
            with self.subTest(each["title"]):
                if each["refused"] is None:
                    self.assertEqual(verify_webhook(*given), WebhookDelivery("evt_1", "agent.created", "dlv_1", 2))
                else:
                    with self.assertRaisesRegex(WebhookNotVerified, each["refused"]):
                        verify_webhook(*given)

    def test_webhook_headers_may_be_pairs_of_bytes_in_any_letter_case(self):
        each = VECTORS["webhooks"][0]
        pairs = [(name.title().encode(), value.encode()) for name, value in each["headers"].items()]
        self.assertEqual(verify_webhook(each["body"], pairs, each["secrets"][0], each["now"]).event_id, "evt_1")
        with self.assertRaisesRegex(WebhookNotVerified, "more than once"):
            verify_webhook(each["body"], pairs + pairs[:1], each["secrets"][0], each["now"])
