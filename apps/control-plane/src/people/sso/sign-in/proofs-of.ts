import type { Proof } from '@svc/contract/tables/proofs.ts';

/** Words of RFC 8176 for more than a password. */
const SECOND = new Set(['mfa', 'otp', 'hwk', 'swk', 'sms', 'fpt', 'face', 'iris', 'pop', 'sc', 'tel']);

/** What a sign-in at a provider proves. That it asked for a second factor counts only where the organization says that it trusts it so far. */
export const proofsOf = (claims: Readonly<Record<string, unknown>>, { trusts_mfa }: { readonly trusts_mfa: boolean }): readonly Proof[] => {
  const { amr } = claims;
  const said = trusts_mfa && Array.isArray(amr) && amr.slice(0, 50).some((word) => SECOND.has(word));
  return said ? ['SSO_MFA'] : ['SSO'];
};
