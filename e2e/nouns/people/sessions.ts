import { call, mustCall } from '@svc/testing/people/client.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import type { NounTests } from '../noun-tests.ts';

export const sessionTests = {
  scopes: { session: null },
  bodies: ({ made }) => ({
    updateProfile: { name: `Person ${made}` },
    approveStepUpRequest: { user_code: 'BCDF-GHJK' },
  }),
  recipes: {
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
    approveStepUpRequest: async ({ planes }) => {
      const { token, user, email, password } = await signUp(planes.controlUrl);
      const terminal = (await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } })).json.token;
      const { user_code, verification_uri } = await mustCall(planes.controlUrl, 'POST', '/v1/auth/step-up/requests', { token: terminal });
      const session = new URL(verification_uri).searchParams.get('session_id');
      await stepUp(planes.controlUrl, { token, password });
      const path = `/v1/auth/sessions/${session}/step-up-request/approve`;
      const answer = await call(planes.controlUrl, 'POST', path, { token, body: { user_code } });
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.step_up_completed', 'user', user.id]] }];
    },
    updateProfile: async ({ planes }) => {
      const { token, user } = await signUp(planes.controlUrl);
      const answer = await call(planes.controlUrl, 'PATCH', '/v1/auth/profile', { token, body: { name: 'Another Name' } });
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.profile_updated', 'user', user.id]] }];
    },
  },
} as const satisfies NounTests;
