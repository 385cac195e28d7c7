import type { Proof } from '@svc/contract/tables/proofs.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { decideDeviceApproval, hasDeviceApproval } from '@svc/postgres/people/device-approvals.ts';
import type { CallContext } from '../auth/acting.ts';

/** The user who decides, in the session of this credential. */
export type DecideRequest = CallContext & {
  readonly credentialId: string;
  readonly amr: readonly Proof[];
  readonly deviceApprovalId: string;
};

export const OVER = 'This sign-in was already decided or has expired.';

/** Decides the caller's own request once. The right number approves, a wrong one refuses; null refuses. */
export const decideDevice = async (
  { tx, emit }: Change<'user.mfa_device_approval_decided'>,
  { scope, actor, now, credentialId, amr, deviceApprovalId: id }: DecideRequest,
  number: number | null,
) => {
  const mine = { organizationId: scope.organization_id, userId: actor.id, now };
  if (!(await hasDeviceApproval(tx, mine, id))) return 'unknown';
  if (number !== null && !hasSecondFactor(amr)) return 'weak';
  const decided = await decideDeviceApproval(tx, mine, id, { sessionId: credentialId, number });
  if (!decided) return 'over';
  const { isApproved } = decided;
  const data = { device_approval_id: id, approved: isApproved, wrong_number: number !== null && !isApproved };
  emit('user.mfa_device_approval_decided', { ...about.user(actor), data });
  return isApproved ? 'approved' : 'denied';
};
