import type { Endpoints } from '@svc/contract/endpoints.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { decideDeviceApproval, isAsked } from '@svc/postgres/people/device-approvals.ts';

/** What approving and denying are handed alike. */
type DecideCall = Pick<Call<Endpoints['approveDevice']>, 'caller' | 'now' | 'params'> & {
  readonly change: Call<Endpoints['denyDevice']>['change'];
};

export const OVER = 'This sign-in was already decided or has expired.';

/** Decides a request of the caller's own, once. A number approves where it is the right one, and refuses where it is another; null refuses. */
export const decide = ({ caller, now, params, change }: DecideCall, number: number | null) => {
  const id = params.deviceApprovalId;
  const mine = { organizationId: caller.organizationId, userId: caller.actor.id, now };
  return change(async ({ tx, emit }) => {
    if (!(await isAsked(tx, mine, id))) return 'unknown';
    if (number !== null && !hasSecondFactor(caller.amr)) return 'weak';
    const decided = await decideDeviceApproval(tx, mine, id, { sessionId: caller.credentialId, number });
    if (!decided) return 'over';
    const { isApproved } = decided;
    const data = { device_approval_id: id, approved: isApproved, wrong_number: number !== null && !isApproved };
    emit('user.mfa_device_approval_decided', { ...about.user(caller.actor), data });
    return isApproved ? 'approved' : 'denied';
  });
};
