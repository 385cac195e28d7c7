import { findEntityIdFault, findIssuerFault, findSsoUrlFault } from '@svc/domain/people/sso/issuer-fault.ts';
import { readProviderCertificate } from '@svc/keyring/public-keys/provider-certificate.ts';

type Kind = 'OIDC' | 'SAML';
type Named = {
  readonly issuer?: string;
  readonly client_id?: string | null | undefined;
  readonly client_secret?: string | null | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly sso_url?: string | undefined;
  readonly certificates?: readonly string[] | undefined;
};
type Fault = { readonly pointer: string; readonly message: string };

/** Members that only one kind has, and its required members. */
const OF_KIND = {
  OIDC: { own: ['client_id', 'client_secret', 'scopes'], needed: ['client_id'], called: 'OpenID Connect' },
  SAML: { own: ['sso_url', 'certificates'], needed: ['sso_url', 'certificates'], called: 'SAML' },
} as const;

const foreign = (kind: Kind, named: Named): Fault | undefined => {
  const other = OF_KIND[kind === 'SAML' ? 'OIDC' : 'SAML'];
  const found = other.own.find((name) => named[name] !== undefined && named[name] !== null);
  return found && { pointer: `/${found}`, message: `Only a connection that speaks ${other.called} has this.` };
};

const missing = (kind: Kind, named: Named): Fault | undefined => {
  const { needed, called } = OF_KIND[kind];
  const found = needed.find((name) => named[name] === undefined);
  return found && { pointer: `/${found}`, message: `A connection that speaks ${called} needs this.` };
};

const at = (pointer: string, message: string | undefined): Fault | undefined => (message === undefined ? undefined : { pointer, message });

const certificatesFault = (certificates: readonly string[]): Fault | undefined => {
  const read = certificates.map(readProviderCertificate);
  for (const [index, each] of read.entries()) if ('fault' in each) return { pointer: `/certificates/${index}`, message: each.fault };
  const prints = new Set(read.map((each) => ('sha256' in each ? each.sha256 : '')));
  return prints.size < read.length ? { pointer: '/certificates/1', message: 'This certificate stands there twice.' } : undefined;
};

/** Returns what is wrong with members that depend on the protocol of a connection; omitted members are not required in an update. */
export const findKindFault = (kind: Kind, named: Named): Fault | undefined =>
  foreign(kind, named) ??
  (named.issuer === undefined
    ? undefined
    : (missing(kind, named) ?? at('/issuer', kind === 'SAML' ? findEntityIdFault(named.issuer) : findIssuerFault(named.issuer)))) ??
  at('/sso_url', named.sso_url === undefined ? undefined : findSsoUrlFault(named.sso_url)) ??
  certificatesFault(named.certificates ?? []);

/** Normalizes certificates to their stored encoding. */
export const normalizeCertificates = (certificates: readonly string[]): string[] =>
  certificates.map(readProviderCertificate).flatMap((read) => ('pem' in read ? [read.pem] : []));
