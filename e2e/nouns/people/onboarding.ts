import { call } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { NounTests } from '../noun-tests.ts';

export const onboardingTests = {
  words: { step: 'goals' },
  bodies: ({ made }) => ({
    saveOnboardingStep: { goals: [`goal ${made}`] },
    completeOnboarding: {},
  }),
  recipes: {
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
      await newControlClient(planes.controlUrl, token).saveOnboardingStep({ params: { step: 'mode' }, body: { mode: 'OBSERVE' } });
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
  },
} as const satisfies NounTests;
