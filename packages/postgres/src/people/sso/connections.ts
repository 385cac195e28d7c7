import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

export type ConnectionRow = Selectable<Tables['sso_connections']>;
export type DomainRow = Pick<Selectable<Tables['sso_domains']>, 'domain' | 'challenge' | 'verified_at'>;
/** A connection with its domains, in the order of the alphabet. */
export type SsoConnectionWithDomains = ConnectionRow & { readonly domains: readonly DomainRow[] };

const readDomains = async (tx: TenantTransaction, organizationId: string): Promise<(DomainRow & { connection_id: string })[]> =>
  tx
    .selectFrom('sso_domains')
    .select(['domain', 'challenge', 'verified_at', 'connection_id'])
    .where('organization_id', '=', organizationId)
    .orderBy('domain')
    .limit(LIMITS.sso.connectionsMax * LIMITS.sso.domainsMax)
    .execute();

export const listConnections = async (tx: TenantTransaction, organizationId: string): Promise<SsoConnectionWithDomains[]> => {
  const rows = await tx
    .selectFrom('sso_connections')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(LIMITS.sso.connectionsMax)
    .execute();
  const domains = rows.length === 0 ? [] : await readDomains(tx, organizationId);
  return rows.map((row) => ({ ...row, domains: domains.filter(({ connection_id }) => connection_id === row.id) }));
};

/** Changes to the connections of one organization, and what is checked before them, come one after the other. */
export const lockSsoConnections = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc sso ' || ${organizationId}, 0))`.execute(tx);
};

export const findConnection = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
): Promise<SsoConnectionWithDomains | undefined> => {
  const row = await tx
    .selectFrom('sso_connections')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return { ...row, domains: (await readDomains(tx, organizationId)).filter(({ connection_id }) => connection_id === id) };
};

type Mapped = { readonly role_mapping?: ConnectionRow['role_mapping'] };
type NewRow = Omit<Insertable<Tables['sso_connections']>, 'role_mapping'> & Required<Mapped>;
type ChangedRow = Omit<Updateable<Tables['sso_connections']>, 'role_mapping'> & Mapped;

export const insertConnection = async (tx: TenantTransaction, row: NewRow): Promise<void> => {
  await tx
    .insertInto('sso_connections')
    .values({ ...row, role_mapping: JSON.stringify(row.role_mapping) })
    .execute();
};

export const updateConnection = async (
  tx: TenantTransaction,
  key: { readonly organization_id: string; readonly id: string },
  { role_mapping, ...row }: ChangedRow,
): Promise<void> => {
  await tx
    .updateTable('sso_connections')
    .set({ ...row, ...(role_mapping === undefined ? {} : { role_mapping: JSON.stringify(role_mapping) }) })
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.id)
    .execute();
};

export const deleteConnection = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('sso_connections').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};
