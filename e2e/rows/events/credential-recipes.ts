import { call } from '@svc/testing/people/client.ts';
import { codeTo } from '@svc/testing/people/read-mails.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { type ChangingOperation, type Recipes, SYSTEM } from './play.ts';
import { type Scene, STEP_UPS_MAX } from './scene.ts';
import { claimed, newSquatter } from './squatted.ts';

const ANOTHER = 'another horse battery staple';

/** A member of the tenant who holds little, by their id as a member. */
const newMember = async ({ database, tenant }: Scene): Promise<{ readonly memberId: string; readonly userId: string }> => {
  const { id: userId } = await insertPerson(database, tenant.organization_id, 'viewer');
  const { rows } = await database.query<{ id: string }>('select id from members where user_id = $1', [userId]);
  return { memberId: rows[0]?.id ?? '', userId };
};

/** Passwords, and sessions of people. */
export const credentialRecipes = {
  changePassword: async ({ planes }) => {
    const { token, password, user } = await signUp(planes.controlUrl);
    const by = { type: 'USER', id: user.id };
    const change = (current: string) =>
      call(planes.controlUrl, 'POST', '/v1/auth/password', { token, body: { current_password: current, new_password: ANOTHER } });
    const right = { answer: await change(password), by, events: [['user.password_changed', 'user', user.id]] } as const;
    const wrong = ['user.login_failed', 'user', user.id] as const;
    const first = { answer: await change('not this one'), by, events: [wrong] };
    for (let tried = 1; tried < STEP_UPS_MAX - 1; tried += 1) await change('not this one');
    const last = { answer: await change('not this one'), by, events: [wrong, ['user.logged_out', 'user', user.id]] } as const;
    return [right, first, last];
  },
  startPasswordReset: async ({ planes, name }) => {
    const email = `${name('nobody').replace(' ', '-')}@example.com`;
    return [{ answer: await call(planes.controlUrl, 'POST', '/v1/auth/password/reset/start', { body: { email } }), events: [] }];
  },
  resetPassword: async (scene) => {
    const { planes, database } = scene;
    const squatter = await newSquatter(scene);
    const { email, user } = squatter;
    await call(planes.controlUrl, 'POST', '/v1/auth/password/reset/start', { body: { email } });
    const code = await codeTo(database, email);
    const reset = (as: string) =>
      call(planes.controlUrl, 'POST', '/v1/auth/password/reset', { body: { email, code: as, new_password: ANOTHER } });
    const wrong = await reset(code === '000000' ? '000001' : '000000');
    const by = { type: 'USER', id: user.id };
    return [
      { answer: wrong, by: SYSTEM, events: [['user.login_failed', 'user', user.id]] },
      { answer: await reset(code), by, events: [...claimed(squatter, false), ['user.password_changed', 'user', user.id]] },
    ];
  },
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
  endSession: async ({ planes }) => {
    const { token, user, email, password } = await signUp(planes.controlUrl);
    await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } });
    const sessions = (await call(planes.controlUrl, 'GET', '/v1/auth/sessions', { token })).json;
    const { id } = sessions.find(({ current }: { current: boolean }) => !current);
    const answer = await call(planes.controlUrl, 'DELETE', `/v1/auth/sessions/${id}`, { token });
    return [{ answer, by: { type: 'USER', id: user.id }, events: [['session.revoked', 'session', id]] }];
  },
  endOtherSessions: async ({ planes }) => {
    const { token, user } = await signUp(planes.controlUrl);
    const answer = await call(planes.controlUrl, 'DELETE', '/v1/auth/sessions', { token });
    return [{ answer, by: { type: 'USER', id: user.id }, events: [['session.revoked', 'user', user.id]] }];
  },
  updateProfile: async ({ planes }) => {
    const { token, user } = await signUp(planes.controlUrl);
    const answer = await call(planes.controlUrl, 'PATCH', '/v1/auth/profile', { token, body: { name: 'Another Name' } });
    return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.profile_updated', 'user', user.id]] }];
  },
} as const satisfies Partial<Recipes<ChangingOperation>>;
