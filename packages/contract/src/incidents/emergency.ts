import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, id, listQuery, nullable, reason, timestamp } from '../rows/schema.ts';
import {
  BlockedDestination,
  ControlBlastRadius,
  ControlFacts,
  ControlOutcome,
  confirmBlastRadius,
  controlTarget,
  EMERGENCY_CONTROLS,
  Undo,
} from './emergency/emergency-shapes.ts';

const row = { plane: 'control', area: 'incidents', credential: 'caller', wire: 'json' } as const;

export const CONTROL_EVENTS = [
  ...([
    'security.emergency_action_executed',
    'emergency.drill_completed',
    'agent.isolated',
    'environment.paused',
    'tool.disabled',
  ] as const),
  'session.revoked',
] as const;

const someControl = `Controls: ${EMERGENCY_CONTROLS.join(', ')}.`;

export const emergencyEndpoints = {
  listEmergencyControls: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/emergency',
    summary: 'List the emergency controls, with their last execution and drill.',
    budget: 'emergency',
    permissions: ['incident:read'],
    emergency: true,
    query: boundedListQuery,
    result: Type.Array(ControlFacts),
    emits: [],
    refuses: [],
  }),
  previewEmergencyControl: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/emergency/{control}/preview',
    summary: `Preview an emergency control: how many agents, tools or members it stops. ${someControl}`,
    budget: 'emergency',
    permissions: ['incident:read'],
    emergency: true,
    body: closedObject({ target: controlTarget }),
    example: { target: 'agt_00000000000000000000000000' },
    writesNothing: 'always',
    result: closedObject({ blast_radius: ControlBlastRadius, undo: nullable(Undo) }),
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
    automation: 'ALLOWED',
  }),
  executeEmergencyControl: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/emergency/{control}',
    summary: `Execute an emergency control. The number of its preview must be confirmed; repeating it changes nothing. ${someControl}`,
    budget: 'emergency',
    permissions: ['emergency:execute'],
    emergency: true,
    body: closedObject({
      target: controlTarget,
      reason,
      confirm_blast_radius: confirmBlastRadius,
      expires_at: Type.Optional({ ...timestamp, description: 'block-destination: time at which the block ends by itself.' }),
      incident_id: Type.Optional(id('Incident that it contains.')),
      drill: Type.Optional(Type.Boolean({ description: 'Practise: check everything and change nothing.' })),
    }),
    result: ControlOutcome,
    emits: CONTROL_EVENTS,
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE', 'PERMISSION_DENIED'],
  }),
  listBlockedDestinations: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/emergency/blocked-destinations',
    summary: 'List the blocked destinations, newest first.',
    budget: 'caller',
    permissions: ['incident:read'],
    query: listQuery,
    result: Type.Array(BlockedDestination),
    emits: [],
    refuses: [],
  }),
  unblockDestination: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/emergency/blocked-destinations/{blockId}',
    summary: 'Unblock a destination.',
    budget: 'caller',
    permissions: ['emergency:execute'],
    body: closedObject({ reason }),
    result: BlockedDestination,
    emits: ['security.emergency_action_executed'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
};
