import { isCompared, memberRulesOf } from '@svc/contract/automation.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { KnownCaller } from '../calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from './authorize.ts';

const PERSON_ONLY = 'Only a signed-in user can set this member. Remove it, or ask a user to set it.';

type MemberRefusal = Refusal<'STEP_UP_REQUIRED' | 'PERMISSION_DENIED'>;

/** Returns why the caller may not change one of these members of a body, by the contract's table of what automation may do. */
export const memberRefusal = (row: Endpoint, caller: KnownCaller, members: readonly string[], now: Date): MemberRefusal | undefined => {
  for (const [member, rule] of Object.entries(memberRulesOf(row))) {
    if (!members.includes(member)) continue;
    if (rule === 'PERSON' && caller.actor.type !== 'USER') return refusal('PERMISSION_DENIED', PERSON_ONLY, { pointer: `/${member}` });
    if (rule === 'STEP_UP' && !hasFreshStepUp(caller, now)) return { ...stepUpRefusal(caller), details: { pointer: `/${member}` } };
  }
  return undefined;
};

/** The same for a whole body, before it is validated. Nothing where the handler compares the members with what is stored. */
export const bodyRefusal = (row: Endpoint, caller: KnownCaller, body: unknown, now: Date): MemberRefusal | undefined =>
  typeof body !== 'object' || body === null || isCompared(row) ? undefined : memberRefusal(row, caller, Object.keys(body), now);
