import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findStepFault, isOnboardingStep } from '@svc/domain/people/onboarding/step-fault.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { saveAnswers } from '@svc/postgres/people/onboarding.ts';
import { findRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatOnboarding, getOnboardingOwner } from './progress/tell-onboarding.ts';

export const saveOnboardingStep: Handler<Endpoints['saveOnboardingStep'], PeopleDeps> = (call, { urls }) => {
  const { body, params, scope, now } = call;
  const { step } = params;
  if (!isOnboardingStep(step)) return call.refuse('NOT_FOUND', 'There is no such step.');
  const fault = findStepFault(step, body);
  if (fault) return call.fault(fault.pointer, fault.message);
  return call.change(async ({ tx }) => {
    if (body.agent_id !== undefined && !(await findAgent(tx, scope.organization_id, body.agent_id)))
      return call.fault('/agent_id', 'The agent does not exist.');
    if (body.runtime_id !== undefined && !(await findRuntime(tx, scope.organization_id, body.runtime_id)))
      return call.fault('/runtime_id', 'There is no such runtime.');
    if (!(await saveAnswers(tx, getOnboardingOwner(call), { step, answers: body, now })))
      return call.refuse('INVALID_STATE_TRANSITION', 'The onboarding is complete, and its answers stay as they are.', {
        operation: 'save',
        from: 'COMPLETED',
        allowed_from: ['OPEN'],
      });
    return formatOnboarding(tx, call, urls);
  });
};
