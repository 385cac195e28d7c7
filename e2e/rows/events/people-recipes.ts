import { call, mustCall } from '@svc/testing/people/client.ts';
import { codeTo } from '@svc/testing/people/read-mails.ts';
import { newTenant, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { type ChangingOperation, type Recipes, SYSTEM } from './play.ts';
import { STEP_UPS_MAX } from './scene.ts';

const VIEWER = 'rol_00000000000000000000000007';

/** Signing in and out, and API keys. */
export const peopleRecipes = {
  signup: async ({ planes, name }) => {
    const body = { email: `${name('new').replace(' ', '-')}@example.com`, password: 'correct horse battery staple', name: 'New' };
    const answer = await call(planes.controlUrl, 'POST', '/v1/auth/signup', { body: { ...body, organizationName: name('Organization') } });
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
    await mustCall(planes.controlUrl, 'POST', '/v1/auth/signup/start', { body });
    const code = await codeTo(database, email);
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
  saveOnboardingStep: async ({ planes }) => {
    const { token, user } = await signUp(planes.controlUrl);
    const save = (step: string, body: object) => call(planes.controlUrl, 'PUT', `/v1/onboarding/steps/${step}`, { token, body });
    const by = { type: 'USER', id: user.id };
    return [
      { answer: await save('profile', { name: 'New', role: 'Engineer' }), by, events: [] },
      { answer: await save('goals', { goals: ['Approvals'] }), by, events: [] },
      { answer: await save('frameworks', { frameworks: ['None'] }), by, events: [] },
    ];
  },
  completeOnboarding: async ({ planes }) => {
    const { token, user, environment_id, password } = await newTenant(planes);
    await stepUp(planes.controlUrl, { token, password });
    await mustCall(planes.controlUrl, 'PUT', '/v1/onboarding/steps/mode', { token, body: { mode: 'OBSERVE' } });
    const answer = await call(planes.controlUrl, 'POST', '/v1/onboarding/complete', { token, body: { environment_id } });
    return [
      {
        answer,
        by: { type: 'USER', id: user.id },
        events: [
          ['environment.mode_changed', 'environment', environment_id],
          ['onboarding.completed', 'user', user.id],
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
  createApiKey: async ({ send, name }) => {
    const answer = await send('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
    return [{ answer, events: [['apikey.created', 'api_key', answer.json.api_key.id]] }];
  },
  rotateApiKey: async ({ make, send, name }) => {
    const { api_key } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
    return [{ answer: await send('POST', `/v1/api-keys/${api_key.id}/rotate`), events: [['apikey.created', 'api_key', api_key.id]] }];
  },
  endPreviousSecret: async ({ make, send, name }) => {
    const { api_key } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
    await make('POST', `/v1/api-keys/${api_key.id}/rotate`);
    const answer = await send('DELETE', `/v1/api-keys/${api_key.id}/previous-secret`);
    return [{ answer, events: [['apikey.revoked', 'api_key', api_key.id]] }];
  },
  revokeApiKey: async ({ make, send, name }) => {
    const { api_key } = await make('POST', '/v1/api-keys', { name: name('key'), role_id: VIEWER });
    return [{ answer: await send('DELETE', `/v1/api-keys/${api_key.id}`), events: [['apikey.revoked', 'api_key', api_key.id]] }];
  },
} as const satisfies Partial<Recipes<ChangingOperation>>;
