"""Guards for tools of frameworks, against doubles of their shape: the packages are not needed."""

import asyncio
import copy
import dataclasses
import unittest
from typing import Any, Callable, Optional

from svc_sdk import Governance


class StructuredTool:
    """Shape of LangChain's: a model with ``func`` and ``coroutine``, arguments parsed before either is called."""

    def __init__(self, name, func=None, coroutine=None, response_format="content", defaults=None):
        self.name, self.func, self.coroutine = name, func, coroutine
        self.response_format, self.args_schema, self.defaults = response_format, object, defaults or {}

    def model_copy(self, *, update):
        changed = copy.copy(self)
        changed.__dict__.update(update)
        return changed

    def invoke(self, given):
        return self.func(**{**self.defaults, **given})

    async def ainvoke(self, given):
        return await self.coroutine(**{**self.defaults, **given})


@dataclasses.dataclass
class FunctionTool:
    """Shape of the OpenAI Agents SDK's: arguments are parsed inside ``on_invoke_tool``."""

    name: str
    on_invoke_tool: Callable[..., Any]
    params_json_schema: Optional[dict] = None


def function_tool(fn):
    """Makes a FunctionTool of a function, as the framework does: it reads the signature of the function."""
    import inspect
    import json

    parameters = inspect.signature(fn).parameters

    async def invoke(context, text):
        given = {name: each.default for name, each in parameters.items() if each.default is not each.empty}
        result = fn(**{**given, **json.loads(text)})
        return await result if inspect.isawaitable(result) else result

    return FunctionTool(fn.__name__, invoke, {"properties": dict.fromkeys(parameters)})


class FrameworksTest(unittest.TestCase):
    def setUp(self):
        self.client = Governance.testing({"refund.create": lambda request: "BLOCK" if request["parameters"]["cents"] > 100 else "ALLOW", "look": "ALLOW"})

    def test_a_langchain_tool_is_judged_on_the_parsed_arguments_and_keeps_its_class(self):
        ran = []

        def refund(order, cents):
            ran.append((order, cents))
            return "done"

        async def refund_async(order, cents):
            return refund(order, cents)

        tool = StructuredTool("refund", refund, refund_async, defaults={"cents": 7})
        [guarded] = self.client.tools([tool], names={"refund": "refund.create"})
        self.assertIsInstance(guarded, StructuredTool)
        self.assertEqual(guarded.invoke({"order": "a"}), "done")
        self.assertEqual(asyncio.run(guarded.ainvoke({"order": "b", "cents": 100})), "done")
        self.assertEqual([request["parameters"] for request in self.client.requests], [{"order": "a", "cents": 7}, {"order": "b", "cents": 100}])
        text = guarded.invoke({"order": "c", "cents": 101})
        self.assertTrue(text.startswith("Refused (ACTION_BLOCKED): "), text)
        self.assertEqual(asyncio.run(guarded.ainvoke({"order": "c", "cents": 101})), text)
        self.assertEqual(ran, [("a", 7), ("b", 100)])
        self.assertIs(tool.func, refund)

    def test_a_refused_langchain_tool_with_an_artifact_returns_a_pair(self):
        tool = StructuredTool("refund.create", lambda cents: ("text", 1), response_format="content_and_artifact")
        [guarded] = self.client.tools([tool])
        self.assertEqual(guarded.invoke({"cents": 1}), ("text", 1))
        content, artifact = guarded.invoke({"cents": 500})
        self.assertTrue(content.startswith("Refused (ACTION_BLOCKED)"))
        self.assertIsNone(artifact)

    def test_an_openai_tool_is_made_of_a_guarded_function_and_never_wrapped(self):
        ran = []

        def refund(order: str, cents: int = 7):
            ran.append((order, cents))
            return "done"

        with self.assertRaisesRegex(TypeError, r'function_tool\(governance.guard\("<tool>", on_refusal="return"\)\(fn\)\)'):
            self.client.tools([function_tool(refund)])
        tool = function_tool(self.client.guard("refund.create", on_refusal="return")(refund))
        self.assertEqual((tool.name, list(tool.params_json_schema["properties"])), ("refund", ["order", "cents"]))
        self.assertEqual(asyncio.run(tool.on_invoke_tool(None, '{"order": "a"}')), "done")
        self.assertEqual(self.client.requests[-1]["parameters"], {"order": "a", "cents": 7})
        self.assertTrue(asyncio.run(tool.on_invoke_tool(None, '{"order": "a", "cents": 900}')).startswith("Refused (ACTION_BLOCKED)"))
        self.assertEqual(ran, [("a", 7)])

    def test_functions_are_guarded_by_their_name(self):
        def look(what):
            return what

        [guarded] = self.client.tools([look])
        self.assertEqual(guarded("x"), "x")
        self.assertEqual(self.client.requests[-1]["tool"], "look")

    def test_a_tool_that_cannot_be_guarded_is_rejected_before_any_call(self):
        class HostedTool:
            name = "web_search"

        for tool in (HostedTool(), {"type": "web_search"}, StructuredTool("empty"), lambda value: value, HostedTool):
            with self.assertRaises(TypeError):
                self.client.tools([tool])
        with self.assertRaisesRegex(TypeError, "none of the tools"):
            self.client.tools([], names={"refund": "refund.create"})

    def test_the_double_never_uses_the_network_and_says_so(self):
        import os
        import socket
        from unittest import mock

        with mock.patch.object(socket, "socket", side_effect=AssertionError("network")):
            with self.assertRaisesRegex(Exception, "no gateway was asked. It has no decision for other"):
                self.client.act("other")
            self.client.handshake()
            self.client.logout()
        self.assertIn("testing.invalid", repr(self.client))
        with mock.patch.dict(os.environ, {"SVC_AGENT_KEY": "x"}):
            with self.assertRaisesRegex(TypeError, "has an agent's key"):
                Governance.testing({})
