import { type Endpoint, isCreation, isRefusedWhileEnding } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Caller } from '../calls/call.ts';
import { type Licence, OPEN_LICENCE } from '../calls/licence.ts';

/** Returns why an organization may not do this, for any caller: it awaits its deletion, or its subscription does not cover it. */
export const checkOrganizationStatus = async (
  row: Endpoint,
  { organizationId, organizationDeletesAt }: Caller,
  licence: Licence = OPEN_LICENCE,
): Promise<Refusal<'INVALID_STATE_TRANSITION' | 'SUBSCRIPTION_REQUIRED'> | undefined> => {
  if (organizationDeletesAt !== null && isRefusedWhileEnding(row)) {
    const details = { from: 'DELETING', allowed_from: ['ACTIVE'], deletes_at: organizationDeletesAt };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The organization is scheduled for deletion. Restore it first.', details);
  }
  return isCreation(row) && !(await licence.isActive(organizationId)) ? buildRefusal('SUBSCRIPTION_REQUIRED') : undefined;
};
