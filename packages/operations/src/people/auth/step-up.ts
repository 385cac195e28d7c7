import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Actor } from '@svc/postgres/change/change.ts';

/** A caller, and the time until which its step-up is valid; null if it has none, and always null for an API key. */
export type SteppedUp = { readonly actor: Pick<Actor, 'type'>; readonly steppedUpUntil: string | null };

export const hasFreshStepUp = ({ actor, steppedUpUntil }: SteppedUp, now: Date): boolean =>
  actor.type === 'USER' && steppedUpUntil !== null && Date.parse(steppedUpUntil) > now.getTime();

/** Refuses a caller without a step-up; an API key of any role always, since a step-up needs a person. */
export const stepUpRefusal = ({ actor }: Pick<SteppedUp, 'actor'>, why?: string): Refusal<'STEP_UP_REQUIRED'> =>
  buildRefusal(
    'STEP_UP_REQUIRED',
    actor.type === 'USER' || why !== undefined ? why : 'This operation requires a user who re-authenticates; an API key cannot.',
  );
