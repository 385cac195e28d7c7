import { memberRulesOf } from '@svc/contract/automation.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { KnownCaller } from '../calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from './authorize.ts';

const PERSON_ONLY = 'Only a signed-in person can change this member; leave it out, or have a person change it.';

/**
 * Returns why the caller may not send one of the members of a body, by the contract's table of what automation may do. A member counts when it
 * is sent, whatever its value and whatever is stored.
 */
export const memberRefusal = (
  row: Endpoint,
  caller: KnownCaller,
  body: unknown,
  now: Date,
): Refusal<'STEP_UP_REQUIRED' | 'PERMISSION_DENIED'> | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const [member, rule] of Object.entries(memberRulesOf(row))) {
    if (!Object.hasOwn(body, member)) continue;
    if (rule === 'PERSON' && caller.actor.type !== 'USER') return refusal('PERMISSION_DENIED', PERSON_ONLY, { pointer: `/${member}` });
    if (rule === 'STEP_UP' && !hasFreshStepUp(caller, now)) return { ...stepUpRefusal(caller), details: { pointer: `/${member}` } };
  }
  return undefined;
};
