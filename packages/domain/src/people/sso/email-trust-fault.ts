import type { EmailTrust } from '@svc/contract/people/sso.ts';
import { isSharedIssuer } from './shared-issuer.ts';

type Trusting = {
  readonly kind: 'OIDC' | 'SAML';
  readonly email_trust: EmailTrust;
  readonly issuer: string;
  readonly domains: readonly unknown[];
};

/**
 * Returns why a connection cannot trust addresses by their domain, or undefined. With SAML, which has no other way by default, a domain may
 * be added later.
 */
export const findEmailTrustFault = ({ kind, email_trust, issuer, domains }: Trusting): string | undefined => {
  if (email_trust !== 'VERIFIED_DOMAINS') return undefined;
  if (isSharedIssuer(issuer))
    return 'This issuer is shared by many organizations. Use the issuer of your own tenant in a new connection, or keep CLAIM.';
  if (kind === 'OIDC' && domains.length === 0) return 'Name at least one of your domains in domains, and verify it.';
  return undefined;
};
