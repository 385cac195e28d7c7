import { call } from '@svc/testing/people/client.ts';
import { getInvitationCode } from '@svc/testing/people/mails-to.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type { NounTests } from '../noun-tests.ts';
import { SYSTEM } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { listClaimEvents, newSquatter } from '../scene/squatted.ts';
import { getWholeOrganization } from '../scope-sql.ts';

const ADMIN = 'rol_00000000000000000000000002';

const VIEWER = 'rol_00000000000000000000000007';

const PASSWORD = 'correct horse battery staple';

const invite = async ({ make, name, database }: NounScene, email = `${name('invited').replace(' ', '-')}@example.com`) => {
  const invitation = await make('POST', '/v1/members/invitations', { email, role_id: VIEWER });
  return { ...invitation, email, code: await getInvitationCode(database, email) };
};

export const invitationTests = {
  scopes: { invitation: getWholeOrganization('invitations') },
  bodies: ({ made, resources }) => ({
    inviteMember: { email: `invited-${made}-${resources.memberId.toLowerCase()}@example.com`, role_id: 'rol_00000000000000000000000007' },
    resendInvitation: {},
    confirmInvitation: {},
    readInvitation: { code: 'none' },
    acceptInvitation: { code: 'none' },
    joinOrganization: { code: 'none' },
  }),
  recipes: {
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
      const { id } = await newControlClient(planes.controlUrl, token).inviteMember({ body });
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
      const joined = async (id: string, before: ReturnType<typeof listClaimEvents> | readonly [] = []) => {
        const { rows } = await database.query('select id from members where organization_id = $1 and user_id = $2', [organizationId, id]);
        return [['member.joined', 'member', rows[0].id], ...before, ['user.login_succeeded', 'user', id]] as const;
      };
      return [
        { answer, by: { type: 'USER', id: user.id }, events: await joined(user.id) },
        { answer: wrong, by: SYSTEM, events: [['user.login_failed', 'user', known.user.id]] },
        {
          answer: over,
          by: { type: 'USER', id: squatter.user.id },
          events: await joined(squatter.user.id, listClaimEvents(squatter, true)),
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
  },
} as const satisfies NounTests;
