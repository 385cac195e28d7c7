import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { MODES } from '../tables/vocabulary.ts';

const common = { plane: 'control', area: 'people', credential: 'person', budget: 'caller', wire: 'json' } as const;

/** Steps in their order. */
export const ONBOARDING_STEPS = ['profile', 'goals', 'frameworks', 'mode', 'connect'] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** Members of each step's body, and its required members. */
export const STEP_MEMBERS = {
  profile: { takes: ['name', 'role'], needs: ['name', 'role'] },
  goals: { takes: ['goals'], needs: ['goals'] },
  frameworks: { takes: ['frameworks'], needs: ['frameworks'] },
  mode: { takes: ['mode'], needs: ['mode'] },
  connect: { takes: ['agent_id', 'runtime_id'], needs: [] },
} as const satisfies Record<OnboardingStep, { readonly takes: readonly string[]; readonly needs: readonly string[] }>;

const words = (description: string) =>
  Type.Array(name('Free text by the user.'), { maxItems: LIMITS.onboarding.wordsMax, uniqueItems: true, description });

const Answers = closedObject({
  name: Type.Optional(name('For profile: preferred name of the user.')),
  role: Type.Optional(name('For profile: job of the user.')),
  goals: Type.Optional(words('For goals: goals of the user.')),
  frameworks: Type.Optional(words('For frameworks: frameworks of the agents.')),
  mode: Type.Optional(enumSchema(MODES, 'For mode: enforcement mode that completion applies to the environment.')),
  agent_id: Type.Optional(id('For connect: an agent of the organization.')),
  runtime_id: Type.Optional(id('For connect: a runtime of the organization.')),
});
export type OnboardingAnswers = Static<typeof Answers>;

const SetupEnvironment = closedObject({ id: Type.String(), workspace_id: Type.String(), name: Type.String(), mode: enumSchema(MODES) });

const Onboarding = closedObject({
  steps: Type.Array(
    closedObject({
      step: enumSchema(ONBOARDING_STEPS),
      done: Type.Boolean(),
      answered_at: nullable(timestamp),
      answers: nullable(Answers),
    }),
    { description: 'All steps, in order.' },
  ),
  next_step: nullable(enumSchema(ONBOARDING_STEPS, 'First unanswered step.')),
  completed_at: nullable(timestamp),
  environment_id: nullable(Type.String({ description: 'Environment that the chosen mode was applied to.' })),
  setup: closedObject({
    control_plane_url: Type.String(),
    gateway_url: Type.String({ description: 'Address of the gateway, which is the audience of agent assertions.' }),
    sandbox_url: nullable(
      Type.String({ description: 'Address of the sandbox receiver, which tools of a trial may call; null if this installation has none.' }),
    ),
    environments: Type.Array(SetupEnvironment, { description: 'Environments that the user can access.' }),
  }),
});
export type Onboarding = Static<typeof Onboarding>;

export const onboardingEndpoints = {
  getOnboarding: defineEndpoint({
    ...common,
    method: 'GET',
    path: '/v1/onboarding',
    summary: 'Get the onboarding of the signed-in user: progress, answers, and set-up data.',
    permissions: { none: 'users can read their own onboarding' },
    mayNeed: ['environment:read'],
    result: Onboarding,
    emits: [],
    refuses: [],
  }),
  saveOnboardingStep: defineEndpoint({
    ...common,
    method: 'PUT',
    path: '/v1/onboarding/steps/{step}',
    summary: 'Save the answers of one step (profile, goals, frameworks, mode or connect), replacing earlier ones.',
    permissions: { none: 'users can answer for themselves' },
    mayNeed: ['environment:read'],
    body: Answers,
    result: Onboarding,
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION'],
  }),
  completeOnboarding: defineEndpoint({
    ...common,
    method: 'POST',
    path: '/v1/onboarding/complete',
    summary:
      'Complete the onboarding. If an environment is given, the chosen mode is applied to it; this requires environment:set_mode and, to reduce enforcement, a step-up.',
    permissions: { none: 'users can complete their own onboarding' },
    mayNeed: ['environment:read', 'environment:set_mode', 'step_up'],
    body: closedObject({ environment_id: Type.Optional(id('Environment that the chosen mode is applied to.')) }),
    bodyOptional: true,
    result: Onboarding,
    emits: ['onboarding.completed', 'environment.mode_changed'],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'INVALID_STATE_TRANSITION'],
  }),
};
