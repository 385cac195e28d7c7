import { call } from '@svc/testing/people/client.ts';
import { getCodeTo } from '@svc/testing/people/read-mails.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import type { NounTests } from '../noun-tests.ts';
import { SYSTEM } from '../scene/play.ts';
import { STEP_UPS_MAX } from '../scene/scene.ts';
import { listClaimEvents, newSquatter } from '../scene/squatted.ts';

const ANOTHER = 'another horse battery staple';

export const passwordTests = {
  bodies: ({ made, tenant }) => ({
    // Refused, so no password changes.
    changePassword: { current_password: tenant.password, new_password: tenant.password },
    startPasswordReset: { email: `nobody-${made}@example.com` },
    resetPassword: { email: `nobody-${made}@example.com`, code: '000000', new_password: tenant.password },
  }),
  recipes: {
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
      const code = await getCodeTo(database, email);
      const reset = (as: string) =>
        call(planes.controlUrl, 'POST', '/v1/auth/password/reset', { body: { email, code: as, new_password: ANOTHER } });
      const wrong = await reset(code === '000000' ? '000001' : '000000');
      const by = { type: 'USER', id: user.id };
      return [
        { answer: wrong, by: SYSTEM, events: [['user.login_failed', 'user', user.id]] },
        { answer: await reset(code), by, events: [...listClaimEvents(squatter, false), ['user.password_changed', 'user', user.id]] },
      ];
    },
  },
} as const satisfies NounTests;
