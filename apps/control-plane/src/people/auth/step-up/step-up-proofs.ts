import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Passwords } from '@svc/keyring/passwords/password.ts';

/** Concurrent checks per organization. A user with many sessions gets only this share of the lane. */
const OF_ONE_MAX = 4;

/** The lane in which passwords of signed-in users are checked, separate from that of unauthenticated clients and shared fairly. */
export type StepUpLane = { readonly passwords: Passwords; readonly underWay: Map<string, number> };

export const newStepUpLane = (passwords: Passwords): StepUpLane => ({ passwords, underWay: new Map() });

type Proof = { readonly organizationId: string; readonly stored: string | null; readonly password: string };

/** True if the password is right. A flood of sign-ins, or another organization, cannot block it. */
export const checkStepUp = async (
  { passwords, underWay }: StepUpLane,
  { organizationId, stored, password }: Proof,
): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const count = underWay.get(organizationId) ?? 0;
  if (count >= OF_ONE_MAX)
    return buildRefusal('RATE_LIMITED', 'Too many passwords of this organization are being checked at once.', { retry_after_seconds: 1 });
  underWay.set(organizationId, count + 1);
  try {
    return await passwords.verify(stored, password, 'signed in');
  } finally {
    const left = (underWay.get(organizationId) ?? 1) - 1;
    if (left === 0) underWay.delete(organizationId);
    else underWay.set(organizationId, left);
  }
};
