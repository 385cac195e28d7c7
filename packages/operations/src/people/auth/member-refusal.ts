import { getMemberRules } from '@svc/contract/automation.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { hasFreshStepUp, type SteppedUp, stepUpRefusal } from './step-up.ts';

const PERSON_ONLY = 'Only a signed-in user can set this member. Remove it, or ask a user to set it.';

export type MemberRefusal = Refusal<'STEP_UP_REQUIRED' | 'PERMISSION_DENIED'>;

/** Returns why the caller may not change one of these members of a body, by the contract's table of what automation may do. */
export const findMemberRefusal = (row: Endpoint, caller: SteppedUp, members: readonly string[], now: Date): MemberRefusal | undefined => {
  for (const [member, rule] of Object.entries(getMemberRules(row))) {
    if (!members.includes(member)) continue;
    if (rule === 'PERSON' && caller.actor.type !== 'USER') return buildRefusal('PERMISSION_DENIED', PERSON_ONLY, { pointer: `/${member}` });
    if (rule === 'STEP_UP' && !hasFreshStepUp(caller, now)) return { ...stepUpRefusal(caller), details: { pointer: `/${member}` } };
  }
  return undefined;
};
