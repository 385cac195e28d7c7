import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';

type Lifting = {
  readonly caller: KnownCaller;
  readonly now: Date;
  readonly holds: (permission: 'emergency:execute') => boolean;
  readonly refuse: (code: 'PERMISSION_DENIED', message: string, details: { readonly permission: string }) => Refusal<'PERMISSION_DENIED'>;
};

/** Returns why the caller may not lift the isolation of an agent: isolating is an emergency control, and so is undoing it. */
export const isolationRefusal = ({
  caller,
  now,
  holds,
  refuse,
}: Lifting): Refusal<'PERMISSION_DENIED' | 'STEP_UP_REQUIRED'> | undefined => {
  if (!holds('emergency:execute'))
    return refuse('PERMISSION_DENIED', 'Lifting the isolation of an agent requires emergency:execute.', { permission: 'emergency:execute' });
  return hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller);
};
