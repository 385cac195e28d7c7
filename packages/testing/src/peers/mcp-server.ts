import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Members = Readonly<Record<string, unknown>>;

/** A call that arrived at the server. */
export type ReceivedCall = { readonly name: string; readonly arguments: Members; readonly headers: IncomingHttpHeaders };

/** Result of a tool, or undefined if the test writes the response itself. */
export type ToolHandler = (
  received: ReceivedCall,
  response: ServerResponse,
  id: unknown,
) => Members | undefined | Promise<Members | undefined>;

/** A fake third-party MCP server. A test can change its tools and responses while it runs. */
export type FakeMcpServer = {
  readonly url: string;
  tools: Members[];
  resources: Members[];
  templates: Members[];
  prompts: Members[];
  /** Text of a resource, or of the message of a prompt. */
  read: (request: { readonly uri?: string; readonly name?: string; readonly arguments?: Members }) => Members;
  instructions: string | undefined;
  behave: ToolHandler;
  /** Called for each request before it is answered; true if the request was answered here. */
  before: (headers: IncomingHttpHeaders, response: ServerResponse, body: string) => boolean;
  readonly calls: ReceivedCall[];
  /** Number of listings that were requested. */
  listings: number;
  /** All bytes that arrived, as text. */
  readonly received: () => string;
  readonly close: () => Promise<void>;
};

export const echoTool = (name: string, more: Members = {}): Members => ({
  name,
  description: `Answers with what it is sent to ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, amount: { type: 'integer' } }, required: ['text'] },
  ...more,
});

const echo: ToolHandler = ({ arguments: given }) => ({
  content: [{ type: 'text', text: JSON.stringify(given) }],
  structuredContent: given,
});

const VERSIONS = { MODERN: '2026-07-28', LEGACY: '2025-11-25' } as const;

const readContent: FakeMcpServer['read'] = ({ uri, name, arguments: given }) =>
  uri === undefined
    ? { messages: [{ role: 'assistant', content: { type: 'text', text: `${name} ${JSON.stringify(given)}` } }] }
    : { contents: [{ uri, mimeType: 'text/plain', text: `content of ${uri}` }] };

const listItems = ({ resources, templates, prompts }: FakeMcpServer, method: string): Members | undefined =>
  ({
    'resources/list': { resources },
    'resources/templates/list': { resourceTemplates: templates },
    'prompts/list': { prompts },
  })[method];

const describeCapabilities = ({ resources, templates, prompts }: FakeMcpServer): Members => ({
  tools: {},
  ...(resources.length + templates.length > 0 ? { resources: {} } : {}),
  ...(prompts.length > 0 ? { prompts: {} } : {}),
});

type JsonRpcRequest = {
  readonly method?: string;
  readonly params?: { uri?: string; name?: string; arguments?: Members };
  readonly id?: unknown;
};

/** Responds to requests that list, read or call something; returns false for any other method. */
const respondToRequest = async (
  state: FakeMcpServer,
  { method = '', params = {}, id }: JsonRpcRequest,
  { headers, response, result }: { headers: IncomingHttpHeaders; response: ServerResponse; result: (value: Members) => void },
): Promise<boolean> => {
  if (method === 'tools/list') {
    state.listings += 1;
    result({ tools: state.tools });
    return true;
  }
  const list = listItems(state, method);
  if (list !== undefined) {
    result(list);
    return true;
  }
  const isRead = method === 'resources/read' || method === 'prompts/get';
  if (method !== 'tools/call' && !isRead) return false;
  const received = { name: params.uri ?? params.name ?? '', arguments: params.arguments ?? {}, headers };
  state.calls.push(received);
  const answer = isRead ? state.read(params) : await state.behave(received, response, id);
  if (answer !== undefined) result(answer);
  return true;
};

/** Starts a fake MCP server of one protocol version over streamable HTTP. */
export const startMcpServer = async (
  version: 'MODERN' | 'LEGACY' = 'MODERN',
  tools: Members[] = [echoTool('echo')],
): Promise<FakeMcpServer> => {
  const receivedTexts: string[] = [];
  const sessions = new Set<string>();
  const state: FakeMcpServer = {
    url: '',
    tools,
    resources: [],
    templates: [],
    prompts: [],
    read: readContent,
    instructions: undefined,
    behave: echo,
    before: () => false,
    calls: [],
    listings: 0,
    received: () => receivedTexts.join('\n'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    receivedTexts.push(JSON.stringify(request.headers), body);
    if (state.before(request.headers, response, body)) return;
    const json = (value: unknown, status = 200, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(value === undefined ? '' : JSON.stringify(value));
    };
    if (request.method !== 'POST') return json(undefined, 405);
    const { id, method, params = {} } = JSON.parse(body);
    const complete = version === 'MODERN' ? { resultType: 'complete' } : {};
    const result = (value: Members, headers: Record<string, string> = {}): void =>
      json({ jsonrpc: '2.0', id, result: { ...complete, ...value } }, 200, headers);
    const unknown = (): void =>
      json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }, version === 'MODERN' ? 404 : 200);
    const info = { serverInfo: { name: 'test-server', version: '1.0.0' }, capabilities: describeCapabilities(state) };
    const instructions = state.instructions === undefined ? {} : { instructions: state.instructions };
    if (version === 'MODERN' && method === 'server/discover')
      return result({ supportedVersions: [VERSIONS.MODERN], ...info, ...instructions, ttlMs: 1_000, cacheScope: 'private' });
    if (version === 'LEGACY' && method === 'initialize') {
      const session = `session-${sessions.size + 1}`;
      sessions.add(session);
      return result({ protocolVersion: VERSIONS.LEGACY, ...info, ...instructions }, { 'mcp-session-id': session });
    }
    if (version === 'LEGACY' && !sessions.has(String(request.headers['mcp-session-id'])))
      return json({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }, 404);
    if (id === undefined) return json(undefined, 202);
    const sent = { method, params, id };
    if (!(await respondToRequest(state, sent, { headers: request.headers, response, result }))) unknown();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
};
