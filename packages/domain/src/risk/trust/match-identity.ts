import type { TrustIdentity } from '@svc/contract/risk/trust/trust-shapes.ts';

/** Identity that a verified certificate states. */
export type CertificateIdentity = { readonly issuer: string; readonly subject: string };

/** Host and owner at least, so that a prefix never admits everyone at a host. */
const URL_PREFIX = /^https:\/\/[a-z0-9.-]+\/[A-Za-z0-9._-]+\/(?:[\x21-\x7e]*[/@])?$/;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** Path segments by which a subject leads elsewhere than its first part says. */
const LEADS_AWAY = /(?:^|\/)\.{1,2}(?:\/|$|@)|%|\\/;

/** Returns what is wrong with a registered identity; undefined if nothing is. */
export const findIdentityFault = ({ issuer, subject, subject_prefix }: TrustIdentity): string | undefined => {
  if ((subject === undefined) === (subject_prefix === undefined)) return 'must have exactly one of subject and subject_prefix';
  if (!PRINTABLE.test(issuer) || !PRINTABLE.test(subject ?? subject_prefix ?? '')) return 'must be printable ASCII without spaces';
  if (subject_prefix === undefined) return undefined;
  if (LEADS_AWAY.test(subject_prefix)) return 'must not contain %, \\ or dot segments in subject_prefix';
  return URL_PREFIX.test(subject_prefix)
    ? undefined
    : 'must have a subject_prefix that ends in / or @ and names a host and an owner, such as https://github.com/acme/';
};

type Match = { readonly isExact: boolean };

const matchesPrefix = (prefix: string, subject: string): boolean =>
  subject.startsWith(prefix) && subject.length > prefix.length && PRINTABLE.test(subject) && !LEADS_AWAY.test(subject);

/**
 * Compares the identity of a certificate with registered ones, byte by byte: no pattern, no case folding and no normalization. An exact subject is
 * preferred to a prefix. Undefined if none matches.
 */
export const matchIdentity = (identities: readonly TrustIdentity[], { issuer, subject }: CertificateIdentity): Match | undefined => {
  const ofIssuer = identities.filter((identity) => identity.issuer === issuer);
  if (ofIssuer.some((identity) => identity.subject === subject)) return { isExact: true };
  return ofIssuer.some(({ subject_prefix }) => subject_prefix !== undefined && matchesPrefix(subject_prefix, subject))
    ? { isExact: false }
    : undefined;
};
