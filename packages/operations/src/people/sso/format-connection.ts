import type { SsoConnection } from '@svc/contract/people/sso.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { readProviderCertificate } from '@svc/keyring/public-keys/provider-certificate.ts';
import type { SsoConnectionWithDomains } from '@svc/postgres/people/sso/connections.ts';
import { getAcsUrl, getEntityId } from './addresses.ts';
import { getCallbackUrl } from './callback-url.ts';

/** Returns the DNS record with which the owner of a domain proves it. */
export const getDnsRecord = (domain: string, challenge: string) => ({
  type: 'TXT' as const,
  name: `_${WIRE_NAME}-challenge.${domain}`,
  value: `${WIRE_NAME}-domain-verification=${challenge}`,
});

const toldCertificates = (pems: readonly string[]): SsoConnection['certificates'] =>
  pems.map(readProviderCertificate).flatMap((read) => ('fault' in read ? [] : [read]));

/** Formats a connection for the API: states whether it has a secret, not which. */
export const formatConnection = (connection: SsoConnectionWithDomains, baseUrl: string): SsoConnection => {
  const { organization_id: _organization, sealed_client_secret, domains, ...row } = connection;
  const isSaml = row.kind === 'SAML';
  const acs = getAcsUrl(baseUrl, row.id);
  return {
    ...row,
    role_mapping: [...row.role_mapping],
    certificates: toldCertificates(row.certificates),
    service_provider: isSaml ? { entity_id: getEntityId(baseUrl, row.id), acs_url: acs } : null,
    has_client_secret: sealed_client_secret !== null,
    domains: domains.map(({ domain, challenge, verified_at }) => ({ domain, verified_at, record: getDnsRecord(domain, challenge) })),
    redirect_uris: isSaml ? [acs] : [getCallbackUrl(baseUrl, null), getCallbackUrl(baseUrl, row.id)],
  };
};

/** Formats a connection for audit events. */
export const formatSsoConnectionForAudit = (connection: SsoConnectionWithDomains) => {
  const { sealed_client_secret, organization_id: _organization, domains, created_at: _made, updated_at: _changed, ...row } = connection;
  return {
    ...row,
    certificates: toldCertificates(row.certificates).map(({ sha256 }) => sha256),
    has_client_secret: sealed_client_secret !== null,
    domains: domains.map(({ domain, verified_at }) => ({ domain, verified_at })),
  };
};
