import type { Proof } from '@svc/contract/tables/proofs.ts';

/** Words of RFC 8176 for more than a password. */
const SECOND = new Set(['mfa', 'otp', 'hwk', 'swk', 'sms', 'fpt', 'face', 'iris', 'pop', 'sc', 'tel']);

/** Returns what a sign-in at a provider proves. Its claim of a second factor counts only if the organization trusts it. */
export const listProofs = (
  claims: Readonly<Record<string, unknown>>,
  { trusts_mfa }: { readonly trusts_mfa: boolean },
): readonly Proof[] => {
  const { amr } = claims;
  const said = trusts_mfa && Array.isArray(amr) && amr.slice(0, 50).some((word) => SECOND.has(word));
  return said ? ['SSO_MFA'] : ['SSO'];
};
