import { Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, listQuery, reason } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { newProvider, TrustProvider } from './trust-shapes.ts';
import { PROVIDER_STATUSES } from './vocabulary.ts';

const row = { plane: 'control', area: 'risk', credential: 'caller', budget: 'caller', wire: 'json' } as const;

export const trustProviderEndpoints = {
  listTrustProviders: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/trust/providers',
    summary: 'List the providers of trust evidence, newest first.',
    permissions: ['trust:read'],
    query: Type.Object({ ...listQuery.properties, status: Type.Optional(enumSchema(PROVIDER_STATUSES)) }, { additionalProperties: false }),
    result: Type.Array(TrustProvider),
    emits: [],
    refuses: [],
  }),
  createTrustProvider: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/trust/providers',
    summary: 'Register a provider of trust evidence. It never changes: to replace one, disable it and register another.',
    permissions: ['trust:update'],
    stepUp: true,
    idempotent: true,
    bodyBytesMax: LIMITS.bodies.requestBytesMax,
    body: newProvider,
    example: {
      name: 'Security team',
      kind: 'KEYS',
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
      evidence_kinds: ['security_review'],
      max_level: 3,
    },
    result: TrustProvider,
    status: 201,
    emits: ['trust.provider_created'],
    refuses: ['ALREADY_EXISTS', 'PERMISSION_DENIED', 'UNPROCESSABLE', 'VALIDATION_FAILED'],
  }),
  getTrustProvider: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/trust/providers/{trustProviderId}',
    summary: 'Get a provider of trust evidence.',
    permissions: ['trust:read'],
    result: TrustProvider,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  disableTrustProvider: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/trust/providers/{trustProviderId}/disable',
    summary: 'Disable a provider. Its evidence counts for nothing from then on, and is revoked.',
    permissions: ['trust:update'],
    mayNeed: ['step_up'],
    body: closedObject({ reason }),
    result: TrustProvider,
    emits: ['trust.evidence_revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
    automation: { limit: 'Not if evidence of the provider lowers the level of an agent.' },
  }),
};
