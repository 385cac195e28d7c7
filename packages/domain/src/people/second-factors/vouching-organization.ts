import { hasSecondFactor, listProofsElsewhere, type SessionProofs } from '@svc/contract/tables/proofs.ts';

/** A second factor of a person, as it is locked. */
export type HeldFactor = {
  readonly id: string;
  readonly isConfirmed: boolean;
  /** The organization in which alone it counts; null if it counts in all. */
  readonly vouchedBy: string | null;
};

type Session = SessionProofs & { readonly organizationId: string };

/**
 * Returns the organization in which alone a factor counts that this session enrols, or null if it counts in all. A session acts for the whole
 * account with a password or passkey of the person, and with a second factor of their own if they have one: a password together with a factor
 * that a provider vouched for is not enough.
 */
export const getVouchingOrganization = (session: Session, factors: readonly HeldFactor[]): string | null => {
  const own = listProofsElsewhere(session);
  const hasOwnFactor = factors.some(({ isConfirmed, vouchedBy }) => isConfirmed && vouchedBy === null);
  return own.length > 0 && (!hasOwnFactor || hasSecondFactor(own)) ? null : session.organizationId;
};
