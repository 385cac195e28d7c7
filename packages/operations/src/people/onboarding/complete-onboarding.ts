import { bodyFault, isRefusal, refusal } from '@svc/contract/rows/refusal.ts';
import { MODES } from '@svc/contract/tables/vocabulary.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type StoredOnboarding, takeCompletion } from '@svc/postgres/people/onboarding.ts';
import { setMode } from '../../tenancy/environments/set-mode.ts';
import type { Acting } from '../auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../auth/step-up.ts';

type CompleteOnboardingRequest = Acting & {
  readonly steppedUpUntil: string | null;
  /** The environment that gets the chosen mode; null for none. */
  readonly environmentId: string | null;
};

const NO_MODE = 'No mode is chosen that could be applied: save one with PUT /v1/onboarding/steps/mode, or name no environment.';

/** Sets the chosen mode, under the same rules as the endpoint of modes. */
const applyMode = (
  change: Change<'environment.mode_changed'>,
  { scope, actor, now, steppedUpUntil }: CompleteOnboardingRequest,
  { answers }: StoredOnboarding,
  environmentId: string,
) => {
  const mode = MODES.find((each) => each === answers.mode?.answers.mode);
  if (mode === undefined) return bodyFault('/environment_id', NO_MODE);
  const refuseReducing = () => (hasFreshStepUp({ actor, steppedUpUntil }, now) ? undefined : stepUpRefusal({ actor }));
  const reason = 'Chosen at onboarding.';
  return setMode(change, { organizationId: scope.organization_id, environmentId, mode, reason, refuseReducing, now });
};

/** Completes the onboarding of a user, once. */
export const completeOnboarding = async (
  change: Change<'onboarding.completed' | 'environment.mode_changed'>,
  request: CompleteOnboardingRequest,
) => {
  const { scope, actor, now, environmentId } = request;
  const key = { organization_id: scope.organization_id, user_id: actor.id };
  const stored = await takeCompletion(change.tx, key, environmentId, now);
  if (!stored)
    return refusal('INVALID_STATE_TRANSITION', 'The onboarding is complete already.', {
      operation: 'complete',
      from: 'COMPLETED',
      allowed_from: ['OPEN'],
    });
  const applied = environmentId === null ? undefined : await applyMode(change, request, stored, environmentId);
  if (isRefusal(applied)) return applied;
  const data = { steps: Object.keys(stored.answers), environment_id: environmentId, mode: applied?.mode ?? null };
  change.emit('onboarding.completed', { ...about.user(actor), data });
  return undefined;
};
