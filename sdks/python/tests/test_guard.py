"""Guarded functions against a gateway with faults."""

import asyncio
import functools
import inspect
import threading
import unittest

from svc_sdk import Governance, Wait
from svc_sdk.errors import (
    ActionBlocked,
    ApprovalNarrowed,
    ApprovalRequired,
    CannotMask,
    GovernanceError,
    NotForThisProcess,
    ParametersChanged,
    ResultWithheld,
    Simulated,
)

from .fault_gateway import ACTIONS, AGENT, FaultGateway, decision, der, refused

OUTCOME = f"{ACTIONS}/act_1/outcome"


def masking(parameters=(), result=()):
    return decision(explanation={"obligations": {"mask": {"parameters": list(parameters), "result": list(result)}}}, decision="MASK")


class GuardTest(unittest.TestCase):
    def setUp(self):
        self.peer = FaultGateway()
        self.addCleanup(self.peer.close)
        self.notes = []
        self.client = Governance(gateway_url=self.peer.url, agent_id=AGENT, private_key=der(self.peer.key), on_error=self.notes.append)

    def on_actions(self, deed):
        self.peer.deed = lambda seen: deed(seen) if callable(deed) and seen["path"] == ACTIONS else deed if seen["path"] == ACTIONS else None

    def test_arguments_by_name_are_the_parameters_and_the_outcome_is_reported(self):
        @self.client.guard("pay", result=lambda paid: {"reference": paid["reference"]})
        def pay(iban: str, cents: int = 5, *, urgent=False, **more):
            """Pays."""
            return {"reference": f"{iban}-{cents}", "urgent": urgent, **more}

        self.assertEqual(pay("DE", urgent=True, note="n"), {"reference": "DE-5", "urgent": True, "note": "n"})
        expected = {"tool": "pay", "parameters": {"iban": "DE", "cents": 5, "urgent": True, "note": "n"}}
        self.assertEqual(self.peer.bodies(ACTIONS), [expected])
        self.assertEqual(self.peer.bodies(OUTCOME), [{"status": "COMPLETED", "result": {"reference": "DE-5"}}])
        self.assertEqual((pay.__name__, pay.__doc__), ("pay", "Pays."))
        self.assertEqual(list(inspect.signature(pay).parameters), ["iban", "cents", "urgent", "more"])

    def test_a_coroutine_function_is_guarded_as_one(self):
        ran = []

        async def pay(cents):
            await asyncio.sleep(0)
            ran.append(cents)
            return cents

        guarded = self.client.guard("pay", pay)
        self.assertTrue(inspect.iscoroutinefunction(guarded))
        self.assertEqual(asyncio.run(guarded(1)), 1)
        self.on_actions(refused(403, "ACTION_BLOCKED"))
        with self.assertRaises(ActionBlocked):
            asyncio.run(guarded(2))
        self.assertEqual((ran, len(self.peer.bodies(OUTCOME))), ([1], 1))
        bound = self.client.guard("pay", functools.partial(pay, cents=3))
        self.assertTrue(inspect.iscoroutinefunction(bound))

    def test_a_refusal_a_fault_or_doubt_does_not_run_the_function(self):
        ran = []
        guarded = self.client.guard("pay", lambda cents: ran.append(cents))
        deeds = [
            refused(403, "ACTION_BLOCKED"),
            refused(403, "APPROVAL_REQUIRED", {"approval_id": "apr_1"}),
            refused(502, "EXECUTION_FAILED"),
            (200, "yes", {}),
            (200, decision(decision="PERMIT"), {}),
            (200, decision(mode="SIMULATE", status="SIMULATED"), {}),
            (200, decision(execution={"state": "EXECUTED"}), {}),
            (200, decision(status="COMPLETED"), {}),
            (200, decision(action_id=None), {}),
            (200, decision(explanation={"obligations": {"mask": "all"}}), {}),
        ]
        kinds = []
        for deed in deeds:
            self.on_actions(deed)
            with self.assertRaises(GovernanceError) as caught:
                guarded(1)
            kinds.append(type(caught.exception))
        self.assertEqual(ran, [])
        self.assertEqual(kinds[:2] + kinds[5:7], [ActionBlocked, ApprovalRequired, Simulated, NotForThisProcess])

    def test_a_refusal_is_returned_as_text_for_a_model_when_that_is_chosen(self):
        self.on_actions(refused(403, "ACTION_BLOCKED"))
        guarded = self.client.guard("pay", lambda cents: cents, on_refusal="return")
        text = guarded(1)
        self.assertTrue(text.startswith("Refused (ACTION_BLOCKED): Refused with ACTION_BLOCKED. Do not repeat this call."), text)
        failing = self.client.guard("pay", lambda: 1 / 0, on_refusal="return")
        self.on_actions(None)
        with self.assertRaises(ZeroDivisionError):
            failing()

    def test_the_function_gets_a_private_copy_that_no_other_thread_can_change(self):
        order = {"lines": [1, 2]}

        def meanwhile(seen):
            order["lines"].append(3)
            return None

        self.on_actions(meanwhile)
        ran = []
        self.client.guard("pay", lambda order: ran.append(order))(order)
        self.assertEqual((ran, order), ([{"lines": [1, 2]}], {"lines": [1, 2, 3]}))
        self.assertEqual(self.peer.bodies(ACTIONS)[0]["parameters"], {"order": {"lines": [1, 2]}})

    def test_arguments_that_changed_after_the_decision_are_not_run_with(self):
        order, ran = {"cents": 1}, []

        def meanwhile(seen):
            order["cents"] = 900
            return None

        self.on_actions(meanwhile)
        guarded = self.client.guard("pay", lambda order: ran.append(order), request=lambda order: {"parameters": order})
        with self.assertRaises(ParametersChanged):
            guarded(order)
        self.assertEqual((ran, [body["status"] for body in self.peer.bodies(OUTCOME)]), ([], ["FAILED"]))

    def test_a_request_has_only_what_is_judged(self):
        guarded = self.client.guard("pay", lambda: None, request=lambda: {"idempotency_key": "again"})
        with self.assertRaisesRegex(TypeError, "has no idempotency_key"):
            guarded()
        guarded = self.client.guard("pay", lambda cents: cents, request=lambda cents: {"amount": cents, "currency": "USD"})
        self.assertEqual(guarded(5), 5)
        self.assertEqual(self.peer.bodies(ACTIONS), [{"tool": "pay", "amount": 5, "currency": "USD"}])

    def test_values_and_functions_that_cannot_be_judged_are_rejected(self):
        for value in (object(), 2**60, {1: 1}, b""):
            with self.assertRaisesRegex(TypeError, "/value"):
                self.client.guard("pay", lambda value: None)(value)

        def generator():
            yield 1

        async def asynchronous_generator():
            yield 1

        for fn in (lambda *rest: None, 5, generator, asynchronous_generator):
            with self.assertRaises(TypeError):
                self.client.guard("pay", fn)
        for options in ({"exclude": ["other"]}, {"on_refusal": "ignore"}):
            with self.assertRaises(TypeError):
                self.client.guard("pay", lambda value: None, **options)
        self.assertEqual(self.peer.count(ACTIONS), 0)

    def test_a_method_names_what_is_not_judged(self):
        client = self.client

        class Shop:
            @client.guard("pay", exclude=["self"])
            def pay(self, cents):
                return self, cents

        shop = Shop()
        self.assertEqual(shop.pay(7), (shop, 7))
        self.assertEqual(self.peer.bodies(ACTIONS)[0]["parameters"], {"cents": 7})

    def test_a_function_that_hides_a_coroutine_is_not_run(self):
        async def hidden():
            raise AssertionError("ran")

        with self.assertRaisesRegex(TypeError, "awaitable"):
            self.client.guard("pay", lambda: hidden())()
        self.assertEqual([body["status"] for body in self.peer.bodies(OUTCOME)], ["FAILED"])

    def test_a_report_that_fails_changes_neither_result_nor_error(self):
        self.peer.deed = lambda seen: refused(403, "TENANT_MISMATCH") if seen["path"] == OUTCOME else None
        self.assertEqual(self.client.guard("pay", lambda: 3)(), 3)
        with self.assertRaises(ZeroDivisionError):
            self.client.guard("pay", lambda: 1 / 0)()
        self.assertEqual([(note.during, note.action_id, note.error.code) for note in self.notes], [("outcome", "act_1", "TENANT_MISMATCH")] * 2)
        self.assertEqual(self.peer.bodies(OUTCOME)[1]["error"], "ZeroDivisionError: division by zero")
        self.peer.deed = lambda seen: None
        self.assertEqual(self.client.guard("pay", lambda: 4, result=lambda value: object())(), 4)
        self.assertEqual(self.peer.bodies(OUTCOME)[-1], {"status": "COMPLETED"})

    def test_masks_hide_arguments_and_results(self):
        self.on_actions((200, masking(["customer.iban"], ["secret"]), {}))
        ran = []

        def pay(customer, cents):
            ran.append((customer, cents))
            return {"secret": 1, "open": 2}

        shown = {"secret": "[masked]", "open": 2}
        self.assertEqual(self.client.guard("pay", pay, result=lambda value: value)({"iban": "DE", "name": "A"}, 5), shown)
        self.assertEqual(ran, [({"iban": "[masked]", "name": "A"}, 5)])
        self.assertEqual(self.peer.bodies(OUTCOME)[0]["result"], shown)
        request = {"request": lambda customer, cents: {"parameters": {"customer": customer}}}
        with self.assertRaises(CannotMask):
            self.client.guard("pay", pay, **request)({"iban": "DE"}, 5)
        hide = lambda mask, customer, cents: ((mask({"customer": customer})["customer"], cents), {})
        self.client.guard("pay", pay, **request, masked=hide)({"iban": "DE"}, 5)
        self.assertEqual(ran[1:], [({"iban": "[masked]"}, 5)])
        with self.assertRaises(ResultWithheld):
            self.client.guard("pay", lambda customer: "a secret text")({})
        self.assertEqual(self.peer.bodies(OUTCOME)[-1]["status"], "COMPLETED")

    def approvals(self, *statuses, **more):
        left = list(statuses)

        def deed(seen):
            if seen["path"] == ACTIONS and "approval_id" not in seen["body"]:
                return refused(403, "APPROVAL_REQUIRED", {"approval_id": "apr_1", "poll_after_seconds": 0.01})
            if "/approvals/apr_1" in seen["path"]:
                status = left.pop(0) if len(left) > 1 else left[0]
                return 200, {"id": "apr_1", "status": status, "poll_after_seconds": 0.01, "expires_at": "2999-01-01T00:00:00.000Z", **more}, {}
            return None

        self.peer.deed = deed

    def test_a_held_call_runs_once_after_the_approval_under_a_key_that_another_process_would_use(self):
        self.approvals("PENDING", "PENDING", "APPROVED")
        polls, ran = [], []
        guarded = self.client.guard("pay", lambda cents: ran.append(cents), wait_for_approval=Wait(30, lambda approval: polls.append(approval["status"])))
        guarded(5)
        self.assertEqual((ran, polls), ([5], ["PENDING", "PENDING", "APPROVED"]))
        first, second = [seen for seen in self.peer.seen if seen["path"] == ACTIONS]
        self.assertEqual(second["body"], {**first["body"], "approval_id": "apr_1"})
        self.assertRegex(second["headers"]["idempotency-key"], "^approval-apr_1-[0-9a-f]{64}$")
        self.assertTrue(any("?wait=" in seen["path"] for seen in self.peer.seen))

    def test_a_denial_and_the_end_of_the_wait_do_not_run_the_function(self):
        ran = []
        for statuses, wait, code in ((["DENIED"], True, "APPROVAL_NOT_GRANTED"), (["EXPIRED"], 9, "APPROVAL_EXPIRED"), (["PENDING"], 0.3, "APPROVAL_PENDING")):
            self.approvals(*statuses)
            with self.assertRaises(GovernanceError) as caught:
                self.client.guard("pay", lambda cents: ran.append(cents), wait_for_approval=wait)(5)
            self.assertEqual(caught.exception.code, code)
        self.assertEqual(ran, [])

    def test_a_narrowed_call_runs_only_with_arguments_that_the_program_made_for_it(self):
        self.approvals("APPROVED", approved_request={"parameters": {"cents": 3}, "amount": None})
        ran = []
        pay = lambda cents: ran.append(cents)
        with self.assertRaises(ApprovalNarrowed) as caught:
            self.client.guard("pay", pay, wait_for_approval=True)(5)
        self.assertEqual(caught.exception.approved["parameters"], {"cents": 3})
        self.client.guard("pay", pay, wait_for_approval=True, narrowed=lambda approved, cents: ((approved["parameters"]["cents"],), {}))(5)
        self.assertEqual(ran, [3])
        self.assertEqual(self.peer.bodies(ACTIONS)[-1], {"tool": "pay", "parameters": {"cents": 3}, "approval_id": "apr_1"})

    def test_cancelling_a_waiting_coroutine_ends_its_wait(self):
        self.approvals("PENDING")

        async def pay(cents):
            raise AssertionError("ran")

        async def main():
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(self.client.guard("pay", pay, wait_for_approval=True)(1), 0.3)

        asyncio.run(main())
        for thread in threading.enumerate():
            if thread.name == "svc-sdk-call":
                thread.join(10)
                self.assertFalse(thread.is_alive())
