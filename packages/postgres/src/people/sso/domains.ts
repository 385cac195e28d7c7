import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Key = { readonly organization_id: string; readonly domain: string };

export type NewDomain = Key & { readonly connection_id: string; readonly challenge: string; readonly now: Date };

/** Returns false if another connection of the organization has it. */
export const insertDomain = async (tx: TenantTransaction, { now, ...row }: NewDomain): Promise<boolean> => {
  const result = await tx
    .insertInto('sso_domains')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'domain']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
};

export const deleteDomain = async (tx: TenantTransaction, { organization_id, domain }: Key): Promise<void> => {
  await tx.deleteFrom('sso_domains').where('organization_id', '=', organization_id).where('domain', '=', domain).execute();
};

/** A verified domain is one organization's: a second one meets the constraint `sso_domains_are_verified_once`. */
export const markVerified = async (tx: TenantTransaction, { organization_id, domain }: Key, now: Date): Promise<void> => {
  await tx
    .updateTable('sso_domains')
    .set({ verified_at: now })
    .where('organization_id', '=', organization_id)
    .where('domain', '=', domain)
    .execute();
};

/** Returns true if the organization has proved that it owns the domain, and for a connection if one is named. */
export const isVerifiedDomain = async (tx: TenantTransaction, { organization_id, domain }: Key, connectionId?: string): Promise<boolean> =>
  (await tx
    .selectFrom('sso_domains')
    .select('domain')
    .where('organization_id', '=', organization_id)
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .$if(connectionId !== undefined, (query) => query.where('connection_id', '=', connectionId ?? ''))
    .executeTakeFirst()) !== undefined;
