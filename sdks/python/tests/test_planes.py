"""The client against the service itself. e2e/python/python-client.test.ts starts it and runs these tests."""

import asyncio
import json
import os
import threading
import time
import unittest
import urllib.error
import urllib.request

from svc_sdk import Governance, Wait, may_proceed
from svc_sdk.errors import (
    ActionBlocked,
    ApprovalNarrowed,
    ApprovalNotGranted,
    ApprovalRequired,
    AuthorityExceeded,
    DelegationEscalation,
    GovernanceError,
    IdentityGenerationStale,
    IdentityRevoked,
    NotAuthorized,
    Simulated,
    StoppedByOperator,
)

SCENES = json.loads(os.environ.get("SVC_TEST_SCENES", "{}"))


class Scene:
    """A tenant of its own: an agent that may use the tool ``pay``, and its owner."""

    def __init__(self, name):
        self.facts = SCENES[name]

    def client(self, agent=0, **options):
        facts = self.facts["agents"][agent]
        environ = {"SVC_GATEWAY_URL": self.facts["gateway_url"], "SVC_AGENT_ID": facts["id"], "SVC_AGENT_KEY": facts["private_key"]}
        return Governance.from_env(environ, **options)

    def owner(self, method, path, body=None):
        request = urllib.request.Request(
            f"{self.facts['control_url']}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"authorization": f"Bearer {self.facts['token']}", "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None
        return json.loads(text) if text else None

    def mode(self, mode):
        self.owner("POST", f"/v1/environments/{self.facts['environment_id']}/gateway-mode", {"mode": mode, "reason": "test"})

    def actions(self):
        return self.owner("GET", "/v1/actions")["data"]

    def deciding(self, verb, body):
        """Decides each approval that is polled while it is pending."""
        return Wait(60, lambda approval: approval["status"] == "PENDING" and self.owner("POST", f"/v1/approvals/{approval['id']}/{verb}", body))


def paying(client, **options):
    ran = []

    def pay(cents):
        ran.append(cents)
        return {"count": len(ran), "rest": "not recorded"}

    request = lambda cents: {"parameters": {"cents": cents}, "amount": cents, "currency": "USD"}
    return ran, client.guard("pay", pay, **{"request": request, "result": lambda paid: {"count": paid["count"]}, **options})


@unittest.skipUnless(SCENES, "the service is started by e2e/python/python-client.test.ts")
class PlanesTest(unittest.TestCase):
    def test_a_handshake_names_what_the_agent_may_use(self):
        known = Scene("base").client().handshake()
        self.assertEqual((known["mode"], known["capabilities"], [tool["name"] for tool in known["tools"]]), ("ENFORCE", ["pay"], ["pay"]))
        self.assertNotIn("token", known)

    def test_an_agent_that_is_held_to_proofs_acts_as_before_and_its_token_is_useless_to_others(self):
        scene = Scene("proving")
        client = scene.client()
        self.assertEqual(client.act("pay", amount=1, currency="USD")["decision"], "ALLOW")
        agent_id = scene.facts["agents"][0]["id"]
        self.assertTrue(scene.owner("PATCH", f"/v1/agents/{agent_id}", {"require_dpop": True})["require_dpop"])
        for _ in range(3):
            self.assertEqual(client.act("pay", amount=1, currency="USD")["decision"], "ALLOW")
        self.assertEqual(client.with_context("ticket-7").act("pay", amount=1, currency="USD")["decision"], "ALLOW")
        token = client._session.tokens.current()
        self.assertTrue(token.startswith("DPoP "))
        for authorization in (token, token.replace("DPoP", "Bearer")):
            request = urllib.request.Request(
                f"{scene.facts['gateway_url']}/gateway/v1/actions",
                data=b'{"tool": "pay"}',
                headers={"authorization": authorization, "content-type": "application/json"},
            )
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(request, timeout=60)
            self.assertEqual(caught.exception.code, 401)
            caught.exception.close()
        client.logout()

    def test_a_client_with_the_option_dpop_binds_its_tokens(self):
        client = Scene("base").client(dpop=True)
        self.assertEqual(client.act("pay", amount=1, currency="USD")["decision"], "ALLOW")
        self.assertTrue(client._session.tokens.current().startswith("DPoP "))

    def test_a_guarded_call_is_on_record_with_its_outcome(self):
        scene = Scene("base")
        client = scene.client()
        ran, pay = paying(client)
        self.assertEqual(pay(1_250)["count"], 1)
        action = client.action_status(scene.actions()[0]["id"])
        self.assertEqual((action["status"], action["execution"]["result"], action["amount"]), ("COMPLETED", {"count": 1}, 1_250))
        self.assertEqual(action["explanation"]["matched_rule"]["id"], "rest")

    def test_a_function_that_fails_is_on_record_as_failed(self):
        scene = Scene("base")
        with self.assertRaises(ZeroDivisionError):
            scene.client().guard("pay", lambda: 1 / 0)()
        self.assertEqual(scene.actions()[0]["status"], "FAILED")

    def test_a_rule_that_forbids_is_raised_with_its_reason_and_nothing_runs(self):
        ran, pay = paying(Scene("base").client())
        with self.assertRaises(ActionBlocked) as caught:
            pay(100_001)
        self.assertIn("Too much for any agent.", str(caught.exception))
        self.assertEqual(caught.exception.decision["explanation"]["matched_rule"]["id"], "forbidden")
        self.assertEqual(ran, [])

    def test_a_held_call_runs_once_when_approved_and_not_when_denied(self):
        scene = Scene("base")
        client = scene.client()
        ran, pay = paying(client, wait_for_approval=scene.deciding("approve", {}))
        pay(60_000)
        not_run, denied = paying(client, wait_for_approval=scene.deciding("deny", {"reason": "Not today."}))
        with self.assertRaisesRegex(ApprovalNotGranted, "Not today"):
            denied(70_000)
        self.assertEqual((ran, not_run), ([60_000], []))
        with self.assertRaises(ApprovalRequired) as caught:
            client.act("pay", parameters={"n": 1}, amount=80_000, currency="USD")
        self.assertEqual(client.approval(caught.exception.approval_id)["status"], "PENDING")

    def test_a_held_coroutine_runs_once_when_approved(self):
        scene = Scene("base")
        ran = []

        async def pay(cents):
            ran.append(cents)
            return cents

        request = lambda cents: {"amount": cents, "currency": "USD"}
        guarded = scene.client().guard("pay", pay, request=request, wait_for_approval=scene.deciding("approve", {}))

        async def main():
            return await asyncio.gather(*(guarded(90_000 + n) for n in range(3)))

        self.assertEqual(asyncio.run(main()), [90_000, 90_001, 90_002])
        self.assertEqual(sorted(ran), [90_000, 90_001, 90_002])

    def test_a_narrowed_request_runs_only_as_it_was_approved(self):
        scene = Scene("base")
        wait = scene.deciding("edit", {"parameters": {"n": 1}, "amount": 60_000})
        options = {"wait_for_approval": wait, "request": lambda cents: {"parameters": {"n": 1}, "amount": cents, "currency": "USD"}}
        ran, pay = paying(scene.client(), **options)
        with self.assertRaises(ApprovalNarrowed) as caught:
            pay(75_000)
        self.assertEqual(caught.exception.approved, {"parameters": {"n": 1}, "amount": 60_000})
        again, wrong = paying(scene.client(), **options, narrowed=lambda approved, cents: ((65_000,), {}))
        with self.assertRaises(ApprovalNotGranted):
            wrong(76_000)
        less, right = paying(scene.client(), **options, narrowed=lambda approved, cents: ((approved["amount"],), {}))
        right(77_000)
        self.assertEqual((ran, again, less), ([], [], [60_000]))

    def test_one_idempotency_key_is_one_action_for_all_threads(self):
        scene = Scene("base")
        clients, ids = [scene.client() for _ in range(4)], []
        work = lambda client: ids.append(client.act("pay", parameters={"n": 1}, idempotency_key="order-1")["action_id"])
        threads = [threading.Thread(target=work, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(ids), len(set(ids))), (4, 1))
        with self.assertRaises(GovernanceError) as caught:
            clients[0].act("pay", parameters={"n": 2}, idempotency_key="order-1")
        self.assertEqual(caught.exception.code, "IDEMPOTENCY_KEY_REUSED")

    def test_a_dry_run_permits_nothing_and_a_wrong_amount_is_refused_with_its_place(self):
        client = Scene("base").client()
        decision = client.act("pay", dry_run=True)
        self.assertEqual((decision["action_id"], decision["decision"], may_proceed(decision)), (None, "ALLOW", False))
        for amount in (-1, 1.5, 2**60):
            with self.assertRaises(GovernanceError) as caught:
                client.act("pay", amount=amount, currency="USD")
            self.assertEqual((caught.exception.code, caught.exception.status), ("VALIDATION_FAILED", 400))

    def test_a_clock_that_is_a_day_off_does_not_keep_the_agent_out(self):
        for off in (-86_400, 86_400):
            self.assertEqual(Scene("base").client(clock=lambda: time.time() + off).act("pay")["decision"], "ALLOW")

    def test_nothing_runs_in_simulate_and_everything_in_observe(self):
        scene = Scene("modes")
        ran, pay = paying(scene.client())
        scene.mode("SIMULATE")
        for cents in (1, 200_000):
            with self.assertRaises(Simulated):
                pay(cents)
        self.assertEqual(ran, [])
        scene.mode("OBSERVE")
        pay(200_000)
        self.assertEqual(ran, [200_000])
        self.assertEqual([f"{each['status']} {each['decision']}" for each in scene.actions()], ["OBSERVED BLOCK", "SIMULATED BLOCK", "SIMULATED ALLOW"])

    def test_masked_values_are_those_that_the_service_masks(self):
        scene = Scene("masks")
        ran = []
        result = {"one": {"email": "a@b", "id": 1}, "two": [[{"email": "c@d"}]], "a.b": ["first", "second"]}

        def pay(customer, list):
            ran.append({"customer": customer, "list": list})
            return result

        shown = {"one": {"email": "[masked]", "id": 1}, "two": [[{"email": "[masked]"}]], "a.b": ["[masked]", "second"]}
        guarded = scene.client().guard("pay", pay, result=lambda value: value)
        self.assertEqual(guarded({"iban": "DE00"}, [{"pin": 1}, [{"pin": 2}]]), shown)
        parameters = {"customer": {"iban": "[masked]"}, "list": [{"pin": "[masked]"}, [{"pin": "[masked]"}]]}
        action = scene.owner("GET", f"/v1/actions/{scene.actions()[0]['id']}")
        self.assertEqual((ran, action["parameters"], action["execution"]["result"]), ([parameters], parameters, shown))

    def test_part_of_the_authority_is_delegated_and_more_is_refused(self):
        scene = Scene("delegating")
        giver, taker = scene.client(0), scene.client(1)
        parent = scene.facts["parent_id"]
        options = {"parent_id": parent, "ceiling": {"max_amount": 1_000, "max_calls": 2}, "idempotency_key": "hand-on"}
        made, again = giver.delegate(taker.agent_id, **options), giver.delegate(taker.agent_id, **options)
        self.assertEqual((made["id"], made["ceiling"]["max_amount"]), (again["id"], 1_000))
        self.assertEqual(taker.act("pay", delegation_id=made["id"], amount=1_000, currency="USD")["decision"], "ALLOW")
        with self.assertRaises(AuthorityExceeded):
            taker.act("pay", delegation_id=made["id"], amount=1_001, currency="USD")
        with self.assertRaises(DelegationEscalation) as caught:
            giver.delegate(taker.agent_id, parent_id=parent, scope={"capabilities": ["read"]})
        self.assertEqual(caught.exception.fields, [{"field": "scope.capabilities", "parent": ["pay"], "asked": ["read"]}])

    def test_stopping_rotating_and_revoking_are_obeyed_by_a_client_that_holds_a_token(self):
        scene = Scene("stopping")
        agent, tool = scene.facts["agents"][0]["id"], scene.facts["tool_id"]
        client = scene.client()
        ran, pay = paying(client)
        pay(1)
        scene.owner("POST", f"/v1/agents/{agent}/pause", {})
        with self.assertRaises(StoppedByOperator):
            pay(2)
        scene.owner("POST", f"/v1/agents/{agent}/resume", {})
        scene.owner("POST", f"/v1/tools/{tool}/disable", {"reason": "test"})
        with self.assertRaises(StoppedByOperator) as caught:
            pay(3)
        self.assertEqual(caught.exception.code, "TOOL_DISABLED")
        scene.owner("POST", f"/v1/tools/{tool}/enable", {"reason": "test"})
        scene.owner("DELETE", f"/v1/agents/{agent}/capabilities/pay")
        with self.assertRaises(NotAuthorized):
            pay(4)
        scene.owner("POST", f"/v1/agents/{agent}/capabilities", {"capability": "pay"})
        client.logout()
        pay(5)
        rotated = scene.owner("POST", f"/v1/agents/{agent}/rotate-credentials", {})["data"]
        with self.assertRaises(IdentityGenerationStale):
            pay(6)
        facts = scene.facts
        renewed = Governance(gateway_url=facts["gateway_url"], agent_id=agent, private_key=rotated["private_key"], key_generation=2)
        more, pay_again = paying(renewed)
        pay_again(7)
        scene.owner("POST", f"/v1/agents/{agent}/revoke", {"reason": "test"})
        with self.assertRaises(IdentityRevoked):
            pay_again(8)
        self.assertEqual((ran, more), ([1, 5], [7]))
