import { createsSomething, type Endpoint, stopsAtEnding } from '@svc/contract/rows/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Caller } from '../calls/call.ts';
import { type Licence, OPEN_LICENCE } from '../calls/licence.ts';

/** Returns why an organization may not do this, whoever the caller is: it awaits its deletion, or its subscription does not cover it. */
export const standingRefusal = async (
  row: Endpoint,
  { organizationId, organizationDeletesAt }: Caller,
  licence: Licence = OPEN_LICENCE,
): Promise<Refusal<'INVALID_STATE_TRANSITION' | 'SUBSCRIPTION_REQUIRED'> | undefined> => {
  if (organizationDeletesAt !== null && stopsAtEnding(row)) {
    const details = { from: 'DELETING', allowed_from: ['ACTIVE'], deletes_at: organizationDeletesAt };
    return refusal('INVALID_STATE_TRANSITION', 'The organization is scheduled for deletion. Restore it first.', details);
  }
  return createsSomething(row) && !(await licence.isActive(organizationId)) ? refusal('SUBSCRIPTION_REQUIRED') : undefined;
};
