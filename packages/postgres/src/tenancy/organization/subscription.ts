import type { Subscription } from '@svc/contract/tenancy/organization/subscription.ts';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** True if the subscription of an organization covers creating something. */
export const isSubscriptionActive = async (identity: Database, id: string): Promise<boolean> =>
  (await identity.selectFrom('organizations').select('subscription').where('id', '=', id).executeTakeFirst())?.subscription === 'ACTIVE';

/** Reads the subscription, and locks the organization until the transaction ends. */
export const lockSubscription = async (tx: TenantTransaction, id: string): Promise<Subscription> =>
  (await tx.selectFrom('organizations').select('subscription').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()).subscription;

export const updateSubscription = async (tx: TenantTransaction, id: string, subscription: Subscription): Promise<void> => {
  await tx.updateTable('organizations').set({ subscription }).where('id', '=', id).execute();
};
