import type { EmailTrust } from '@svc/contract/people/sso.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** The data of a connection for a sign-in. */
export type UsableConnection = {
  readonly organization_id: string;
  readonly organization_name: string;
  readonly id: string;
  readonly kind: 'OIDC' | 'SAML';
  readonly issuer: string;
  /** Null with SAML. */
  readonly client_id: string | null;
  readonly sealed_client_secret: Buffer | null;
  /** The address of the provider for requests, and its signing certificates; for SAML. */
  readonly sso_url: string | null;
  readonly certificates: readonly string[];
  readonly scopes: string[];
  readonly jit: boolean;
  readonly default_role_id: string | null;
  readonly role_claim: string | null;
  readonly role_mapping: readonly { readonly value: string; readonly role_id: string }[];
  readonly trusts_mfa: boolean;
  readonly email_trust: EmailTrust;
};

const usable = async (identity: Database, which: RawBuilder<unknown>): Promise<UsableConnection | undefined> => {
  const { rows } = await sql<UsableConnection>`
    select c.organization_id, o.name as organization_name, c.id, c.kind, c.issuer, c.client_id, c.sealed_client_secret,
           c.sso_url, c.certificates, c.scopes, c.jit,
           c.default_role_id, c.role_claim, c.role_mapping, c.trusts_mfa, c.email_trust
      from sso_connections c join organizations o on o.id = c.organization_id
     where c.status = 'ACTIVE' and ${which} order by c.id limit 1`.execute(identity);
  return rows[0];
};

/** How a sign-in selects its connection. */
export type WantedConnection =
  | { readonly connection_id: string }
  | { readonly organization_id: string }
  /** Only a verified one leads anywhere. */
  | { readonly domain: string };

/** Returns the selected active connection, before any authentication. */
export const findUsableConnection = (identity: Database, wanted: WantedConnection): Promise<UsableConnection | undefined> => {
  if ('connection_id' in wanted) return usable(identity, sql`c.id = ${wanted.connection_id}`);
  if ('organization_id' in wanted) return usable(identity, sql`c.organization_id = ${wanted.organization_id}`);
  return usable(
    identity,
    sql`exists (select from sso_domains d where d.organization_id = c.organization_id and d.connection_id = c.id
      and d.domain = ${wanted.domain} and d.verified_at is not null)`,
  );
};
