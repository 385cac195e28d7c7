import { isUriOfTemplate } from '@svc/domain/peers/mcp/uri-template.ts';
import type { McpMessage } from '@svc/peers/mcp/front/read-request.ts';
import type { McpOffer } from './offered-tools.ts';

type Members = Readonly<Record<string, unknown>>;

/** Methods that call what a server offers, with the noun for messages. */
export const CALL_METHODS = { 'tools/call': 'tool', 'resources/read': 'resource', 'prompts/get': 'prompt' } as const;
export type CallMethod = keyof typeof CALL_METHODS;

export const isCallMethod = (method: string): method is CallMethod => Object.hasOwn(CALL_METHODS, method);

/** The tool, resource or prompt that a request calls. `offered` is undefined if nothing of the environment has the name. */
export type Target = {
  readonly method: CallMethod;
  /** The name, or the address of the resource, in the request. */
  readonly name: string;
  readonly offered: McpOffer | undefined;
  readonly arguments: Members;
};

/** A request that names nothing to call. */
type TargetFault = { readonly fault: string };

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const isOfKind = (kind: McpOffer['tool']['mcp']['offer_kind'], { tool }: McpOffer): boolean => tool.mcp.offer_kind === kind;

/** A resource before the templates: one that was withdrawn must not be read through a template. An address of two templates is of neither. */
const findResource = (uri: string, offered: readonly McpOffer[]): McpOffer | TargetFault | undefined => {
  const exact = offered.find((each) => isOfKind('RESOURCE', each) && each.name === uri);
  if (exact) return exact;
  const matching = offered.filter((each) => isOfKind('RESOURCE_TEMPLATE', each) && isUriOfTemplate(each.name, uri));
  if (matching.length < 2) return matching[0];
  return { fault: `params.uri is an address of ${matching.length} templates of resources. Ask for a narrower one.` };
};

/** Finds the tool, resource or prompt that a request calls, among all that are offered at its endpoint. */
export const findTarget = (
  method: CallMethod,
  { params }: Pick<McpMessage, 'params'>,
  offered: readonly McpOffer[],
): Target | TargetFault => {
  if (method === 'resources/read') {
    const { uri } = params;
    if (typeof uri !== 'string' || uri === '') return { fault: 'params.uri must be the address of a resource.' };
    const found = findResource(uri, offered);
    if (found !== undefined && 'fault' in found) return found;
    return { method, name: uri, offered: found, arguments: { uri: uri.slice(found?.prefix.length ?? 0) } };
  }
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string' || name === '') return { fault: `params.name must be the name of a ${CALL_METHODS[method]}.` };
  if (!isMembers(given)) return { fault: 'params.arguments must be an object.' };
  const kind = method === 'tools/call' ? 'TOOL' : 'PROMPT';
  return { method, name, offered: offered.find((each) => isOfKind(kind, each) && each.name === name), arguments: given };
};

export const isTargetFault = (found: Target | TargetFault): found is TargetFault => 'fault' in found;
