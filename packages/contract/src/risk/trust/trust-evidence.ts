import { Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, listQuery, reason } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { EvidenceVerdict, newEvidence, TrustEvidence, TrustEvidenceWithDocument } from './trust-shapes.ts';
import { EVIDENCE_KINDS, EVIDENCE_STATUSES } from './vocabulary.ts';

const row = { plane: 'control', area: 'risk', credential: 'caller', budget: 'caller', wire: 'json' } as const;

const example = {
  agent_id: 'agt_00000000000000000000000000',
  provider_id: 'trp_00000000000000000000000000',
  kind: 'security_review',
  format: 'NONE',
  note: 'Reviewed the prompts and tools of the agent; no finding is open.',
  expires_at: '2030-01-31T00:00:00.000Z',
};

/** Endpoints that list, add, verify, get and revoke trust evidence about agents. */
export const trustEvidenceEndpoints = {
  listTrustEvidence: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/trust/evidence',
    summary: 'List trust evidence about agents, newest first.',
    permissions: ['trust:read'],
    query: Type.Object(
      {
        ...listQuery.properties,
        agent_id: Type.Optional(Type.String({ maxLength: 64 })),
        provider_id: Type.Optional(Type.String({ maxLength: 64 })),
        kind: Type.Optional(enumSchema(EVIDENCE_KINDS)),
        status: Type.Optional(enumSchema(EVIDENCE_STATUSES)),
      },
      { additionalProperties: false },
    ),
    result: Type.Array(TrustEvidence),
    emits: [],
    refuses: [],
  }),
  addTrustEvidence: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/trust/evidence',
    summary: 'Add evidence about an agent. It is verified against its provider, and must name this agent, its key or its artifact.',
    permissions: ['trust:update'],
    idempotent: true,
    bodyBytesMax: LIMITS.bodies.requestBytesMax,
    body: newEvidence,
    example,
    result: TrustEvidence,
    status: 201,
    emits: ['trust.evidence_added'],
    refuses: [
      'NOT_FOUND',
      'ALREADY_EXISTS',
      'INVALID_STATE_TRANSITION',
      'PERMISSION_DENIED',
      'RATE_LIMITED',
      'UNPROCESSABLE',
      'VALIDATION_FAILED',
    ],
    automation: { limit: 'Requires a document: only a person may state evidence without one.' },
  }),
  verifyTrustEvidence: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/trust/evidence/verify',
    summary: 'Verify evidence without adding it. Writes nothing; returns the result of every check.',
    permissions: ['trust:read'],
    bodyBytesMax: LIMITS.bodies.requestBytesMax,
    body: newEvidence,
    example,
    result: EvidenceVerdict,
    emits: [],
    refuses: ['NOT_FOUND', 'RATE_LIMITED', 'VALIDATION_FAILED'],
    writesNothing: 'always',
    automation: 'ALLOWED',
  }),
  getTrustEvidence: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/trust/evidence/{trustEvidenceId}',
    summary: 'Get a piece of trust evidence with its document.',
    permissions: ['trust:read'],
    result: TrustEvidenceWithDocument,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  revokeTrustEvidence: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/trust/evidence/{trustEvidenceId}/revoke',
    summary: 'Revoke a piece of trust evidence. The next decision no longer counts it, and the document cannot be added again.',
    permissions: ['trust:update'],
    mayNeed: ['step_up'],
    body: closedObject({ reason }),
    result: TrustEvidence,
    emits: ['trust.evidence_revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'STEP_UP_REQUIRED'],
    automation: { limit: 'Not allowed if the evidence lowers the trust level of the agent.' },
  }),
};
