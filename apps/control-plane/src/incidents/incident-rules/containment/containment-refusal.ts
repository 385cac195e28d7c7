import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { hasFreshStepUp, type SteppedUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';

type Caller = { readonly caller: SteppedUp; readonly now: Date; readonly holds: (permission: 'agent:pause') => boolean };

const NEEDS = 'A rule that pauses agents requires agent:pause.';

/** Refuses a caller who may not let a rule pause agents. */
export const findContainmentRefusal = ({ caller, now, holds }: Caller): Refusal<'STEP_UP_REQUIRED' | 'PERMISSION_DENIED'> | undefined => {
  if (!holds('agent:pause')) return buildRefusal('PERMISSION_DENIED', NEEDS, { permission: 'agent:pause' });
  return hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller);
};
