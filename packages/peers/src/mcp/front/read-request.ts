/** Reads what MCP clients send to the gateway: which revision of the protocol a message is of, and whether it keeps that revision's rules. */
import { decodeHeaderValue } from './header-value.ts';

type Members = Readonly<Record<string, unknown>>;

/** Revisions without sessions. Each request states its version. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];
/** Revisions that begin with `initialize`, oldest first. */
const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Error codes of JSON-RPC and of the protocol. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
  /** Outside the range that the protocol reserves: the service refused the request. */
  refused: -31_000,
} as const;

export type RpcId = string | number;

/** A message that breaks a rule of the protocol. */
export type RpcFault = { readonly status: number; readonly code: number; readonly message: string; readonly data?: Members };

/** A request, or a notification if `id` is undefined. */
export type McpMessage = {
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: Members;
  readonly meta: Members;
  readonly isModern: boolean;
  /** Name and version of the client, by its own account. */
  readonly clientName: string | undefined;
  readonly progressToken: RpcId | undefined;
};

export type ReadHeader = (name: string) => string | undefined;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is RpcId => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';

/** Parameters that the header `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

const fault = (status: number, code: number, message: string, data?: Members): RpcFault => ({
  ...{ status, code, message },
  ...(data === undefined ? {} : { data }),
});

const mismatch = (header: string, says: string): RpcFault =>
  fault(400, RPC_CODES.headerMismatch, `The header ${header} ${says}. Send it as the body has it.`, { header });

const unsupported = (requested: unknown): RpcFault =>
  fault(400, RPC_CODES.unsupportedVersion, 'The version of the protocol is not supported.', {
    supported: MODERN_VERSIONS,
    requested: typeof requested === 'string' ? requested : null,
  });

const headerFault = (header: ReadHeader, method: string, params: Members): RpcFault | undefined => {
  const stated = header('mcp-method');
  if (stated === undefined) return mismatch('Mcp-Method', 'is missing');
  if (stated !== method) return mismatch('Mcp-Method', 'differs from the method of the message');
  const member = NAMED[method];
  if (member === undefined) return undefined;
  const name = header('mcp-name');
  if (name === undefined) return mismatch('Mcp-Name', 'is missing');
  return decodeHeaderValue(name) === params[member] ? undefined : mismatch('Mcp-Name', `differs from params.${member} of the message`);
};

/** Checks what every modern request has to state. */
const modernFault = (header: ReadHeader, method: string, params: Members, meta: Members): RpcFault | undefined => {
  const version = meta[VERSION];
  const stated = header('mcp-protocol-version');
  if (version === undefined && stated !== undefined && !MODERN_VERSIONS.includes(stated)) return unsupported(stated);
  if (typeof version !== 'string') return fault(400, RPC_CODES.invalidParams, `params._meta must contain ${VERSION}.`);
  if (!isMembers(meta[CAPABILITIES])) return fault(400, RPC_CODES.invalidParams, `params._meta must contain ${CAPABILITIES}.`);
  if (stated === undefined) return mismatch('MCP-Protocol-Version', 'is missing');
  if (stated !== version) return mismatch('MCP-Protocol-Version', 'differs from the version in params._meta');
  if (!MODERN_VERSIONS.includes(version)) return unsupported(version);
  return headerFault(header, method, params);
};

const readName = (client: unknown): string | undefined =>
  isMembers(client) && typeof client.name === 'string' ? client.name.slice(0, 100) : undefined;

/** Reads one message. A modern one states its version in `_meta`; a client that has agreed on a legacy version states that one in a header alone. */
export const readMessage = (body: Members, header: ReadHeader): McpMessage | RpcFault => {
  const { jsonrpc, method, id, params = {} } = body;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method === '' || (id !== undefined && !isId(id)))
    return fault(400, RPC_CODES.invalidRequest, 'The body must be one JSON-RPC 2.0 request or notification.');
  if (!isMembers(params)) return fault(400, RPC_CODES.invalidParams, 'params must be an object.');
  const meta = isMembers(params._meta) ? params._meta : {};
  const stated = header('mcp-protocol-version');
  const isLegacyVersion = stated !== undefined && LEGACY_VERSIONS.includes(stated);
  const isModern = meta[VERSION] !== undefined || (!isLegacyVersion && (header('mcp-method') !== undefined || stated !== undefined));
  const broken =
    isModern && !(method === 'initialize' && meta[VERSION] === undefined) ? modernFault(header, method, params, meta) : undefined;
  if (broken) return broken;
  const { progressToken } = meta;
  return {
    ...{ id, method, params, meta, isModern },
    clientName: readName(meta[CLIENT] ?? params.clientInfo),
    progressToken: isId(progressToken) ? progressToken : undefined,
  };
};

export const isRpcFault = (read: McpMessage | RpcFault): read is RpcFault => 'code' in read;

/** The version that an `initialize` request is answered with: the client's if it is known, otherwise the newest legacy one. */
export const agreedVersion = (requested: unknown): string =>
  typeof requested === 'string' && LEGACY_VERSIONS.includes(requested) ? requested : '2025-11-25';
