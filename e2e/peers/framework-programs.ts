/** A program of a user that guards a tool of a framework, and the further packages that it installs. */
export type FrameworkProgram = {
  readonly further?: readonly string[];
  /** Assigns `call`, which calls the guarded tool as the framework does and returns what its model reads. */
  readonly text: string;
};

const START = `
import { Governance } from '@svc/sdk';
import { z } from 'zod';

const shape = { order: z.string(), amount: z.number().default(7) };
const schema = z.object(shape);
const governance = Governance.testing({ pay: ({ parameters }) => (parameters.amount > 100 ? 'BLOCK' : 'ALLOW') });
const names = { refund: 'pay' };
const ran = [];
const run = ({ order, amount }) => {
  ran.push({ order, amount });
  return 'refunded ' + amount;
};
const content = (input) => ({ content: [{ type: 'text', text: run(input) }] });
const readText = (result) => result.content.map(({ text }) => text).join('');
let call;
`;

const END = `
const read = [await call({ order: 'A' }), await call({ order: 'B', amount: 900 })];
console.log(JSON.stringify({ read, ran, judged: governance.requests.map(({ parameters }) => parameters) }));
process.exit(0);
`;

const LANGCHAIN_TOOL = `
import { tool } from '@langchain/core/tools';
const made = tool(async (input) => run(input), { name: 'refund', description: 'Refunds.', schema });
const [guarded] = governance.tools([made], { names });
`;

const LEGACY_CLIENT = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
const connect = async (server) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(far), client.connect(near)]);
  return async (input) => readText(await client.callTool({ name: 'refund', arguments: input }));
};
`;

const MODERN = `
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
const server = governance.mcpServer(new McpServer({ name: 'test', version: '1.0.0' }), { names });
server.registerTool('refund', { inputSchema: schema }, async (input) => content(input));
const client = new Client({ name: 'test', version: '1.0.0' });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);
call = async (input) => readText(await client.callTool({ name: 'refund', arguments: input }));
`;

const TEXTS: Readonly<Record<string, FrameworkProgram>> = {
  ai: {
    text: `
import { tool, generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
const says = (part, unified) => ({ content: [part], finishReason: { unified }, usage, warnings: [] });
const tools = governance.tools({ refund: tool({ inputSchema: schema, execute: async (input) => run(input) }) }, { names });
call = async (input) => {
  const made = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: JSON.stringify(input) };
  const model = new MockLanguageModelV4({ doGenerate: [says(made, 'tool-calls'), says({ type: 'text', text: 'Done.' }, 'stop')] });
  await generateText({ model, prompt: 'Refund.', stopWhen: stepCountIs(3), tools });
  return JSON.stringify(model.doGenerateCalls[1].prompt.at(-1));
};`,
  },
  '@openai/agents': {
    // An optional dependency of it, which its entry point imports.
    further: ['@modelcontextprotocol/client'],
    text: `
import { RunContext, tool } from '@openai/agents';
const execute = governance.guardExecute('pay', async (input) => run(input));
const made = tool({ name: 'refund', description: 'Refunds.', parameters: schema, strict: true, execute });
call = async (input) => String(await made.invoke(new RunContext(), JSON.stringify(input)));`,
  },
  '@langchain/core': { text: `${LANGCHAIN_TOOL}call = async (input) => String(await guarded.invoke(input));` },
  '@langchain/langgraph': {
    further: ['@langchain/core'],
    text: `${LANGCHAIN_TOOL}
import { AIMessage } from '@langchain/core/messages';
import { ToolNode } from '@langchain/langgraph/prebuilt';
const node = new ToolNode([guarded]);
call = async (args) => {
  const message = new AIMessage({ content: '', tool_calls: [{ name: 'refund', args, id: 'call-1', type: 'tool_call' }] });
  return String((await node.invoke({ messages: [message] })).messages.at(-1).content);
};`,
  },
  '@mastra/core': {
    text: `
import { createTool } from '@mastra/core/tools';
const made = createTool({ id: 'refund', description: 'Refunds.', inputSchema: schema, execute: async (input) => run(input) });
const [guarded] = governance.tools([made], { names });
call = async (input) => String(await guarded.execute(input, {}));`,
  },
  '@anthropic-ai/claude-agent-sdk': {
    further: ['@modelcontextprotocol/sdk'],
    text: `${LEGACY_CLIENT}
import { createSdkMcpServer, tool } from '@anthropic-ai/claude-agent-sdk';
const tools = governance.tools([tool('refund', 'Refunds.', shape, async (input) => content(input))], { names });
call = await connect(createSdkMcpServer({ name: 'test', version: '1.0.0', tools }).instance);`,
  },
  '@modelcontextprotocol/sdk': {
    text: `${LEGACY_CLIENT}
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = governance.mcpServer(new McpServer({ name: 'test', version: '1.0.0' }), { names });
server.registerTool('refund', { inputSchema: shape }, async (input) => content(input));
call = await connect(server);`,
  },
  '@modelcontextprotocol/server': { further: ['@modelcontextprotocol/client'], text: MODERN },
  '@modelcontextprotocol/client': { further: ['@modelcontextprotocol/server'], text: MODERN },
};

/** The programs by the package of their framework. */
export const FRAMEWORK_PROGRAMS: Readonly<Record<string, FrameworkProgram>> = Object.fromEntries(
  Object.entries(TEXTS).map(([name, program]) => [name, { ...program, text: `${START}${program.text}${END}` }]),
);
