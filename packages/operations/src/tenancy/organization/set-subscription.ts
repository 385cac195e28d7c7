import type { Subscription } from '@svc/contract/tenancy/organization/subscription.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type ChangeContext, change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { lockSubscription, updateSubscription } from '@svc/postgres/tenancy/organization/subscription.ts';

/** Sets the subscription of an organization for the operator of the installation. Returns the previous one. */
export const setSubscription = (database: Database, context: ChangeContext, subscription: Subscription): Promise<Subscription> =>
  change<'subscription.updated', Subscription>(database, context, async ({ tx, emit }) => {
    const { organization_id: id } = context.scope;
    const before = await lockSubscription(tx, id);
    if (before === subscription) return before;
    await updateSubscription(tx, id, subscription);
    const data = { before: { subscription: before }, after: { subscription }, by: 'OPERATOR' };
    emit('subscription.updated', { ...about.organization({ id }), data });
    return before;
  });
