import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tool as langchainTool } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ModernServer } from '@modelcontextprotocol/server';
import * as agents from '@openai/agents';
import { tool as aiTool, jsonSchema } from 'ai';
import { z } from 'zod';
import { Governance } from '../governance.ts';

const governance = Governance.testing({ refund: 'ALLOW', held: 'REQUIRE_APPROVAL', odd: 'ALLOW' });
const inputSchema = z.object({ order: z.string() });
const INFO = { name: 'test', version: '1.0.0' };

const { tool: openAiTool, webSearchTool, hostedMcpTool } = agents;
const execute = async () => 'ran';

const unguardable: readonly (readonly [string, unknown, RegExp])[] = [
  ['a tool of @openai/agents', [openAiTool({ name: 'refund', description: '', parameters: inputSchema, execute })], /guardExecute/],
  ['a hosted tool of @openai/agents', [webSearchTool()], /cannot be guarded/],
  ['a hosted MCP tool', [hostedMcpTool({ serverLabel: 'a', serverUrl: 'https://a.example' })], /cannot be guarded/],
  ['a ToolNode', [new ToolNode([])], /cannot be guarded/],
  ['a tool of the ai package without execute', { refund: aiTool({ inputSchema: jsonSchema({ type: 'object' }) }) }, /cannot be guarded/],
  [
    'a tool that a provider executes',
    { refund: { type: 'provider', id: 'openai.search', args: {}, inputSchema, execute } },
    /cannot be guarded/,
  ],
  ['a tool of the ai package in a list', [aiTool({ inputSchema, execute })], /needs a name/],
  [
    'a function without a name',
    [(() => execute)()].map((fn) => fn.bind(null)).map((fn) => Object.defineProperty(fn, 'name', { value: '' })),
    /needs a name/,
  ],
  ['a class', [class Refund {}], /a class/],
  ['a text', ['refund'], /needs a name/],
  ['nothing', { refund: null }, /cannot be guarded/],
  ['a generator', [async function* refund() {}], /generator/],
  ['a generator in a tool', { refund: { inputSchema, execute: async function* () {} } }, /generator/],
  ['no tools', 'refund', /must be a list/],
];
for (const [what, tools, message] of unguardable) {
  test(`${what} is rejected when it is wrapped`, () => {
    assert.throws(() => governance.tools(tools as unknown[]), message);
  });
}

test('every kind of tool that @openai/agents exports is rejected or made of a guarded function', () => {
  const makers = Object.keys(agents).filter((name) => /Tool$/.test(name) && name[0] === name[0]?.toLowerCase());
  assert.deepEqual(makers.filter((name) => !/^(is|has|get|invoke|create|attach)/.test(name)).sort(), [
    'applyPatchTool',
    'codeInterpreterTool',
    'computerTool',
    'fileSearchTool',
    'hostedMcpTool',
    'imageGenerationTool',
    'mcpToFunctionTool',
    'programmaticToolCallingTool',
    'shellTool',
    'toolSearchTool',
    'webSearchTool',
  ]);
});

test('an unknown tool name is rejected', () => {
  assert.throws(() => governance.tools({ refund: aiTool({ inputSchema, execute }) }, { names: { refnud: 'refund' } }), /refnud/);
});

test('a schema that changes its own output is refused, because the framework would run something else', async () => {
  let ran = 0;
  const schema = z.object({ amount: z.number().transform((amount) => amount * 10) });
  const tool = { id: 'odd', inputSchema: schema, execute: async () => (ran += 1) };
  const [guarded] = governance.tools([tool]);
  await assert.rejects((guarded as { execute: (input: object) => Promise<unknown> }).execute({ amount: 5 }), {
    code: 'PARAMETERS_CHANGED',
  });
  assert.equal(ran, 0);
});

test('the error of the tool itself is returned, and a pair stays a pair', async () => {
  const broken = langchainTool(() => Promise.reject(new Error('card declined')), { name: 'refund', description: '', schema: inputSchema });
  await assert.rejects(governance.tools([broken])[0]?.invoke({ order: 'a' }) ?? Promise.resolve(), /card declined/);
  const paired = langchainTool(async () => ['text', 1], {
    name: 'held',
    description: '',
    schema: inputSchema,
    responseFormat: 'content_and_artifact',
  });
  const [guarded] = governance.tools([paired]);
  const message = await guarded?.invoke({ type: 'tool_call', id: 'call-1', name: 'held', args: { order: 'a' } } as never);
  assert.match(String((message as { content: string }).content), /^Refused \(APPROVAL_REQUIRED\)/);
});

test('an MCP server is guarded before its first tool, through registerTool alone, also after an update', async () => {
  for (const newServer of [() => new LegacyServer(INFO), () => new ModernServer(INFO) as unknown as LegacyServer]) {
    const late = newServer();
    late.registerTool('refund', {}, async () => ({ content: [] }));
    assert.throws(() => governance.mcpServer(late), /before registerTool/);
    const server = governance.mcpServer(newServer());
    const registered = server.registerTool('forbidden', {}, async () => ({ content: [] }));
    assert.throws(() => registered.update({ paramsSchema: {} as never }), /cannot be changed/);
    registered.update({ callback: async () => ({ content: [{ type: 'text', text: 'ran' }] }) });
    const result = await (registered.handler as unknown as (context: object) => Promise<{ isError?: boolean }>)({});
    assert.equal(result.isError, true);
  }
  const legacy = governance.mcpServer(new LegacyServer(INFO));
  assert.throws(() => legacy.tool('refund', async () => ({ content: [] })), /not guarded. Use registerTool/);
  assert.throws(() => legacy.experimental, /not guarded/);
});
