import { call } from '@svc/testing/people/client.ts';
import { getCodeTo } from '@svc/testing/people/read-mails.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { NounTests } from '../noun-tests.ts';
import { SYSTEM } from '../scene/play.ts';
import { STEP_UPS_MAX } from '../scene/scene.ts';

export const authTests = {
  words: { asset: 'index.js' },
  scopes: { user: null },
  bodies: ({ made, tenant }) => ({
    checkSignup: {},
    startSignup: { name: 'Ada', email: `new-${made}@example.com`, password: 'correct horse battery staple' },
    verifySignup: { email: `new-${made}@example.com`, code: '000000' },
    logout: {},
    switchOrganization: { organization_id: tenant.organization_id },
    stepUp: { password: tenant.password },
    requestStepUp: {},
  }),
  recipes: {
    requestStepUp: async ({ planes }) => {
      const { token } = await signUp(planes.controlUrl);
      return [{ answer: await call(planes.controlUrl, 'POST', '/v1/auth/step-up/requests', { token }), events: [] }];
    },
    signup: async ({ planes, name }) => {
      const body = { email: `${name('new').replace(' ', '-')}@example.com`, password: 'correct horse battery staple', name: 'New' };
      const answer = await call(planes.controlUrl, 'POST', '/v1/auth/signup', {
        body: { ...body, organizationName: name('Organization') },
      });
      const { organization, user, member } = answer.json;
      const by = { type: 'USER', id: user.id };
      return [
        {
          answer,
          by,
          events: [
            ['organization.created', 'organization', organization.id],
            ['member.joined', 'member', member?.id ?? '*'],
            ['user.login_succeeded', 'user', user.id],
          ],
        },
      ];
    },
    startSignup: async ({ planes, name }) => {
      const email = `${name('starting').replace(' ', '-')}@example.com`;
      const body = { email, password: 'correct horse battery staple', name: 'New', organizationName: name('Organization') };
      const answer = await call(planes.controlUrl, 'POST', '/v1/auth/signup/start', { body });
      return [{ answer, by: SYSTEM, events: [] }];
    },
    verifySignup: async ({ planes, name, database }) => {
      const email = `${name('verifying').replace(' ', '-')}@example.com`;
      const body = { email, password: 'correct horse battery staple', name: 'New' };
      await newControlClient(planes.controlUrl).startSignup({ body });
      const code = await getCodeTo(database, email);
      const answer = await call(planes.controlUrl, 'POST', '/v1/auth/signup/verify', { body: { email, code } });
      const { organization, user } = answer.json;
      return [
        {
          answer,
          by: { type: 'USER', id: user.id },
          events: [
            ['organization.created', 'organization', organization.id],
            ['member.joined', 'member', '*'],
            ['user.login_succeeded', 'user', user.id],
          ],
        },
      ];
    },
    login: async ({ planes }) => {
      const { email, password, user } = await signUp(planes.controlUrl);
      const login = (as: object) => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, ...as } });
      return [
        { answer: await login({ password }), by: { type: 'USER', id: user.id }, events: [['user.login_succeeded', 'user', user.id]] },
        { answer: await login({ password: 'not this one' }), by: SYSTEM, events: [['user.login_failed', 'user', user.id]] },
      ];
    },
    logout: async ({ planes }) => {
      const { token, user } = await signUp(planes.controlUrl);
      const answer = await call(planes.controlUrl, 'POST', '/v1/auth/logout', { token, body: {} });
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.logged_out', 'user', user.id]] }];
    },
    switchOrganization: async ({ planes }) => {
      const { token, user, organization } = await signUp(planes.controlUrl);
      const answer = await call(planes.controlUrl, 'POST', '/v1/auth/switch', { token, body: { organization_id: organization.id } });
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.login_succeeded', 'user', user.id]] }];
    },
    stepUp: async ({ planes }) => {
      const { token, password, user } = await signUp(planes.controlUrl);
      const by = { type: 'USER', id: user.id };
      const prove = (as: string) => call(planes.controlUrl, 'POST', '/v1/auth/step-up', { token, body: { password: as } });
      const right = { answer: await prove(password), by, events: [['user.step_up_completed', 'user', user.id]] } as const;
      const wrong = ['user.login_failed', 'user', user.id] as const;
      const first = { answer: await prove('not this one'), by, events: [wrong] };
      for (let tried = 1; tried < STEP_UPS_MAX - 1; tried += 1) await prove('not this one');
      const last = { answer: await prove('not this one'), by, events: [wrong, ['user.logged_out', 'user', user.id]] } as const;
      return [right, first, last];
    },
  },
} as const satisfies NounTests;
