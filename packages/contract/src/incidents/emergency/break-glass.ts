import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, id, listQuery, nullable, reason, timestamp } from '../../rows/schema.ts';
import { INCIDENT_LIMITS } from '../../tables/limits/incident-limits.ts';

const { minutesMax, minutesMin, reportedMax } = INCIDENT_LIMITS.breakGlass;

/** Rule of an organization for break-glass access: a second person approves, or the holder alone with notice to the others. */
export const BREAK_GLASS_MODES = ['TWO_PEOPLE', 'SELF_WITH_NOTICE'] as const;
export type BreakGlassMode = (typeof BREAK_GLASS_MODES)[number];

export const BREAK_GLASS_STATUSES = ['PENDING', 'ACTIVE', 'DENIED', 'EXPIRED', 'ENDED'] as const;
export type BreakGlassStatus = (typeof BREAK_GLASS_STATUSES)[number];

export const BreakGlassGrant = closedObject({
  id: id('Grant id (bgr_).'),
  user_id: Type.String({ description: 'Member who holds it, in one session.' }),
  mode: enumSchema(BREAK_GLASS_MODES),
  status: enumSchema(BREAK_GLASS_STATUSES, 'EXPIRED: its time is up, or no second person approved it in time.'),
  reason: Type.String(),
  minutes: Type.Integer(),
  incident_id: nullable(Type.String()),
  requested_at: timestamp,
  request_expires_at: { ...timestamp, description: 'A second person can approve it until then.' },
  decided_by: nullable(Type.String()),
  decided_at: nullable(timestamp),
  expires_at: nullable(timestamp),
  ended_at: nullable(timestamp),
  reviewed_by: nullable(Type.String({ description: 'SELF_WITH_NOTICE: the other person who reviewed it.' })),
  drill: Type.Boolean({ description: 'Practice: it gives no permission, and ends when it is decided.' }),
});
export type BreakGlassGrant = Static<typeof BreakGlassGrant>;

const Settings = closedObject({
  mode: enumSchema(BREAK_GLASS_MODES),
  updated_at: nullable(timestamp),
  updated_by: nullable(Type.String()),
});
export type BreakGlassSettings = Static<typeof Settings>;

const Report = closedObject({
  grant: BreakGlassGrant,
  events: Type.Array(
    closedObject({
      id: Type.String(),
      type: Type.String(),
      occurred_at: timestamp,
      subject_type: Type.String(),
      subject_id: Type.String(),
    }),
    { description: `Events of changes that were made in the session of the grant, oldest first, at most ${reportedMax}.` },
  ),
  listed_all: Type.Boolean(),
});
export type BreakGlassReport = Static<typeof Report>;

const row = { plane: 'control', area: 'incidents', wire: 'json' } as const;
const byPerson = { ...row, credential: 'person', budget: 'emergency', emergency: true } as const;
const byCaller = { ...row, credential: 'caller', budget: 'caller' } as const;

export const breakGlassEndpoints = {
  requestBreakGlass: defineEndpoint({
    ...byPerson,
    method: 'POST',
    path: '/v1/emergency/break-glass',
    summary:
      'Request the permissions of the role security in this session for a limited time. Requires a second factor and a step-up; another person approves.',
    permissions: { none: 'any member can request it; another person decides' },
    stepUp: true,
    body: closedObject({
      reason,
      minutes: Type.Integer({ minimum: minutesMin, maximum: minutesMax }),
      drill: Type.Optional(Type.Boolean({ description: 'Practise: check everything and give no permission.' })),
    }),
    result: BreakGlassGrant,
    status: 201,
    emits: [
      ...(['emergency.access_updated', 'security.break_glass_granted', 'security.break_glass_expired'] as const),
      'emergency.drill_completed',
      'incident.created',
    ],
    refuses: ['CONFLICT', 'UNPROCESSABLE', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'MFA_REQUIRED'],
  }),
  listBreakGlass: defineEndpoint({
    ...byCaller,
    method: 'GET',
    path: '/v1/emergency/break-glass',
    summary: 'List the break-glass grants and requests, newest first.',
    permissions: ['incident:read'],
    query: listQuery,
    result: Type.Array(BreakGlassGrant),
    emits: [],
    refuses: [],
  }),
  getBreakGlassSettings: defineEndpoint({
    ...byCaller,
    method: 'GET',
    path: '/v1/emergency/break-glass/settings',
    summary: 'Get the rule for break-glass access of the organization.',
    permissions: ['incident:read'],
    result: Settings,
    emits: [],
    refuses: [],
  }),
  updateBreakGlassSettings: defineEndpoint({
    ...byCaller,
    method: 'PUT',
    path: '/v1/emergency/break-glass/settings',
    summary: 'Set the rule for break-glass access: a second person approves (the default), or the holder alone with notice.',
    permissions: ['organization:update'],
    stepUp: true,
    body: closedObject({ mode: enumSchema(BREAK_GLASS_MODES), reason }),
    result: Settings,
    emits: ['emergency.access_updated'],
    refuses: ['PERMISSION_DENIED'],
  }),
  getBreakGlass: defineEndpoint({
    ...byCaller,
    method: 'GET',
    path: '/v1/emergency/break-glass/{breakGlassId}',
    summary: 'Get a break-glass grant.',
    permissions: ['incident:read'],
    result: BreakGlassGrant,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getBreakGlassReport: defineEndpoint({
    ...byCaller,
    method: 'GET',
    path: '/v1/emergency/break-glass/{breakGlassId}/report',
    summary: 'Get what was changed under a break-glass grant.',
    permissions: ['incident:read', 'audit:read'],
    result: Report,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  approveBreakGlass: defineEndpoint({
    ...byCaller,
    budget: 'emergency',
    emergency: true,
    method: 'POST',
    path: '/v1/emergency/break-glass/{breakGlassId}/approve',
    summary: 'Approve a break-glass request of another member, or review a grant that its holder took alone.',
    permissions: ['emergency:execute'],
    body: closedObject({ reason }),
    result: BreakGlassGrant,
    emits: ['security.break_glass_granted', 'emergency.access_updated', 'emergency.drill_completed'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
  denyBreakGlass: defineEndpoint({
    ...byCaller,
    budget: 'emergency',
    emergency: true,
    method: 'POST',
    path: '/v1/emergency/break-glass/{breakGlassId}/deny',
    summary: 'Deny a break-glass request.',
    permissions: ['emergency:execute'],
    body: closedObject({ reason }),
    result: BreakGlassGrant,
    emits: ['emergency.access_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
  endBreakGlass: defineEndpoint({
    ...byPerson,
    method: 'POST',
    path: '/v1/emergency/break-glass/{breakGlassId}/end',
    summary: 'End a break-glass grant or request early: one of your own, or any with emergency:execute.',
    permissions: { none: 'the holder can end their own grant; others need emergency:execute' },
    mayNeed: ['emergency:execute'],
    body: closedObject({ reason }),
    result: BreakGlassGrant,
    emits: ['security.break_glass_expired', 'emergency.access_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
};
