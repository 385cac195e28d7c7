import { type Selectable, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import type { Voucher } from './read-vouchers.ts';

/** Maximum per round; disabled ones do not come again, so the next rounds get the others. */
const VOUCHERS_MAX = 10_000;

export const findOrganizationsFailing = async (identity: Database, since: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from webhook_subscriptions 
     where status = 'ACTIVE' and (failing_since <= ${since} or gone_since is not null)`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** Lists the responsible principals of delivering subscriptions. */
export const listActiveVouchers = async (identity: Database): Promise<Voucher[]> => {
  const { rows } = await sql<Voucher>`
    select distinct organization_id, vouched_by as id from webhook_subscriptions where status = 'ACTIVE'
     order by 1, 2 limit ${VOUCHERS_MAX}`.execute(identity);
  return rows;
};

export type ActiveSubscription = Pick<
  Selectable<Tables['webhook_subscriptions']>,
  'organization_id' | 'id' | 'failing_since' | 'gone_since' | 'vouched_by'
>;

/** The subscriptions of one organization that deliver, locked until the transaction ends. */
export const lockActiveSubscriptions = async (tx: TenantTransaction, organizationId: string): Promise<ActiveSubscription[]> =>
  tx
    .selectFrom('webhook_subscriptions')
    .select(['organization_id', 'id', 'failing_since', 'gone_since', 'vouched_by'])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .forUpdate()
    .execute();
