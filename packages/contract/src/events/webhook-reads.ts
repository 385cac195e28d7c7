import type { WebhookEventType } from '../tables/events.ts';
import type { Permission } from '../tables/permissions.ts';

type Prefix<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never;

/** Permissions required to deliver events, by the first word of the type: those that read the resource itself. */
const READS = {
  a2a: 'a2a:read',
  action: 'action:read',
  agent: 'agent:read',
  approval: 'approval:read',
  credential: 'credential:read',
  delegation: 'delegation:read',
  incident: 'incident:read',
  mcp: 'mcp:read',
  policy: 'policy:read',
  risk: 'risk:read',
  security: 'incident:read',
  trust: 'trust:read',
} as const satisfies Record<Prefix<WebhookEventType>, Permission>;

/** All of these permissions. */
export const READS_OF_WEBHOOKS = [
  'a2a:read',
  'action:read',
  'agent:read',
  'approval:read',
  'credential:read',
  'delegation:read',
  'incident:read',
  'mcp:read',
  'policy:read',
  'risk:read',
  'trust:read',
] as const satisfies readonly (typeof READS)[keyof typeof READS][];

/** Returns the permissions that a subscriber to these types must hold. */
export const getReads = (types: readonly string[]): Permission[] => [
  ...new Set(types.flatMap((type) => Object.entries(READS).flatMap(([noun, read]) => (type.startsWith(`${noun}.`) ? [read] : [])))),
];
