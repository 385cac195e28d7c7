import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, cursorPage, enumSchema, reason, wholeNumber } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { RuntimeFinding } from './runtime-findings/finding-shapes.ts';
import { FINDING_KINDS, FINDING_SEVERITIES, FINDING_STATUSES } from './runtimes/vocabulary.ts';

const { runtimeFindings } = LIMITS;
const row = { plane: 'control', area: 'runtimes', credential: 'caller', budget: 'caller', wire: 'json' } as const;

export const runtimeFindingEndpoints = {
  listRuntimeFindings: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/runtime-findings',
    summary: 'Search the findings of runtimes, newest first.',
    permissions: ['runtime:read'],
    query: closedObject({
      cursor: Type.Optional(Type.String({ maxLength: 2000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      runtime_id: Type.Optional(Type.String({ maxLength: 64 })),
      environment_id: Type.Optional(Type.String({ maxLength: 64 })),
      workflow_id: Type.Optional(Type.String({ maxLength: 200, description: 'Id of a workflow at the instance.' })),
      kind: Type.Optional(enumSchema(FINDING_KINDS)),
      severity: Type.Optional(enumSchema(FINDING_SEVERITIES, 'This severity or a higher one.')),
      status: Type.Optional(enumSchema(FINDING_STATUSES)),
      dormant: Type.Optional(enumSchema(['true', 'false'] as const)),
    }),
    result: cursorPage(RuntimeFinding),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  acceptRuntimeFinding: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/runtime-findings/{findingId}/accept',
    summary: 'Accept the risk of a finding until a given day. A change of the finding ends the acceptance.',
    permissions: ['runtime:operate'],
    body: closedObject({
      reason,
      expires_in_days: Type.Optional(
        wholeNumber(
          1,
          runtimeFindings.acceptanceDaysMax,
          `Days until the finding is open again. Default: ${runtimeFindings.defaultAcceptanceDays}; at most ${runtimeFindings.criticalAcceptanceDaysMax} for a CRITICAL finding.`,
        ),
      ),
    }),
    result: RuntimeFinding,
    emits: ['risk.acknowledged', 'compliance.control_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
  }),
  withdrawRuntimeFindingAcceptance: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/runtime-findings/{findingId}/acceptance',
    summary: 'Withdraw the acceptance of a finding, which is open again.',
    permissions: ['runtime:operate'],
    result: RuntimeFinding,
    emits: ['risk.acknowledged', 'compliance.control_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
