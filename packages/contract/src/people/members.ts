import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, id, listQuery, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

export const RoleName = closedObject({ id: Type.String(), name: Type.String() });

export const Member = closedObject({
  id: id('Member id (mem_).'),
  user: closedObject({ id: id('User id (usr_).'), email: Type.String(), name: Type.String() }),
  role: RoleName,
  workspace_ids: nullable(
    Type.Array(Type.String(), {
      description: 'Workspaces that the member can access, limited to those of the caller; null for the whole organization.',
    }),
  ),
  joined_at: timestamp,
});
export type Member = Static<typeof Member>;

/** Workspaces in a request. */
export const workspaceIds = nullable(
  Type.Array(id('Workspace id (wsp_).'), {
    minItems: 1,
    maxItems: LIMITS.members.workspacesMax,
    uniqueItems: true,
    description: 'Limits the member to these workspaces; null for the whole organization.',
  }),
);

/** Items that ended with a membership. */
const Ended = closedObject({
  sessions: Type.Integer(),
  api_keys: Type.Integer({ description: 'API keys that the member created, and keys created with these.' }),
  invitations: Type.Integer({ description: 'Open invitations from the member.' }),
  approvals: Type.Integer({ description: 'Granted, unused approvals that depend on the vote of the member.' }),
  delegations: Type.Integer({
    description: 'Delegations from the member, which have no effect any more, and all delegations derived from them.',
  }),
});

const onMembers = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'people' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const memberEndpoints = {
  listMembers: defineEndpoint({
    ...onMembers({
      method: 'GET',
      path: '/v1/members',
      summary:
        'List the members of the organization, by time of joining. Callers limited to workspaces see the members of these workspaces.',
      permissions: ['member:read'],
    }),
    query: listQuery,
    result: Type.Array(Member),
    emits: [],
    refuses: [],
  }),
  getMember: defineEndpoint({
    ...onMembers({ method: 'GET', path: '/v1/members/{memberId}', summary: 'One member.', permissions: ['member:read'] }),
    result: Member,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateMember: defineEndpoint({
    ...onMembers({
      method: 'PATCH',
      path: '/v1/members/{memberId}',
      summary:
        'Change the role or workspaces of a member, from their next request on. You must have all permissions of the old and the new role.',
      permissions: ['member:update'],
    }),
    body: closedObject({ role_id: Type.Optional(id('New role of the member.')), workspace_ids: Type.Optional(workspaceIds) }),
    result: Member,
    emits: ['member.role_changed', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'CONFLICT', 'VALIDATION_FAILED'],
    automation: { limit: `${AUTOMATION_LIMITS.roles} ${AUTOMATION_LIMITS.owners}` },
  }),
  removeMember: defineEndpoint({
    ...onMembers({
      method: 'DELETE',
      path: '/v1/members/{memberId}',
      summary: 'Remove a member, with their sessions, API keys, open invitations, and approvals that depend on their vote.',
      permissions: ['member:remove'],
    }),
    budget: 'emergency',
    result: closedObject({ member: Member, ended: Ended }),
    emergency: true,
    emits: ['member.removed', 'apikey.revoked', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'CONFLICT'],
    automation: { limit: AUTOMATION_LIMITS.owners },
  }),
  transferOwnership: defineEndpoint({
    ...onMembers({
      method: 'POST',
      path: '/v1/members/{memberId}/transfer-ownership',
      summary: 'Transfer the ownership to another member. Requires a step-up.',
      permissions: ['member:update', 'organization:delete'],
    }),
    credential: 'person',
    body: closedObject({ role_id: Type.Optional(id('Your new role. Defaults to administrator.')) }),
    bodyOptional: true,
    result: closedObject({ owner: Member, former_owner: Member }),
    emits: ['member.role_changed', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'CONFLICT', 'VALIDATION_FAILED'],
  }),
};
