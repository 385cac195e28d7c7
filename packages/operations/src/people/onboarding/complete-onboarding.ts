import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { RefusedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { MODES, type Mode } from '@svc/contract/tables/vocabulary.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change, EventActor } from '@svc/postgres/change/change.ts';
import { takeCompletion } from '@svc/postgres/people/onboarding.ts';

type Completing = Change<'onboarding.completed' | 'environment.mode_changed'>;

type CompleteOnboardingRequest = {
  readonly organizationId: string;
  readonly actor: EventActor;
  readonly now: Date;
  /** The environment that gets the chosen mode; null for none. */
  readonly environmentId: string | null;
  /** Sets the mode of that environment, under the rules of the endpoint for modes. */
  readonly setMode: (
    change: Completing,
    environmentId: string,
    mode: Mode,
  ) => Promise<{ readonly mode: Mode } | Refusal<RefusedBy<Endpoints['completeOnboarding']>>>;
};

const NO_MODE = 'No mode is chosen that could be applied: save one with PUT /v1/onboarding/steps/mode, or name no environment.';

/** Completes the onboarding of a user, once. */
export const completeOnboarding = async (
  change: Completing,
  { organizationId, actor, now, environmentId, setMode }: CompleteOnboardingRequest,
) => {
  const stored = await takeCompletion(change.tx, { organization_id: organizationId, user_id: actor.id }, environmentId, now);
  if (!stored)
    return buildRefusal('INVALID_STATE_TRANSITION', 'The onboarding is complete already.', {
      operation: 'complete',
      from: 'COMPLETED',
      allowed_from: ['OPEN'],
    });
  const chosen = MODES.find((each) => each === stored.answers.mode?.answers.mode);
  if (environmentId !== null && chosen === undefined) return refuseBody('/environment_id', NO_MODE);
  const applied = environmentId === null || chosen === undefined ? undefined : await setMode(change, environmentId, chosen);
  if (isRefusal(applied)) return applied;
  const data = { steps: Object.keys(stored.answers), environment_id: environmentId, mode: applied?.mode ?? null };
  change.emit('onboarding.completed', { ...about.user(actor), data });
  return undefined;
};
