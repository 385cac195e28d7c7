import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { MODES } from '@svc/contract/tables/vocabulary.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { setMode } from '@svc/operations/tenancy/environments/set-mode.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type StoredOnboarding, takeCompletion } from '@svc/postgres/people/onboarding.ts';
import type { PeopleDeps } from '../deps.ts';
import { tellOnboarding, whoseOf } from './progress/tell-onboarding.ts';

type CompleteCall = Call<Endpoints['completeOnboarding']>;

const chosenMode = ({ answers }: StoredOnboarding) => MODES.find((mode) => mode === answers.mode?.answers.mode);

/** The mode endpoint in another place, so held to the same: its permission, its step-up, its event. */
const applyMode = (call: CompleteCall, change: Change<'environment.mode_changed'>, stored: StoredOnboarding, environmentId: string) => {
  const { caller, scope, now } = call;
  const mode = chosenMode(stored);
  if (mode === undefined)
    return call.fault(
      '/environment_id',
      'No mode is chosen that could be applied: save one with PUT /v1/onboarding/steps/mode, or name no environment.',
    );
  const refuseReducing = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  const reason = 'Chosen at onboarding.';
  return setMode(change, { organizationId: scope.organization_id, environmentId, mode, reason, refuseReducing, now });
};

export const completeOnboarding: Handler<Endpoints['completeOnboarding'], PeopleDeps> = (call, { urls }) => {
  const { caller, now } = call;
  const environmentId = call.body?.environment_id ?? null;
  if (environmentId !== null && !call.holds('environment:set_mode'))
    return call.refuse('PERMISSION_DENIED', undefined, { permission: 'environment:set_mode' });
  return call.change(async (change) => {
    const stored = await takeCompletion(change.tx, whoseOf(call), environmentId, now);
    if (!stored)
      return call.refuse('INVALID_STATE_TRANSITION', 'The onboarding is complete already.', {
        operation: 'complete',
        from: 'COMPLETED',
        allowed_from: ['OPEN'],
      });
    const applied = environmentId === null ? undefined : await applyMode(call, change, stored, environmentId);
    if (isRefusal(applied)) return applied;
    const data = { steps: Object.keys(stored.answers), environment_id: environmentId, mode: applied?.mode ?? null };
    change.emit('onboarding.completed', { ...about.user(caller.actor), data });
    return tellOnboarding(change.tx, call, urls);
  });
};
