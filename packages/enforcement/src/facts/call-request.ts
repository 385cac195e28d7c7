import type { McpEra } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { ExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';

/** A call of a tool of an MCP server, without its credential. */
export type McpRequest = {
  readonly url: string;
  readonly server_id: string;
  readonly era: McpEra;
  readonly protocol_version: string;
  readonly offer_kind: McpOfferKind;
  /** Name of the tool or prompt at the server; the address of a resource or of a template of resources. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The authorized definition. */
  readonly definition: string;
  readonly timeout_ms: number;
};

/** A request to a remote agent, without its credential. */
export type A2aRequest = {
  readonly url: string;
  readonly connection_id: string;
  readonly method: string;
  /** Members of the JSON-RPC request. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The task that the request continues, reads or cancels; null for a new one. */
  readonly task_id: string | null;
  /** Set if the gateway asks the remote agent for push notifications of the task. */
  readonly wants_push?: true;
};

/** The kinds of calls, each with its request. */
export type CallRequests = { readonly http: ExecutionRequest; readonly mcp: McpRequest; readonly a2a: A2aRequest };
export type CallKind = keyof CallRequests;

/** A request that is made for an action, by kind. */
export type CallRequest<Kind extends CallKind = CallKind> = { [Each in Kind]: { readonly kind: Each } & CallRequests[Each] }[Kind];
