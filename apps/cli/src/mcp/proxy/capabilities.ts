import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isObject } from '../../files/json-file.ts';

/** Parts of the protocol that are not decided by the gateway, and that a person may allow by name. */
export const OPTIONAL_FEATURES = ['resources', 'prompts', 'sampling', 'roots', 'elicitation'] as const;
export type OptionalFeature = (typeof OPTIONAL_FEATURES)[number];
export type Allowed = ReadonlySet<OptionalFeature>;

export const isOptionalFeature = (value: string): value is OptionalFeature => OPTIONAL_FEATURES.some((feature) => feature === value);

const ALWAYS: readonly string[] = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'logging/setLevel',
  'subscriptions/listen',
];

/** Requests of a client by the feature that they belong to. Any other request is refused. */
const CLIENT_FEATURES: Readonly<Record<string, readonly OptionalFeature[]>> = {
  'resources/list': ['resources'],
  'resources/templates/list': ['resources'],
  'resources/read': ['resources'],
  'resources/subscribe': ['resources'],
  'resources/unsubscribe': ['resources'],
  'prompts/list': ['prompts'],
  'prompts/get': ['prompts'],
  'completion/complete': ['resources', 'prompts'],
};

/** Requests of a server, by the feature that they belong to. */
const SERVER_FEATURES: Readonly<Record<string, OptionalFeature>> = {
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
  'elicitation/create': 'elicitation',
};

export const mayClientRequest = (allowed: Allowed, method: string): boolean =>
  ALWAYS.includes(method) || (Object.hasOwn(CLIENT_FEATURES, method) && (CLIENT_FEATURES[method] ?? []).some((each) => allowed.has(each)));

export const mayServerRequest = (allowed: Allowed, method: string): boolean => {
  if (method === 'ping') return true;
  const feature = Object.hasOwn(SERVER_FEATURES, method) ? SERVER_FEATURES[method] : undefined;
  return feature !== undefined && allowed.has(feature);
};

const SERVER_CAPABILITIES: Readonly<Record<string, (allowed: Allowed) => boolean>> = {
  tools: () => true,
  logging: () => true,
  resources: (allowed) => allowed.has('resources'),
  prompts: (allowed) => allowed.has('prompts'),
  completions: (allowed) => allowed.has('resources') || allowed.has('prompts'),
};

const CLIENT_CAPABILITIES: Readonly<Record<string, (allowed: Allowed) => boolean>> = {
  sampling: (allowed) => allowed.has('sampling'),
  roots: (allowed) => allowed.has('roots'),
  elicitation: (allowed) => allowed.has('elicitation'),
};

const keep = (capabilities: unknown, rows: Readonly<Record<string, (allowed: Allowed) => boolean>>, allowed: Allowed): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(capabilities) ? capabilities : {}).filter(([name]) => Object.hasOwn(rows, name) && rows[name]?.(allowed)),
  );

/** The description of a server, without the capabilities that are refused. */
export const keepServerCapabilities = (result: JsonObject, allowed: Allowed): JsonObject => ({
  ...result,
  capabilities: keep(result.capabilities, SERVER_CAPABILITIES, allowed),
});

const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Parameters of a request, without the capabilities of the client that a server may not use. */
export const keepClientCapabilities = (params: JsonObject, allowed: Allowed): JsonObject => {
  const { capabilities, _meta } = params;
  const meta = isObject(_meta) && META_CAPABILITIES in _meta ? _meta : undefined;
  return {
    ...params,
    ...(capabilities === undefined ? {} : { capabilities: keep(capabilities, CLIENT_CAPABILITIES, allowed) }),
    ...(meta === undefined ? {} : { _meta: { ...meta, [META_CAPABILITIES]: keep(meta[META_CAPABILITIES], CLIENT_CAPABILITIES, allowed) } }),
  };
};
