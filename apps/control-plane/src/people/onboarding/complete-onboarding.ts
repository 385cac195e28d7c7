import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { completeOnboarding as complete } from '@svc/operations/people/onboarding/complete-onboarding.ts';
import type { ControlDeps } from '../../deps.ts';
import { tellOnboarding } from './progress/tell-onboarding.ts';

export const completeOnboarding: Handler<Endpoints['completeOnboarding'], ControlDeps> = (call, { urls }) => {
  const environmentId = call.body?.environment_id ?? null;
  if (environmentId !== null && !call.holds('environment:set_mode'))
    return call.refuse('PERMISSION_DENIED', undefined, { permission: 'environment:set_mode' });
  const request = { ...asActing(call), steppedUpUntil: call.caller.steppedUpUntil, environmentId };
  return call.change(async (change) => (await complete(change, request)) ?? tellOnboarding(change.tx, call, urls));
};
