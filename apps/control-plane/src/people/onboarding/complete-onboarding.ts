import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Mode } from '@svc/contract/tables/vocabulary.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { completeOnboarding as complete } from '@svc/operations/people/onboarding/complete-onboarding.ts';
import { setMode as setEnvironmentMode } from '@svc/operations/tenancy/environments/set-mode.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatOnboarding } from './progress/tell-onboarding.ts';

/** Sets a mode like the endpoint for modes: with its step-up and its event. */
const setMode =
  ({ caller, now }: Call<Endpoints['completeOnboarding']>) =>
  (change: Change<'environment.mode_changed'>, environmentId: string, mode: Mode) => {
    const refuseReducing = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
    const reason = 'Chosen at onboarding.';
    return setEnvironmentMode(change, { organizationId: caller.organizationId, environmentId, mode, reason, refuseReducing, now });
  };

export const completeOnboarding: Handler<Endpoints['completeOnboarding'], PeopleDeps> = (call, { urls }) => {
  const { caller, now } = call;
  const environmentId = call.body?.environment_id ?? null;
  if (environmentId !== null && !call.holds('environment:set_mode'))
    return call.refuse('PERMISSION_DENIED', undefined, { permission: 'environment:set_mode' });
  const request = { organizationId: caller.organizationId, actor: caller.actor, now, environmentId, setMode: setMode(call) };
  return call.change(async (change) => (await complete(change, request)) ?? formatOnboarding(change.tx, call, urls));
};
