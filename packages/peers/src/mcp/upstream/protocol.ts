/** Words of the Model Context Protocol, and the requests that a client makes of them. */

/** MODERN: revision 2026-07-28, in which each request stands alone. LEGACY: the revisions that begin with `initialize`. */
export type Era = 'MODERN' | 'LEGACY';

export const MODERN_VERSION = '2026-07-28';
export const LEGACY_VERSION = '2025-11-25';
/** Revisions that a legacy server may choose. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', LEGACY_VERSION];

/** The name and version that requests state. Discovery and calls use the same, so that a server cannot distinguish them. */
export type ClientInfo = { readonly name: string; readonly version: string };

/** How one server is spoken to. `sessionId` only with a legacy server that gave one. */
export type Dialect = { readonly era: Era; readonly protocolVersion: string; readonly sessionId?: string | undefined };

/** One JSON-RPC message to a server. `name` is the value of the header `Mcp-Name`. */
export type McpRpcMessage = {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly progressToken?: string | number;
};

const PLAIN_VALUE = /^[\x21-\x7e]([\x20-\x7e\t]{0,8192}[\x21-\x7e])?$/;
const SENTINEL_START = '=?base64?';
const SENTINEL_END = '?=';

/** Encodes a header value: as it is if it is plain ASCII, otherwise as `=?base64?...?=`. */
export const encodeHeaderValue = (value: string): string => {
  const isSentinel = value.startsWith(SENTINEL_START) && value.endsWith(SENTINEL_END);
  if (PLAIN_VALUE.test(value) && !isSentinel) return value;
  return `${SENTINEL_START}${Buffer.from(value).toString('base64')}${SENTINEL_END}`;
};

const buildMeta = (dialect: Dialect, clientInfo: ClientInfo, progressToken: McpRpcMessage['progressToken']): Record<string, unknown> => ({
  ...(dialect.era === 'LEGACY'
    ? {}
    : {
        'io.modelcontextprotocol/protocolVersion': dialect.protocolVersion,
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      }),
  ...(progressToken === undefined ? {} : { progressToken }),
});

const dialectHeaders = ({ era, protocolVersion, sessionId }: Dialect, { method, name }: McpRpcMessage): Record<string, string> => {
  // A legacy client states the version only once it is agreed.
  if (method === 'initialize') return {};
  if (era === 'LEGACY')
    return { 'mcp-protocol-version': protocolVersion, ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }) };
  return {
    'mcp-protocol-version': protocolVersion,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': encodeHeaderValue(name) }),
  };
};

/** Builds the headers and the body of one request or notification. */
export const buildMessage = (
  dialect: Dialect,
  message: McpRpcMessage,
  clientInfo: ClientInfo,
): { readonly headers: Record<string, string>; readonly body: string } => {
  const { id, method, params = {}, progressToken } = message;
  const meta = buildMeta(dialect, clientInfo, progressToken);
  const withMeta = Object.keys(meta).length === 0 ? params : { _meta: meta, ...params };
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...dialectHeaders(dialect, message),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params: withMeta }),
  };
};
