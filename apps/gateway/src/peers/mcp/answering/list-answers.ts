import type { McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { McpAnswer } from '@svc/http/wires/mcp.ts';
import { KEY_MEMBERS } from '@svc/peers/mcp/definitions/offers.ts';
import { isPageMember } from '@svc/peers/mcp/definitions/page-member.ts';
import { listServers, type McpOffer } from './offered-tools.ts';
import type { McpRpcRequest } from './start-call.ts';

type Members = Readonly<Record<string, unknown>>;

/** Clients may keep lists and greetings for this time. */
export const LIST_TTL_MS = 5_000;

/** Lists by method, each with its member of the answer and what it holds. */
const LISTS: Readonly<Record<string, { readonly member: string; readonly kind: McpOfferKind }>> = {
  'tools/list': { member: 'tools', kind: 'TOOL' },
  'resources/list': { member: 'resources', kind: 'RESOURCE' },
  'resources/templates/list': { member: 'resourceTemplates', kind: 'RESOURCE_TEMPLATE' },
  'prompts/list': { member: 'prompts', kind: 'PROMPT' },
};

export const isListMethod = (method: string): boolean => Object.hasOwn(LISTS, method);

/** Returns the authorized definition, byte for byte; on the endpoint of all servers with the exposed name. */
const definitionText = ({ name, tool: { mcp } }: McpOffer): string => {
  // The name of a member may contain escapes.
  const isPlain = !/_meta|\\u/.test(mcp.definition);
  if (name === mcp.upstream_name && isPlain) return mcp.definition;
  const { _meta, ...definition } = JSON.parse(mcp.definition) as Record<string, unknown>;
  const given = Object.entries((_meta ?? {}) as Record<string, unknown>);
  const meta = given.filter(([member]) => !isPageMember(member));
  if (name === mcp.upstream_name && meta.length === given.length) return mcp.definition;
  const exposed = { [KEY_MEMBERS[mcp.offer_kind]]: name };
  return JSON.stringify({ ...definition, ...exposed, ...(meta.length === 0 ? {} : { _meta: Object.fromEntries(meta) }) });
};

/** Answers a request for a list with what the agent may call. */
export const listOffers = (request: McpRpcRequest, shown: readonly McpOffer[], all: readonly McpOffer[]): McpAnswer => {
  const { member, kind } = LISTS[request.method] ?? { member: 'tools', kind: 'TOOL' };
  const meta = JSON.stringify({ 'svc/servers': listServers(all) });
  const modern = request.isModern ? `"resultType":"complete","ttlMs":${LIST_TTL_MS},"cacheScope":"private",` : '';
  const entries = shown.filter(({ tool }) => tool.mcp.offer_kind === kind).map(definitionText);
  const text = `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":{${modern}"${member}":[${entries.join(',')}],"_meta":${meta}}}`;
  return { status: 200, message: text };
};

/**
 * Returns the capabilities of an endpoint. Resources and prompts are stated only if there are any. Changes of a list are not announced, since a client
 * may keep it for five seconds only, and resources are not subscribed to.
 */
export const describeCapabilities = (offered: readonly McpOffer[], { isModern }: Pick<McpRpcRequest, 'isModern'>): Members => {
  const has = (...kinds: readonly McpOfferKind[]): boolean => offered.some(({ tool }) => kinds.includes(tool.mcp.offer_kind));
  const stated = isModern ? {} : { listChanged: false };
  return {
    tools: stated,
    ...(has('RESOURCE', 'RESOURCE_TEMPLATE') ? { resources: isModern ? {} : { subscribe: false, ...stated } } : {}),
    ...(has('PROMPT') ? { prompts: stated } : {}),
  };
};
