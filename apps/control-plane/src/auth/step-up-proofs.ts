import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import { newPasswords } from '@svc/keyring/password.ts';

/** One at a time, beside the two of sign-ins: it takes its third of a processor whatever waits there. */
const LANE = { parallelMax: 1, waitingMax: 200 };
/** Of one organization at once. Who signs in often has many sessions, and still only this share of the lane. */
const OF_ONE_MAX = 4;

export type StepUpProofs = (organizationId: string, stored: string | null, password: string) => Promise<boolean | Refusal<'RATE_LIMITED'>>;

/** Checks the passwords of people who are signed in, apart from those of strangers: no flood of sign-ins keeps anybody from a step-up. */
export const newStepUpProofs = (): StepUpProofs => {
  const passwords = newPasswords(LANE);
  const underWay = new Map<string, number>();
  return async (organizationId, stored, password) => {
    const count = underWay.get(organizationId) ?? 0;
    if (count >= OF_ONE_MAX)
      return refusal('RATE_LIMITED', 'Too many passwords of this organization are being checked at once.', { retry_after_seconds: 1 });
    underWay.set(organizationId, count + 1);
    try {
      return await passwords.verify(stored, password);
    } finally {
      const left = (underWay.get(organizationId) ?? 1) - 1;
      if (left === 0) underWay.delete(organizationId);
      else underWay.set(organizationId, left);
    }
  };
};
