import type { SsoConnection } from '@svc/contract/people/sso.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { Connection } from '@svc/postgres/people/sso/connections.ts';
import { callbackUrl } from '../sign-in/callback-url.ts';

/** Where a domain's owner publishes what proves it. */
export const recordOf = (domain: string, challenge: string) => ({
  type: 'TXT' as const,
  name: `_${WIRE_NAME}-challenge.${domain}`,
  value: `${WIRE_NAME}-domain-verification=${challenge}`,
});

/** A connection as it is shown: whether it has a secret, and not which. */
export const toldConnection = (connection: Connection, baseUrl: string): SsoConnection => {
  const { organization_id: _organization, sealed_client_secret, domains, ...row } = connection;
  return {
    ...row,
    role_mapping: [...row.role_mapping],
    has_client_secret: sealed_client_secret !== null,
    domains: domains.map(({ domain, challenge, verified_at }) => ({ domain, verified_at, record: recordOf(domain, challenge) })),
    redirect_uris: [callbackUrl(baseUrl, null), callbackUrl(baseUrl, row.id)],
  };
};

/** What the record of a change says of it. */
export const auditedConnection = (connection: Connection) => {
  const { sealed_client_secret, organization_id: _organization, domains, created_at: _made, updated_at: _changed, ...row } = connection;
  return {
    ...row,
    has_client_secret: sealed_client_secret !== null,
    domains: domains.map(({ domain, verified_at }) => ({ domain, verified_at })),
  };
};
