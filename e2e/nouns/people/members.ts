import { call, mustCall } from '@svc/testing/people/client.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { getWholeOrganization } from '../scope-sql.ts';

/** Creates a member with few permissions; returns their member id. */
const newMember = async ({ database, tenant }: NounScene): Promise<{ readonly memberId: string; readonly userId: string }> => {
  const { id: userId } = await insertPerson(database, tenant.organization_id, 'viewer');
  const { rows } = await database.query<{ id: string }>('select id from members where user_id = $1', [userId]);
  return { memberId: rows[0]?.id ?? '', userId };
};

const APPROVER = 'rol_00000000000000000000000005';

const VIEWER = 'rol_00000000000000000000000007';

const readMember = async ({ database }: NounScene, userId: string): Promise<string> =>
  (await database.query('select id from members where user_id = $1', [userId])).rows[0].id;

/** Creates a person in a role whose approval alone let a held action continue. */
export const newApprover = async (scene: NounScene, role: { readonly id: string }) => {
  const { database, planes, tenant } = scene;
  const person = await insertPerson(database, tenant.organization_id, role);
  const { approvalId } = await insertHeldAction(database, tenant, { approver_roles: [role.id] }, {});
  await newControlClient(planes.controlUrl, person.token).approveApproval({ params: { approvalId }, body: {} });
  return { ...person, memberId: await readMember(scene, person.id), approvalId };
};

export const memberTests = {
  scopes: { member: getWholeOrganization('members') },
  bodies: () => ({
    updateMember: {},
    transferOwnership: {},
    resetMemberPassword: {},
    revokeMemberSessions: {},
  }),
  recipes: {
    resetMemberPassword: async (scene) => {
      const { memberId } = await newMember(scene);
      const answer = await scene.send('POST', `/v1/members/${memberId}/reset-password`);
      return [{ answer, events: [['session.revoked', 'member', memberId]] }];
    },
    revokeMemberSessions: async (scene) => {
      const { memberId } = await newMember(scene);
      const answer = await scene.send('POST', `/v1/members/${memberId}/revoke-sessions`);
      return [{ answer, events: [['session.revoked', 'member', memberId]] }];
    },
    updateMember: async (scene) => {
      const { memberId, approvalId } = await newApprover(scene, { id: APPROVER });
      const answer = await scene.send('PATCH', `/v1/members/${memberId}`, { role_id: VIEWER });
      const events = [
        ['member.role_changed', 'member', memberId],
        ['approval.cancelled', 'approval', approvalId],
      ] as const;
      return [{ answer, events }];
    },
    removeMember: async (scene) => {
      const { make, name, planes, send } = scene;
      const permissions = ['approval:approve', 'apikey:create', 'agent:read'];
      const role = await make('POST', '/v1/roles', { name: name('Role'), permissions });
      const { memberId, approvalId, token } = await newApprover(scene, role);
      const { api_key } = await newControlClient(planes.controlUrl, token).createApiKey({ body: { name: 'theirs', role_id: role.id } });
      const events = [
        ['member.removed', 'member', memberId],
        ['apikey.revoked', 'api_key', api_key.id],
        ['approval.cancelled', 'approval', approvalId],
      ] as const;
      return [{ answer: await send('DELETE', `/v1/members/${memberId}`), events }];
    },
    transferOwnership: async (scene) => {
      const { planes, database } = scene;
      const tenant = await signUp(planes.controlUrl);
      await stepUp(planes.controlUrl, tenant);
      const next = await insertPerson(database, tenant.organization.id, 'viewer');
      const { token, user } = tenant;
      const make = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
      const workspace = await make('/v1/workspaces', { name: 'Payments' });
      const environment = await make('/v1/environments', { workspace_id: workspace.id, name: 'Production', type: 'PRODUCTION' });
      const place = { controlUrl: planes.controlUrl, organization_id: tenant.organization.id, workspace_id: workspace.id };
      const { approvalId } = await insertHeldAction(database, { ...tenant, ...place, environment_id: environment.id }, {}, {});
      await make(`/v1/approvals/${approvalId}/approve`, {});
      const memberId = await readMember(scene, next.id);
      const path = `/v1/members/${memberId}/transfer-ownership`;
      const answer = await call(planes.controlUrl, 'POST', path, { token, body: { role_id: VIEWER } });
      const events = [
        ['member.role_changed', 'member', memberId],
        ['member.role_changed', 'member', await readMember(scene, user.id)],
        ['approval.cancelled', 'approval', approvalId],
      ] as const;
      return [{ answer, events, by: { type: 'USER', id: user.id } }];
    },
  },
} as const satisfies NounTests;
