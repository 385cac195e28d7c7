import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Passwords } from '@svc/keyring/passwords/password.ts';

/** Of one organization at once. Who signs in often has many sessions, and still only this share of the lane. */
const OF_ONE_MAX = 4;

/** Where the passwords of people who are signed in are checked: in a lane apart from those of strangers, in fair shares. */
export type StepUpLane = { readonly passwords: Passwords; readonly underWay: Map<string, number> };

export const newStepUpLane = (passwords: Passwords): StepUpLane => ({ passwords, underWay: new Map() });

type Proof = { readonly organizationId: string; readonly stored: string | null; readonly password: string };

/** Whether the password is right. No flood of sign-ins, and no other organization, keeps anybody from it. */
export const checkStepUp = async (
  { passwords, underWay }: StepUpLane,
  { organizationId, stored, password }: Proof,
): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const count = underWay.get(organizationId) ?? 0;
  if (count >= OF_ONE_MAX)
    return refusal('RATE_LIMITED', 'Too many passwords of this organization are being checked at once.', { retry_after_seconds: 1 });
  underWay.set(organizationId, count + 1);
  try {
    return await passwords.verify(stored, password, 'signed in');
  } finally {
    const left = (underWay.get(organizationId) ?? 1) - 1;
    if (left === 0) underWay.delete(organizationId);
    else underWay.set(organizationId, left);
  }
};
