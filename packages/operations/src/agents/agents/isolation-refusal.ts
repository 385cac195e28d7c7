import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { hasFreshStepUp, type SteppedUp, stepUpRefusal } from '../../people/auth/step-up.ts';

type Lifting = SteppedUp & { readonly now: Date; readonly holds: (permission: 'emergency:execute') => boolean };

/** Returns why the caller may not lift the isolation of an agent: isolation is an emergency control, and so is lifting it. */
export const findIsolationRefusal = (caller: Lifting): Refusal<'PERMISSION_DENIED' | 'STEP_UP_REQUIRED'> | undefined => {
  if (!caller.holds('emergency:execute'))
    return buildRefusal('PERMISSION_DENIED', 'Lifting the isolation of an agent requires emergency:execute.', {
      permission: 'emergency:execute',
    });
  return hasFreshStepUp(caller, caller.now) ? undefined : stepUpRefusal(caller);
};
