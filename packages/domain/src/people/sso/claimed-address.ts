import type { EmailTrust } from '@svc/contract/people/sso.ts';
import { getAddressDomain } from './address-domain.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Why the address of a user at the first sign-in is not accepted. */
export type AddressFault = 'EMAIL_MISSING' | 'EMAIL_VERIFIED_MISSING' | 'EMAIL_VERIFIED_FALSE';

export type ClaimedAddress = { readonly email: string; readonly domain: string };

const ADDRESS_CHARS_MAX = 254;

const isAbsent = (claim: unknown): claim is null | undefined => claim === undefined || claim === null;

const lowerCase = (claim: unknown): unknown => (typeof claim === 'string' ? claim.toLowerCase() : claim);

/**
 * Joins the claims of userinfo to those of the ID token, which is signed and counts first. `email` and `email_verified` come from one of the two
 * documents: from userinfo only if the ID token has no address, or has the same one and does not state whether it is verified.
 */
export const withUserInfo = <IdToken extends Claims>(idToken: IdToken, userInfo: Claims): IdToken => {
  const isSame = isAbsent(idToken.email_verified) && lowerCase(idToken.email) === lowerCase(userInfo.email);
  const { email, email_verified } = isAbsent(idToken.email) || isSame ? userInfo : idToken;
  return { ...userInfo, ...idToken, email, email_verified };
};

/** Reads the address that a provider states for a person, if the connection trusts it. Some providers send `email_verified` as text. */
export const claimedAddress = ({ email, email_verified }: Claims, trust: EmailTrust): ClaimedAddress | { readonly fault: AddressFault } => {
  const domain = typeof email === 'string' && email.length <= ADDRESS_CHARS_MAX ? getAddressDomain(email) : undefined;
  if (typeof email !== 'string' || domain === undefined) return { fault: 'EMAIL_MISSING' };
  if (!isAbsent(email_verified) && lowerCase(email_verified) !== 'true' && email_verified !== true)
    return { fault: 'EMAIL_VERIFIED_FALSE' };
  if (isAbsent(email_verified) && trust === 'CLAIM') return { fault: 'EMAIL_VERIFIED_MISSING' };
  return { email: email.toLowerCase(), domain };
};
