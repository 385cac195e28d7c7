import type { SsoConnection } from '@svc/contract/people/sso.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { readProviderCertificate } from '@svc/keyring/public-keys/provider-certificate.ts';
import type { Connection } from '@svc/postgres/people/sso/connections.ts';
import { acsUrl, entityIdOf } from './addresses.ts';
import { callbackUrl } from './callback-url.ts';

/** Returns the DNS record with which the owner of a domain proves it. */
export const recordOf = (domain: string, challenge: string) => ({
  type: 'TXT' as const,
  name: `_${WIRE_NAME}-challenge.${domain}`,
  value: `${WIRE_NAME}-domain-verification=${challenge}`,
});

const toldCertificates = (pems: readonly string[]): SsoConnection['certificates'] =>
  pems.map(readProviderCertificate).flatMap((read) => ('fault' in read ? [] : [read]));

/** Formats a connection for the API: states whether it has a secret, not which. */
export const toldConnection = (connection: Connection, baseUrl: string): SsoConnection => {
  const { organization_id: _organization, sealed_client_secret, domains, ...row } = connection;
  const isSaml = row.kind === 'SAML';
  const acs = acsUrl(baseUrl, row.id);
  return {
    ...row,
    role_mapping: [...row.role_mapping],
    certificates: toldCertificates(row.certificates),
    service_provider: isSaml ? { entity_id: entityIdOf(baseUrl, row.id), acs_url: acs } : null,
    has_client_secret: sealed_client_secret !== null,
    domains: domains.map(({ domain, challenge, verified_at }) => ({ domain, verified_at, record: recordOf(domain, challenge) })),
    redirect_uris: isSaml ? [acs] : [callbackUrl(baseUrl, null), callbackUrl(baseUrl, row.id)],
  };
};

/** Formats a connection for audit events. */
export const auditedConnection = (connection: Connection) => {
  const { sealed_client_secret, organization_id: _organization, domains, created_at: _made, updated_at: _changed, ...row } = connection;
  return {
    ...row,
    certificates: toldCertificates(row.certificates).map(({ sha256 }) => sha256),
    has_client_secret: sealed_client_secret !== null,
    domains: domains.map(({ domain, verified_at }) => ({ domain, verified_at })),
  };
};
