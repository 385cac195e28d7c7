import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AIMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import * as modernClient from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as modernServer from '@modelcontextprotocol/server';
import { tool as openAiTool, RunContext } from '@openai/agents';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { tool as aiTool, generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { Governance } from '../governance.ts';

/** Guarded tools in the real packages, with the running service. Each package applies the default of the schema: 7. */
let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  const when = { field: 'parameters.amount', op: 'gt', value: 100 };
  const rules = [
    { id: 'large', effect: 'BLOCK', when, reason: 'Not over 100.' },
    { id: 'rest', effect: 'ALLOW', reason: 'Permitted.' },
  ];
  const tests = [{ name: 'small', given: { parameters: { amount: 1 } }, then: { effect: 'ALLOW' } }];
  governed = await newGoverned(planes, { rules, tests });
});
after(() => planes.stop());

type Input = { readonly order: string; readonly amount: number };
/** Calls the tool like the framework, and returns what its model reads. */
type Call = (input: Record<string, unknown>) => Promise<string>;
type Scene = { readonly governance: Governance; readonly ran: Input[]; readonly run: (input: Input) => string };
type Build = (scene: Scene) => Call | Promise<Call>;

const shape = { order: z.string(), amount: z.number().default(7) };
const schema = z.object(shape);
const names = { refund: 'pay' };

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const says = (part: object, unified: 'tool-calls' | 'stop') =>
  ({ content: [part], finishReason: { unified, raw: undefined }, usage, warnings: [] }) as never;

const ai: Build = ({ governance, run }) => {
  const tools = governance.tools({ refund: aiTool({ inputSchema: schema, execute: async (input) => run(input) }) }, { names });
  return async (input) => {
    const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: JSON.stringify(input) };
    const model = new MockLanguageModelV4({ doGenerate: [says(call, 'tool-calls'), says({ type: 'text', text: 'Done.' }, 'stop')] });
    await generateText({ model, prompt: 'Refund.', stopWhen: stepCountIs(3), tools });
    return JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
  };
};

const langchain: Build = ({ governance, run }) => {
  const made = langchainTool(async (input) => run(input), { name: 'refund', description: 'Refunds.', schema });
  const [guarded] = governance.tools([made], { names });
  assert.ok(guarded instanceof made.constructor);
  return async (input) => String(await guarded?.invoke(input as never));
};

const langgraph: Build = ({ governance, run }) => {
  const made = langchainTool(async (input) => run(input), { name: 'refund', description: 'Refunds.', schema });
  const node = new ToolNode(governance.tools([made], { names }));
  return async (args) => {
    const message = new AIMessage({ content: '', tool_calls: [{ name: 'refund', args, id: 'call-1', type: 'tool_call' }] });
    const { messages } = await node.invoke({ messages: [message] });
    return String(messages.at(-1)?.content);
  };
};

const openAi: Build = ({ governance, run }) => {
  const execute = governance.guardExecute('pay', async (input: Input) => run(input));
  const made = openAiTool({ name: 'refund', description: 'Refunds.', parameters: schema, strict: true, execute });
  return async (input) => String(await made.invoke(new RunContext(), JSON.stringify(input)));
};

const readText = (result: unknown): string => {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
  return `${isError ? 'error: ' : ''}${content.map(({ text }) => text).join('')}`;
};

const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const INFO = { name: 'test', version: '1.0.0' };

const mcp1Server: Build = async ({ governance, run }) => {
  const server = governance.mcpServer(new LegacyServer(INFO), { names });
  server.registerTool('refund', { inputSchema: shape }, async (input) => answer(run(input)));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new LegacyClient(INFO);
  await Promise.all([server.connect(far), client.connect(near)]);
  return async (input) => readText(await client.callTool({ name: 'refund', arguments: input }));
};

const mcp2 = async (server: modernServer.McpServer, client: modernClient.Client): Promise<Call> => {
  const [near, far] = modernServer.InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near as never)]);
  return async (input) => readText(await client.callTool({ name: 'refund', arguments: input }));
};

const mcp2Server: Build = ({ governance, run }) => {
  const server = governance.mcpServer(new modernServer.McpServer(INFO), { names });
  server.registerTool('refund', { inputSchema: schema }, async (input) => answer(run(input)));
  return mcp2(server, new modernClient.Client(INFO));
};

/** Schema behind a guarded client: what arrives there was executed. It has no default, which a client could not judge. */
const given = z.object({ order: z.string(), amount: z.number() });

const mcp2Client: Build = async ({ governance, run }) => {
  const server = new modernServer.McpServer(INFO);
  server.registerTool('refund', { inputSchema: given }, async (input) => answer(run(input)));
  const call = await mcp2(server, governance.mcpClient(new modernClient.Client(INFO), { names }));
  return (input) => call({ amount: 7, ...input });
};

const mcp1Client: Build = async ({ governance, run }) => {
  const server = new LegacyServer(INFO);
  server.registerTool('refund', { inputSchema: given.shape }, async (input) => answer(run(input)));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = governance.mcpClient(new LegacyClient(INFO), { names });
  await Promise.all([server.connect(far), client.connect(near)]);
  return async (input) => readText(await client.callTool({ name: 'refund', arguments: { amount: 7, ...input } }));
};

/** The Claude Agent SDK, whose server passes its tools to the MCP server above. */
const claude: Build = async ({ governance, run }) => {
  const [guarded] = governance.tools(
    [{ name: 'refund', description: '', inputSchema: shape, handler: async (input: Input) => answer(run(input)) }],
    {
      names,
    },
  );
  assert.ok(guarded);
  const server = new LegacyServer(INFO);
  server.registerTool(guarded.name, { inputSchema: guarded.inputSchema }, (input) => guarded.handler(input));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new LegacyClient(INFO);
  await Promise.all([server.connect(far), client.connect(near)]);
  return async (input) => readText(await client.callTool({ name: 'refund', arguments: input }));
};

/** Mastra's tools: a class whose `execute` parses the input again. */
class MastraTool {
  readonly id = 'refund';
  readonly inputSchema = schema;
  readonly execute: (input: unknown, context?: unknown) => Promise<unknown>;
  constructor(run: (input: Input) => string) {
    this.execute = async (input) => {
      const parsed = schema.safeParse(input);
      return parsed.success ? run(parsed.data) : { error: true, message: 'Tool input validation failed.' };
    };
  }
}

const mastra: Build = async ({ governance, run }) => {
  const [guarded] = governance.tools([new MastraTool(run)], { names });
  assert.ok(guarded instanceof MastraTool);
  assert.deepEqual(await guarded.execute({ order: 5 }), { error: true, message: 'Tool input validation failed.' });
  return async (input) => String(await guarded.execute(input, {}));
};

const plain: Build = ({ governance, run }) => {
  const refund = async ({ order, amount = 7 }: { order: string; amount?: number }) => run({ order, amount });
  const [guarded] = governance.tools([refund], { names });
  return async (input) => {
    try {
      return String(await guarded?.({ amount: 7, ...input } as never));
    } catch (error) {
      return String(error);
    }
  };
};

const BUILDS: Readonly<Record<string, Build>> = {
  ...{ ai, '@langchain/core': langchain, '@langchain/langgraph': langgraph, '@openai/agents': openAi },
  ...{ 'an MCP v1 server': mcp1Server, 'an MCP v2 server': mcp2Server, 'an MCP v1 client': mcp1Client, 'an MCP v2 client': mcp2Client },
  ...{ 'a tool of the Claude Agent SDK': claude, 'a tool of Mastra': mastra, 'a function': plain },
};

for (const [name, build] of Object.entries(BUILDS)) {
  test(`${name} runs exactly the approved arguments, and its model reads why another call did not run`, async () => {
    const ran: Input[] = [];
    const run = (input: Input): string => {
      ran.push({ order: input.order, amount: input.amount });
      return `refunded ${input.amount}`;
    };
    const { agent } = governed;
    const privateKey = agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const governance = new Governance({ gatewayUrl: planes.gatewayUrl, agentId: agent.id, privateKey });
    const call = await build({ governance, ran, run });
    assert.match(await call({ order: `${name} 1` }), /refunded 7/);
    assert.match(await call({ order: `${name} 2`, amount: 100 }), /refunded 100/);
    const text = await call({ order: `${name} 3`, amount: 900 });
    assert.match(text, /(Refused \(ACTION_BLOCKED\)|ActionBlocked): Not over 100\. Do not repeat this call\./);
    assert.doesNotMatch(text, /try again|fix your mistakes/i);
    assert.equal(text.startsWith('error: '), /MCP|Claude/.test(name), 'an MCP result is marked as an error');
    const expected = [
      { order: `${name} 1`, amount: 7 },
      { order: `${name} 2`, amount: 100 },
    ];
    assert.deepEqual(ran, expected);
    const { data } = (await governed.owner('GET', '/v1/actions?limit=3')).json;
    const actions = await Promise.all(data.map(({ id }: { id: string }) => governed.owner('GET', `/v1/actions/${id}`)));
    const judged = actions.map(({ json }) => [json.status, json.parameters]);
    assert.deepEqual(judged, [
      ['BLOCKED', { order: `${name} 3`, amount: 900 }],
      ['COMPLETED', expected[1]],
      ['COMPLETED', expected[0]],
    ]);
  });
}
