import { call, mustCall } from '@svc/testing/people/client.ts';
import { invitationCodeOf } from '@svc/testing/people/mails-to.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import { type ChangingOperation, type Recipes, SYSTEM } from './play.ts';
import type { Scene } from './scene.ts';
import { claimed, newSquatter } from './squatted.ts';

const ADMIN = 'rol_00000000000000000000000002';
const APPROVER = 'rol_00000000000000000000000005';
const VIEWER = 'rol_00000000000000000000000007';
const PASSWORD = 'correct horse battery staple';

const memberOf = async ({ database }: Scene, userId: string): Promise<string> =>
  (await database.query('select id from members where user_id = $1', [userId])).rows[0].id;

/** Somebody in a role, whose yes alone has let a held action go on. */
export const newApprover = async (scene: Scene, role: { readonly id: string }) => {
  const { database, planes, tenant } = scene;
  const person = await insertPerson(database, tenant.organization_id, role);
  const { approvalId } = await insertHeldAction(database, tenant, { approver_roles: [role.id] }, {});
  await mustCall(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token: person.token, body: {} });
  return { ...person, memberId: await memberOf(scene, person.id), approvalId };
};

const invite = async ({ make, name, database }: Scene, email = `${name('invited').replace(' ', '-')}@example.com`) => {
  const invitation = await make('POST', '/v1/members/invitations', { email, role_id: VIEWER });
  return { ...invitation, email, code: await invitationCodeOf(database, email) };
};

/** Roles, members and invitations. */
export const memberRecipes = {
  createRole: async ({ send, name }) => {
    const answer = await send('POST', '/v1/roles', { name: name('Role'), permissions: ['agent:read'] });
    return [{ answer, events: [['role.created', 'role', answer.json.id]] }];
  },
  updateRole: async (scene) => {
    const permissions = ['approval:read', 'approval:approve'];
    const role = await scene.make('POST', '/v1/roles', { name: scene.name('Role'), permissions });
    const { approvalId } = await newApprover(scene, role);
    const answer = await scene.send('PATCH', `/v1/roles/${role.id}`, { permissions: ['approval:read'] });
    const events = [
      ['role.updated', 'role', role.id],
      ['approval.cancelled', 'approval', approvalId],
    ] as const;
    return [{ answer, events }];
  },
  deleteRole: async ({ make, send, name }) => {
    const { id } = await make('POST', '/v1/roles', { name: name('Role'), permissions: ['agent:read'] });
    return [{ answer: await send('DELETE', `/v1/roles/${id}`), events: [['role.deleted', 'role', id]] }];
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
    const { api_key } = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', { token, body: { name: 'theirs', role_id: role.id } });
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
    const memberId = await memberOf(scene, next.id);
    const path = `/v1/members/${memberId}/transfer-ownership`;
    const answer = await call(planes.controlUrl, 'POST', path, { token, body: { role_id: VIEWER } });
    const events = [
      ['member.role_changed', 'member', memberId],
      ['member.role_changed', 'member', await memberOf(scene, user.id)],
      ['approval.cancelled', 'approval', approvalId],
    ] as const;
    return [{ answer, events, by: { type: 'USER', id: user.id } }];
  },
  inviteMember: async ({ send, name }) => {
    const email = `${name('invited').replace(' ', '-')}@example.com`;
    const answer = await send('POST', '/v1/members/invitations', { email, role_id: VIEWER });
    return [{ answer, events: [['member.invited', 'invitation', answer.json.id]] }];
  },
  resendInvitation: async (scene) => {
    const { id } = await invite(scene);
    await scene.database.query("update invitations set sent_at = sent_at - interval '2 minutes' where id = $1", [id]);
    const answer = await scene.send('POST', `/v1/members/invitations/${id}/resend`);
    return [{ answer, events: [['member.invited', 'invitation', id]] }];
  },
  confirmInvitation: async ({ make, send, name, planes }) => {
    const { token } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: ADMIN });
    const body = { email: `${name('awaiting').replace(' ', '-')}@example.com`, role_id: ADMIN };
    const { id } = await mustCall(planes.controlUrl, 'POST', '/v1/members/invitations', { token, body });
    const answer = await send('POST', `/v1/members/invitations/${id}/confirm`, {});
    return [{ answer, events: [['member.invitation_confirmed', 'invitation', id]] }];
  },
  withdrawInvitation: async (scene) => {
    const { id } = await invite(scene);
    return [{ answer: await scene.send('DELETE', `/v1/members/invitations/${id}`), events: [['member.removed', 'invitation', id]] }];
  },
  acceptInvitation: async (scene) => {
    const { planes, database } = scene;
    const accept = (body: object) => call(planes.controlUrl, 'POST', '/v1/auth/invitations/accept', { body });
    const fresh = await invite(scene);
    const answer = await accept({ code: fresh.code, name: 'New', password: PASSWORD });
    const { user } = answer.json;
    const [known, squatter] = [await signUp(planes.controlUrl), await newSquatter(scene)];
    await proveAddress(database, known);
    const over = await accept({ code: (await invite(scene, squatter.email)).code, name: 'New', password: PASSWORD });
    const { code } = await invite(scene, known.email);
    const wrong = await accept({ code, password: 'not this one' });
    const right = await accept({ code, password: known.password });
    const organizationId = scene.tenant.organization_id;
    const joined = async (id: string, before: ReturnType<typeof claimed> | readonly [] = []) => {
      const { rows } = await database.query('select id from members where organization_id = $1 and user_id = $2', [organizationId, id]);
      return [['member.joined', 'member', rows[0].id], ...before, ['user.login_succeeded', 'user', id]] as const;
    };
    return [
      { answer, by: { type: 'USER', id: user.id }, events: await joined(user.id) },
      { answer: wrong, by: SYSTEM, events: [['user.login_failed', 'user', known.user.id]] },
      {
        answer: over,
        by: { type: 'USER', id: squatter.user.id },
        events: await joined(squatter.user.id, claimed(squatter, true)),
      },
      { answer: right, by: { type: 'USER', id: known.user.id }, events: await joined(known.user.id) },
    ];
  },
  joinOrganization: async (scene) => {
    const person = await signUp(scene.planes.controlUrl);
    await proveAddress(scene.database, person);
    const { code } = await invite(scene, person.email);
    const answer = await call(scene.planes.controlUrl, 'POST', '/v1/auth/invitations/join', { token: person.token, body: { code } });
    return [{ answer, by: { type: 'USER', id: person.user.id }, events: [['member.joined', 'member', answer.json.member.id]] }];
  },
} as const satisfies Partial<Recipes<ChangingOperation>>;
