import { type FakeMcpServer as Peer, startMcpServer } from '../peers/mcp-server.ts';
import { call, type TestResponse } from '../people/client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { type Governed, type GovernedOptions, newGoverned } from './governed.ts';

/** Settings of planes that may call this machine. */
export const MCP_ENV = {
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  SVC_CREDENTIALS_OVER_HTTP: 'true',
} as const;

/** An agent with a registered MCP server, whose tools are authorized by `authorize`. */
export type McpScene = Governed & {
  readonly peer: Peer;
  readonly serverId: string;
  readonly path: string;
  readonly discover: () => Promise<TestResponse>;
  /** Discovers, and authorizes a tool for the agent, which gets the capability. Returns the tool of the server. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly authorize: (name: string, more?: object) => Promise<any>;
  /** Sends a message of a modern client, whose headers repeat it. */
  readonly ask: (method: string, params?: object, options?: Asking) => Promise<TestResponse>;
  /** Sends a message of a legacy client. */
  readonly askLegacy: (method: string, params?: object, options?: Asking) => Promise<TestResponse>;
  readonly close: () => Promise<void>;
};

type Asking = {
  readonly path?: string;
  readonly gateway?: number;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
};

let messages = 0;

/** A call that takes long is answered by a stream, whose last message is the response. */
const readLast = (answer: TestResponse): TestResponse => {
  const last = answer.json === undefined ? answer.text.split('\n').findLast((line) => line.startsWith('data: ')) : undefined;
  return last === undefined ? answer : { ...answer, json: JSON.parse(last.slice('data: '.length)) };
};

const must = (answer: TestResponse): TestResponse => {
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
};

export const newMcpScene = async (
  planes: Planes,
  { era = 'MODERN', ...options }: GovernedOptions & { readonly era?: 'MODERN' | 'LEGACY' } = {},
): Promise<McpScene> => {
  const governed = await newGoverned(planes, options);
  const { owner, tenant, agent } = governed;
  const peer = await startMcpServer(era);
  const body = { name: 'Test server', environment_id: tenant.environment_id, transport: { type: 'HTTP', url: peer.url } };
  const registered = await owner('POST', '/v1/mcp/servers', body);
  if (registered.status !== 201) throw new Error(registered.text);
  const serverId: string = registered.json.id;
  const server = `/v1/mcp/servers/${serverId}`;
  const path = `/gateway/v1/mcp/${serverId}`;
  const discover = () => owner('POST', `${server}/discover`, {});
  const send = async (
    message: object,
    headers: Readonly<Record<string, string>>,
    { path: at = path, gateway = 0, token, signal, ...more }: Asking,
  ) => {
    const answer = await call(planes.gatewayUrls[gateway] ?? planes.gatewayUrl, 'POST', at, {
      token: token ?? governed.token,
      body: message,
      headers: { accept: 'application/json, text/event-stream', ...headers, ...more.headers },
      ...(signal ? { signal } : {}),
    });
    return readLast(answer);
  };
  const next = () => {
    messages += 1;
    return messages;
  };
  return {
    ...governed,
    ...{ peer, serverId, path, discover },
    authorize: async (name, more = {}) => {
      const { json } = must(await discover());
      const tool = json.tools.find((each: { name: string }) => each.name === name);
      const { json: authorized } = must(
        await owner('POST', `${server}/tools/${tool.id}/authorize`, {
          pin: tool.pin,
          required_capability: 'pay',
          agent_ids: [agent.id],
          ...more,
        }),
      );
      return authorized;
    },
    ask: (method, params = {}, asking = {}) => {
      const { _meta, ...rest } = params as { readonly _meta?: object; readonly name?: string; readonly uri?: string };
      const message = { jsonrpc: '2.0', id: next(), method, params: { ...rest, _meta: { ...MODERN_META, ..._meta } } };
      const stated = rest.uri ?? rest.name;
      const name = stated === undefined ? {} : { 'mcp-name': stated };
      return send(message, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name }, asking);
    },
    askLegacy: (method, params = {}, asking = {}) =>
      send({ jsonrpc: '2.0', id: next(), method, params }, { 'mcp-protocol-version': '2025-11-25' }, asking),
    close: peer.close,
  };
};
