import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { endpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closed, id, name, nullable, oneOf, timestamp } from '../rows/schema.ts';
import { PROOF_NAMES } from '../tables/proofs.ts';
import { Person } from './auth.ts';

/** A session of the caller in a list. */
export const OwnSession = closed({
  id: id('Session id (ses_).'),
  organization: closed({ id: Type.String(), name: Type.String() }),
  device: Type.String({ description: 'Device, from the user agent; "Unknown device" if it is not recognized.' }),
  source_ip: nullable(Type.String({ description: 'Source address at sign-in.' })),
  last_used_from: nullable(Type.String({ description: 'Source address of the last request.' })),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  amr: Type.Array(oneOf(PROOF_NAMES), { description: 'Authentication method.' }),
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
  listSessions: endpoint({
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
  endSession: endpoint({
    ...ofPerson({
      method: 'DELETE',
      path: '/v1/auth/sessions/{sessionId}',
      summary: 'End one of your sessions and all sessions switched to or from it.',
      permissions: { none: 'users can end their own sessions' },
    }),
    budget: 'emergency',
    result: closed({ revoked: Type.Boolean() }),
    byAnyClock: true,
    emits: ['session.revoked'],
    refuses: ['NOT_FOUND'],
  }),
  endOtherSessions: endpoint({
    ...ofPerson({
      method: 'DELETE',
      path: '/v1/auth/sessions',
      summary: 'End all your other sessions in all organizations; from a single sign-on session, only those of its organization.',
      permissions: { none: 'users can end their own sessions' },
    }),
    budget: 'emergency',
    result: closed({ revoked: Type.Boolean() }),
    byAnyClock: true,
    emits: ['session.revoked'],
    refuses: ['CONFLICT'],
  }),
  updateProfile: endpoint({
    ...ofPerson({
      method: 'PATCH',
      path: '/v1/auth/profile',
      summary: 'Change your display name.',
      permissions: { none: 'users can change their own profile' },
    }),
    body: closed({ name: Type.Optional(name('Display name of the user.')) }),
    result: closed({ user: Person }),
    emits: ['user.profile_updated'],
    refuses: ['PERMISSION_DENIED'],
  }),
  revokeMemberSessions: endpoint({
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
    body: closed({}),
    bodyOptional: true,
    result: closed({ member_id: id('Member id (mem_).'), revoked: Type.Boolean() }),
    emits: ['session.revoked'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
    automation: { limit: AUTOMATION_LIMITS.owners },
  }),
};
