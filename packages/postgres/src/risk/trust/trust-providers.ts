import type { TrustProvider } from '@svc/contract/risk/trust/trust-shapes.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type TrustProviderRow = Selectable<Tables['trust_providers']>;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('trust_providers').selectAll().where('organization_id', '=', organizationId);

/** Newest first. */
export const listTrustProviders = (
  tx: TenantTransaction,
  organizationId: string,
  status: TrustProvider['status'] | undefined,
  part: ListedPart,
): Promise<Listed<TrustProviderRow>> => {
  const some = select(tx, organizationId).$if(status !== undefined, (query) =>
    query.where('disabled_at', status === 'ACTIVE' ? 'is' : 'is not', null),
  );
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

export const findTrustProvider = (tx: TenantTransaction, organizationId: string, id: string): Promise<TrustProviderRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst();

/** Locks the provider until the transaction ends: none is disabled while evidence of it is added. */
export const holdTrustProvider = (tx: TenantTransaction, organizationId: string, id: string): Promise<TrustProviderRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).forShare().executeTakeFirst();

export const lockTrustProvider = (tx: TenantTransaction, organizationId: string, id: string): Promise<TrustProviderRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Providers of an organization are registered one after the other, so that their bound holds. */
export const takeProviderTurn = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc trust providers ' || ${organizationId}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('trust_providers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
};

export const insertTrustProvider = async (tx: TenantTransaction, row: Insertable<Tables['trust_providers']>): Promise<void> => {
  await tx.insertInto('trust_providers').values(row).execute();
};

type Disabling = { readonly now: Date; readonly by: string; readonly reason: string };

/** Marks it as disabled. A trigger moves the epochs of the organization; a job revokes the evidence. */
export const disableProviderRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  { now, by, reason }: Disabling,
): Promise<void> => {
  await tx
    .updateTable('trust_providers')
    .set({ disabled_at: now, disabled_by: by, disabled_reason: reason, is_revoking: true })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** The oldest disabled provider whose evidence is not revoked yet. */
export const findRevokingProvider = (tx: TenantTransaction, organizationId: string): Promise<TrustProviderRow | undefined> =>
  select(tx, organizationId).where('is_revoking', '=', true).orderBy('disabled_at').orderBy('id').limit(1).executeTakeFirst();

export const endRevoking = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx
    .updateTable('trust_providers')
    .set({ is_revoking: false })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};
