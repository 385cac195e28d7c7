import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { runtimeHooks: hooks } = LIMITS;
const row = {
  plane: 'gateway',
  area: 'runtimes',
  method: 'POST',
  credential: 'agent',
  budget: 'agent',
  sessionCheckedBy: 'door',
  wire: 'json',
} as const;

/** Moments at which a hook file asks. */
export const HOOK_EVENTS = [
  'workflow.create',
  'workflow.update',
  'workflow.activate',
  'workflow.preExecute',
  'credentials.create',
  'credentials.update',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

const sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const word = (description: string) => Type.String({ minLength: 1, maxLength: hooks.wordCharsMax, description });

const HookRequest = closedObject({
  event: enumSchema(HOOK_EVENTS),
  workflow_id: Type.Optional(nullable(word('Id of the workflow at the instance; null for an inline one.'))),
  workflow_hash: Type.Optional(sha256('SHA-256 of the nodes and connections.')),
  node_types: Type.Optional(
    Type.Array(word('Node type.'), { maxItems: hooks.nodeTypesMax, description: 'Node types of the workflow, each once.' }),
  ),
  credential_type: Type.Optional(word('Type of the credential that is stored.')),
});
export type HookRequest = Static<typeof HookRequest>;

export const PROBE_RESULTS = ['BLOCKED', 'REACHED', 'NOT_KNOWN'] as const;

const Heartbeat = closedObject({
  process_id: Type.String({ pattern: '^[A-Za-z0-9-]{8,64}$', description: 'Identifies the process while it runs.' }),
  hook_sha256: sha256('SHA-256 of the hook file that runs.'),
  node_sha256: Type.Optional(nullable(sha256('SHA-256 over the installed files of the governed node; null if it is not installed.'))),
  nonce: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The nonce of the last response.' })),
  hook_proof: Type.Optional(sha256('SHA-256 of the nonce followed by the hook file.')),
  product_version: Type.Optional(Type.String({ maxLength: 40 })),
  levers: Type.Record(
    Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,63}$' }),
    nullable(sha256('SHA-256 of its value; null if it is not set.')),
    {
      maxProperties: hooks.leversMax,
      description: 'Settings of the bundle.',
    },
  ),
  probe: Type.Optional(
    closedObject({
      target: word('Address that was tried, host:port.'),
      result: enumSchema(PROBE_RESULTS, 'BLOCKED: the network refused it. NOT_KNOWN: the result shows nothing.'),
      age_seconds: Type.Integer({ minimum: 0, maximum: hooks.probeAgeSecondsMax }),
    }),
  ),
});
export type Heartbeat = Static<typeof Heartbeat>;

/** Endpoints that the hook file of a managed runtime calls. */
export const runtimeHookEndpoints = {
  askRuntimeHook: defineEndpoint({
    ...row,
    path: '/gateway/v1/runtimes/{runtimeId}/ask',
    summary: 'Ask whether a managed runtime may store or start a workflow. Its hook file fails closed without this answer.',
    body: HookRequest,
    example: { event: 'workflow.preExecute', workflow_id: 'w1', node_types: ['n8n-nodes-base.webhook'] },
    result: closedObject({ permitted: Type.Literal(true), cache_seconds: Type.Integer() }),
    emits: ['security.destination_blocked'],
    refuses: ['NOT_FOUND', 'AGENT_NOT_OPERATIONAL', 'DESTINATION_BLOCKED'],
  }),
  reportRuntimeHeartbeat: defineEndpoint({
    ...row,
    path: '/gateway/v1/runtimes/{runtimeId}/heartbeat',
    summary: 'Report what runs in a managed runtime: the hook file, the settings and what its network reaches.',
    body: Heartbeat,
    example: { process_id: '4f1c2d3e', hook_sha256: '0'.repeat(64), levers: { NODES_INCLUDE: null } },
    result: closedObject({
      received_at: timestamp,
      every_seconds: Type.Integer(),
      nonce: Type.String({ description: 'The next heartbeat answers it.' }),
    }),
    emits: [],
    refuses: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
};
