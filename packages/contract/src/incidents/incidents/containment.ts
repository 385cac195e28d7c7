import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, nullable, reason } from '../../rows/schema.ts';
import { ERROR_CODES } from '../../tables/errors.ts';
import { LIMITS } from '../../tables/limits.ts';
import { ControlBlastRadius, confirmBlastRadius, controlTarget, EMERGENCY_CONTROLS, Undo } from '../emergency/emergency-shapes.ts';
import { CONTROL_EVENTS } from '../emergency.ts';
import { IncidentDetail } from './incident-shapes.ts';

const row = { plane: 'control', area: 'incidents', credential: 'caller', budget: 'emergency', wire: 'json', emergency: true } as const;
const { stepsMax } = LIMITS.incidents;

const step = { control: enumSchema(EMERGENCY_CONTROLS), target: controlTarget };
const refused = {
  code: nullable(enumSchema(ERROR_CODES, 'Error code; null if the step is not refused.')),
  message: nullable(Type.String()),
};

export const PreviewedStep = closedObject({ ...step, ...refused, blast_radius: nullable(ControlBlastRadius) });
export type PreviewedStep = Static<typeof PreviewedStep>;

export const ContainedStep = closedObject({
  ...step,
  outcome: enumSchema(['CHANGED', 'UNCHANGED', 'REFUSED'] as const),
  execution_id: nullable(Type.String({ description: 'Execution id (emx_).' })),
  blast_radius: nullable(ControlBlastRadius),
  undo: nullable(Undo),
  ...refused,
});
export type ContainedStep = Static<typeof ContainedStep>;

export const containmentEndpoints = {
  previewContainment: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/incidents/{incidentId}/contain/preview',
    summary: `Preview up to ${stepsMax} containment steps of an incident.`,
    permissions: ['incident:read'],
    body: closedObject({ steps: Type.Array(closedObject(step), { minItems: 1, maxItems: stepsMax }) }),
    writesNothing: 'always',
    result: closedObject({ steps: Type.Array(PreviewedStep) }),
    emits: [],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  containIncident: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/incidents/{incidentId}/contain',
    summary:
      'Contain an incident. Each step is an emergency control, which requires emergency:execute and a step-up; without steps, the reason states how it is contained.',
    permissions: ['incident:update'],
    mayNeed: ['emergency:execute', 'step_up'],
    body: closedObject({
      reason,
      steps: Type.Optional(Type.Array(closedObject({ ...step, confirm_blast_radius: confirmBlastRadius }), { maxItems: stepsMax })),
    }),
    result: closedObject({ incident: IncidentDetail, steps: Type.Array(ContainedStep) }),
    emits: ['incident.contained', 'incident.updated', ...CONTROL_EVENTS],
    refuses: [
      ...([
        'NOT_FOUND',
        'INVALID_STATE_TRANSITION',
        'PERMISSION_DENIED',
        'STEP_UP_REQUIRED',
        'VALIDATION_FAILED',
        'UNPROCESSABLE',
      ] as const),
      'CONFLICT',
    ],
    automation: { limit: 'No steps: each is an emergency control.' },
  }),
};
