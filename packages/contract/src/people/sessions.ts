import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { PROOF_NAMES } from '../tables/proofs.ts';
import { Person } from './auth.ts';
import { userCode } from './user-code.ts';

/** A session of the caller in a list. */
export const OwnSession = closedObject({
  id: id('Session id (ses_).'),
  organization: closedObject({ id: Type.String(), name: Type.String() }),
  device: Type.String({ description: 'Device, from the user agent; "Unknown device" if it is not recognized.' }),
  source_ip: nullable(Type.String({ description: 'Source address at sign-in.' })),
  last_used_from: nullable(Type.String({ description: 'Source address of the last request.' })),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  amr: Type.Array(enumSchema(PROOF_NAMES), { description: 'Authentication method.' }),
  current: Type.Boolean({ description: 'True for the session of this request.' }),
});
export type OwnSession = Static<typeof OwnSession>;

const ofPerson = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'people' as const,
  credential: 'person' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const sessionEndpoints = {
  listSessions: defineEndpoint({
    ...ofPerson({
      method: 'GET',
      path: '/v1/auth/sessions',
      summary: 'List your active sessions in all organizations, last used first.',
      permissions: { none: 'users can list their own sessions' },
    }),
    query: boundedListQuery,
    result: Type.Array(OwnSession),
    emits: [],
    refuses: [],
  }),
  endSession: defineEndpoint({
    ...ofPerson({
      method: 'DELETE',
      path: '/v1/auth/sessions/{sessionId}',
      summary: 'End one of your sessions and all sessions switched to or from it.',
      permissions: { none: 'users can end their own sessions' },
    }),
    budget: 'emergency',
    result: closedObject({ revoked: Type.Boolean() }),
    byAnyClock: true,
    emits: ['session.revoked'],
    refuses: ['NOT_FOUND'],
  }),
  endOtherSessions: defineEndpoint({
    ...ofPerson({
      method: 'DELETE',
      path: '/v1/auth/sessions',
      summary: 'End all your other sessions in all organizations; from a single sign-on session, only those of its organization.',
      permissions: { none: 'users can end their own sessions' },
    }),
    budget: 'emergency',
    result: closedObject({ revoked: Type.Boolean() }),
    byAnyClock: true,
    emits: ['session.revoked'],
    refuses: ['CONFLICT'],
  }),
  getStepUpRequest: defineEndpoint({
    ...ofPerson({
      method: 'GET',
      path: '/v1/auth/sessions/{sessionId}/step-up-request',
      summary: 'Get the pending step-up request of one of your sessions in this organization.',
      permissions: { none: 'users can read requests of their own sessions' },
    }),
    budget: 'emergency',
    emergency: true,
    result: closedObject({
      user_code: Type.String({ description: 'Code to compare with the one in the terminal.' }),
      device: Type.String({ description: 'Device of the session, from the user agent; "Unknown device" if it is not recognized.' }),
      source_ip: Type.String({ description: 'Source address of the request.' }),
      same_address: Type.Boolean({ description: 'True if the source address is the address of the current caller.' }),
      requested_at: timestamp,
      expires_at: timestamp,
    }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  approveStepUpRequest: defineEndpoint({
    ...ofPerson({
      method: 'POST',
      path: '/v1/auth/sessions/{sessionId}/step-up-request/approve',
      summary:
        'Step up one of your sessions by the step-up of the current one, which must be newer than the request. Each request is used once.',
      permissions: { none: 'users can re-authenticate for their own sessions' },
    }),
    budget: 'emergency',
    emergency: true,
    mayNeed: ['step_up'],
    body: closedObject(secret('user_code', userCode)),
    result: closedObject({ step_up_expires_at: timestamp }),
    emits: ['user.step_up_completed'],
    refuses: ['NOT_FOUND', 'GONE', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
  }),
  updateProfile: defineEndpoint({
    ...ofPerson({
      method: 'PATCH',
      path: '/v1/auth/profile',
      summary: 'Change your display name.',
      permissions: { none: 'users can change their own profile' },
    }),
    body: closedObject({ name: Type.Optional(name('Display name of the user.')) }),
    result: closedObject({ user: Person }),
    emits: ['user.profile_updated'],
    refuses: ['PERMISSION_DENIED'],
  }),
  revokeMemberSessions: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/members/{memberId}/revoke-sessions',
    summary: 'End all sessions of a member in this organization. You must have all their permissions.',
    credential: 'caller',
    budget: 'emergency',
    emergency: true,
    wire: 'json',
    permissions: ['member:update'],
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ member_id: id('Member id (mem_).'), revoked: Type.Boolean() }),
    emits: ['session.revoked'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
    automation: { limit: AUTOMATION_LIMITS.owners },
  }),
};
