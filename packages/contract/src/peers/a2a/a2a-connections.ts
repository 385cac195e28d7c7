import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, id, listQuery, name, nullable, reason, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';

export const A2A_STATUSES = ['PENDING', 'VERIFIED', 'STALE', 'BLOCKED'] as const;
export type A2aStatus = (typeof A2A_STATUSES)[number];

/** OUTBOUND: agents send messages to the remote agent. INBOUND: the remote agent sends messages to one agent. */
export const A2A_DIRECTIONS = ['OUTBOUND', 'INBOUND'] as const;
export type A2aDirection = (typeof A2A_DIRECTIONS)[number];

/** Proof of a verification: the signed card alone, or also the response to a challenge. */
export const A2A_PROOFS = ['CARD', 'CARD_AND_CHALLENGE'] as const;
export type A2aProof = (typeof A2A_PROOFS)[number];

/** The checks of a verification, in their order. The first that fails ends it. */
export const A2A_CHECKS = ['REACHABLE', 'CARD', 'INTERFACE', 'SIGNATURE', 'NEWNESS', 'CHALLENGE'] as const;
export type A2aCheckName = (typeof A2A_CHECKS)[number];

export const A2aKey = closedObject(
  {
    kty: Type.Union([Type.Literal('OKP'), Type.Literal('EC')]),
    crv: Type.Union([Type.Literal('Ed25519'), Type.Literal('P-256')]),
    x: Type.String({ minLength: 1, maxLength: 64 }),
    y: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    kid: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: the RFC 7638 thumbprint.' })),
    alg: Type.Optional(Type.String({ maxLength: 20 })),
    use: Type.Optional(Type.Literal('sig')),
  },
  'Public JSON Web Key: Ed25519 (EdDSA) or P-256 (ES256).',
);
export type A2aKey = Static<typeof A2aKey>;

export const A2aCheck = closedObject({
  check: enumSchema(A2A_CHECKS),
  ok: Type.Boolean(),
  explanation: Type.String({ description: 'Result of the check, and the remedy if it failed.' }),
});
export type A2aCheck = Static<typeof A2aCheck>;

export const A2aCard = closedObject({
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  organization: nullable(Type.String({ description: 'Provider that the card states.' })),
  skills: Type.Array(Type.String()),
  url: Type.String({ description: 'Address that messages are sent to.' }),
  tenant: nullable(Type.String()),
  streaming: Type.Boolean(),
  push_notifications: Type.Optional(
    Type.Boolean({
      description: 'True if the remote agent sends push notifications. Missing if the card was verified by an earlier version.',
    }),
  ),
  hash: Type.String({ description: 'SHA-256 of the card as it was served, in hex.' }),
});
export type A2aCard = Static<typeof A2aCard>;

export const A2aConnection = closedObject({
  id: id('Connection id (a2a_).'),
  name: Type.String(),
  slug: Type.String({ description: 'Second part of the name of its tool, a2a.{slug}. Never changes.' }),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  direction: enumSchema(A2A_DIRECTIONS, 'OUTBOUND: agents send messages to the remote agent. INBOUND: it sends messages to one agent.'),
  agent_id: nullable(Type.String({ description: 'Agent that receives the messages of an INBOUND connection.' })),
  agent_url: nullable(Type.String({ description: 'Address of the A2A endpoint of that agent.' })),
  card_url: Type.String(),
  keys: Type.Array(A2aKey),
  credential_id: nullable(Type.String()),
  status: enumSchema(
    A2A_STATUSES,
    'PENDING: not verified yet. STALE: verified once, but the last verification failed. BLOCKED: stopped by a person or an API key. Only VERIFIED can be used.',
  ),
  status_reason: nullable(Type.String()),
  proof: nullable(enumSchema(A2A_PROOFS, 'CARD: the remote agent offers no challenge, so only its card was verified.')),
  verified_key: nullable(Type.String({ description: 'The kid of the registered key that the card is signed with.' })),
  verified_at: nullable(timestamp),
  verified_by: nullable(Type.String()),
  checks: Type.Array(A2aCheck, { description: 'Checks of the last verification.' }),
  card: nullable(A2aCard),
  tool_id: Type.String({ description: 'The governed tool. Agents are authorized for it like for any other tool.' }),
  tool_name: Type.String(),
  required_capability: Type.String(),
  endpoint: Type.String({
    description: 'Address that A2A messages are sent to: by agents, or by the remote agent of an INBOUND connection.',
  }),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type A2aConnection = Static<typeof A2aConnection>;

const CARD_URL = 'https://agent.partner.example/.well-known/agent-card.json';
const url = (description: string, example: string) => Type.String({ minLength: 1, maxLength: 2_000, examples: [example], description });
const keys = Type.Array(A2aKey, {
  minItems: 1,
  maxItems: LIMITS.a2a.keysMax,
  description: 'Keys that the card may be signed with, obtained from the partner on another way than the card.',
});

const row = { plane: 'control', area: 'peers', credential: 'caller', budget: 'caller', wire: 'json' } as const;

export const a2aConnectionEndpoints = {
  listA2aConnections: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/a2a/connections',
    summary: 'List the connections to remote agents, newest first.',
    permissions: ['a2a:read'],
    query: closedObject({ ...listQuery.properties, environment_id: Type.Optional(Type.String({ maxLength: 64 })) }),
    result: Type.Array(A2aConnection),
    emits: [],
    refuses: [],
  }),
  registerA2aConnection: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/a2a/connections',
    summary: 'Register a connection to a remote agent. Nothing is sent over it until it is verified.',
    permissions: ['a2a:connect'],
    mayNeed: ['credential:create'],
    idempotent: true,
    body: closedObject({
      name: name('Name, unique in the environment. The slug is derived from it.'),
      environment_id: id('Environment whose agents may use it.'),
      card_url: url('Address of the agent card.', CARD_URL),
      keys,
      credential_id: Type.Optional(
        nullable(id('Credential that authenticates the gateway to the agent that it sends to. It names the tool a2a.{slug}.')),
      ),
      direction: Type.Optional(enumSchema(A2A_DIRECTIONS, 'Default: OUTBOUND.')),
      agent_id: Type.Optional(nullable(id('Agent that receives the messages. Required for INBOUND.'))),
      agent_url: Type.Optional(
        nullable(url('Address of the A2A endpoint of that agent. Required for INBOUND.', 'https://rooms.example/a2a')),
      ),
    }),
    example: {
      name: 'Partner',
      environment_id: 'env_00000000000000000000000000',
      card_url: 'https://agent.partner.example/.well-known/agent-card.json',
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
    },
    result: A2aConnection,
    status: 201,
    emits: ['a2a.connection_created', 'tool.created'],
    refuses: [
      ...(['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE', 'INVALID_STATE_TRANSITION'] as const),
      ...(['UNPROCESSABLE', 'PERMISSION_DENIED'] as const),
    ],
    automation: 'ALLOWED',
  }),
  getA2aConnection: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/a2a/connections/{a2aConnectionId}',
    summary: 'Get a connection to a remote agent.',
    permissions: ['a2a:read'],
    result: A2aConnection,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateA2aConnection: defineEndpoint({
    ...row,
    method: 'PATCH',
    path: '/v1/a2a/connections/{a2aConnectionId}',
    summary:
      'Change a connection. After a change of its card address or keys it is PENDING until it is verified again; a blocked one stays blocked.',
    permissions: ['a2a:update'],
    mayNeed: ['credential:create'],
    body: closedObject({
      name: Type.Optional(name('Name. The slug and the tool keep theirs.')),
      card_url: Type.Optional(url('Address of the agent card, of the same host and port.', CARD_URL)),
      keys: Type.Optional(keys),
      credential_id: Type.Optional(nullable(id('Credential, or null for none.'))),
      agent_url: Type.Optional(
        url('Address of the agent of an INBOUND connection, of the same host and port.', 'https://rooms.example/a2a'),
      ),
    }),
    result: A2aConnection,
    emits: ['a2a.connection_updated'],
    refuses: [...(['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE', 'PERMISSION_DENIED'] as const)],
    automation: 'ALLOWED',
  }),
  deleteA2aConnection: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/a2a/connections/{a2aConnectionId}',
    summary:
      'Remove a connection. Calls and streams in progress are stopped, and its tool is disabled. Its keys and history stay in the record.',
    permissions: ['a2a:block'],
    result: closedObject({ id: Type.String(), name: Type.String(), deleted_at: timestamp }),
    emits: ['a2a.connection_blocked', 'tool.disabled'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  verifyA2aConnection: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/a2a/connections/{a2aConnectionId}/verify',
    summary:
      'Read the agent card and verify its signature with a registered key. If the card offers a challenge, the remote agent has to sign one. A blocked connection is only verified with release, which requires a step-up.',
    permissions: ['a2a:update'],
    mayNeed: ['step_up'],
    bodyOptional: true,
    body: closedObject({ release: Type.Optional({ ...reason, description: 'Why a blocked connection is used again.' }) }),
    result: A2aConnection,
    emits: ['a2a.passport_verified', 'a2a.connection_updated'],
    refuses: [
      ...(['NOT_FOUND', 'PASSPORT_INVALID', 'INVALID_STATE_TRANSITION', 'STEP_UP_REQUIRED'] as const),
      ...(['EXECUTION_FAILED', 'EXECUTION_TIMEOUT', 'RATE_LIMITED'] as const),
    ],
    automation: { limit: 'Not to release a blocked connection.' },
  }),
  blockA2aConnection: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/a2a/connections/{a2aConnectionId}/block',
    summary: 'Block a connection to a remote agent. Calls and streams in progress are stopped.',
    permissions: ['a2a:block'],
    budget: 'emergency',
    emergency: true,
    body: closedObject({ reason }),
    result: A2aConnection,
    emits: ['a2a.connection_blocked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
