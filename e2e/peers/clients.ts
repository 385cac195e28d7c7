import { createMCPClient } from '@ai-sdk/mcp';
import * as modern from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPServerStreamableHttp } from '@openai/agents';

/** Result of a call as a client passes it to its program. */
export type Called = { readonly text: string; readonly isError: boolean };

export type OpenClient = {
  readonly names: () => Promise<readonly string[]>;
  readonly call: (name: string, given: Record<string, unknown>) => Promise<Called>;
  readonly close: () => Promise<unknown>;
};

export type Connecting = { readonly url: string; readonly token?: string; readonly fetch?: typeof fetch };

const INFO = { name: 'test-client', version: '1.0.0' };
const newHeaders = ({ token }: Connecting): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` });

type Result = { readonly content?: unknown; readonly isError?: unknown };

const readCalled = ({ content, isError }: Result): Called => {
  const blocks = (content ?? []) as readonly { readonly text?: string }[];
  return { text: blocks.map((block) => block.text ?? '').join(''), isError: isError === true };
};

const openSdk = async (connecting: Connecting, mode: 'legacy' | { pin: string }): Promise<OpenClient> => {
  const client = new modern.Client(INFO, { versionNegotiation: { mode } });
  const { url, fetch } = connecting;
  const options = { requestInit: { headers: newHeaders(connecting) }, ...(fetch ? { fetch } : {}) };
  await client.connect(new modern.StreamableHTTPClientTransport(new URL(url), options));
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => readCalled((await client.callTool({ name, arguments: given })) as Result),
    close: () => client.close(),
  };
};

type Open = (connecting: Connecting) => Promise<OpenClient>;

const openSdk1: Open = async (connecting) => {
  const client = new LegacyClient(INFO);
  const { url, fetch } = connecting;
  const options = { requestInit: { headers: newHeaders(connecting) }, ...(fetch ? { fetch } : {}) };
  const transport = new StreamableHTTPClientTransport(new URL(url), options);
  await client.connect(transport as Parameters<LegacyClient['connect']>[0]);
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => readCalled((await client.callTool({ name, arguments: given })) as Result),
    close: () => client.close(),
  };
};

const openAiSdk: Open = async (connecting) => {
  const { url, fetch } = connecting;
  const transport = { type: 'http', url, headers: newHeaders(connecting), ...(fetch ? { fetch } : {}) } as const;
  const client = await createMCPClient({ transport });
  return {
    names: async () => Object.keys(await client.tools()),
    call: async (name, given) => {
      const tool = (await client.tools())[name];
      return readCalled((await tool?.execute?.(given, { toolCallId: name, messages: [], context: {} } as never)) as Result);
    },
    close: () => client.close(),
  };
};

const openOpenAi: Open = async (connecting) => {
  const { url, fetch } = connecting;
  const server = new MCPServerStreamableHttp({ url, requestInit: { headers: newHeaders(connecting) }, ...(fetch ? { fetch } : {}) });
  await server.connect();
  return {
    names: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, given) => readCalled((await server.callToolResult(name, given)) as Result),
    close: () => server.close(),
  };
};

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/** Unmodified clients, with the protocol revision that each negotiates. */
export const CLIENTS: Readonly<Record<string, { readonly version: string; readonly open: Open }>> = {
  '@modelcontextprotocol/sdk 1': { version: LEGACY, open: openSdk1 },
  '@modelcontextprotocol/client 2, modern': { version: MODERN, open: (connecting) => openSdk(connecting, { pin: MODERN }) },
  '@modelcontextprotocol/client 2, legacy': { version: LEGACY, open: (connecting) => openSdk(connecting, 'legacy') },
  '@ai-sdk/mcp': { version: MODERN, open: openAiSdk },
  '@openai/agents': { version: MODERN, open: openOpenAi },
};
