import { mayReceiveEvent, voucherRights } from '@svc/domain/events/webhooks/voucher.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import { readVouchers } from '@svc/postgres/events/webhooks/read-vouchers.ts';

/** Cache lifetime of permissions: losing them ends deliveries within this time. */
const KNOWN_MS = 1_000;
const KNOWN_MAX = 5_000;

const NO_MAKER =
  'The user whose permissions the subscription uses may no longer create subscriptions. A user who may must change or re-enable it, and redeliver this.';
const NOT_COVERED = 'The subscription no longer includes this event.';
const UNSEEN = 'The user whose permissions the subscription uses may no longer read this event.';

/** Returns why deliveries may not be made: by the current scope of their subscription, and by the permissions of its creator. */
export const newVouchers = ({ identity, clock }: { readonly identity: Database; readonly clock: () => Date }) => {
  const known = new Map<string, { readonly rights: Rights | undefined; readonly readAt: number }>();
  const getKey = ({ organization_id, vouched_by }: ClaimedDelivery): string => `${organization_id} ${vouched_by}`;
  const read = async (deliveries: readonly ClaimedDelivery[]): Promise<void> => {
    if (known.size > KNOWN_MAX) known.clear();
    const since = performance.now() - KNOWN_MS;
    const asked = new Map(deliveries.map((each) => [getKey(each), { organization_id: each.organization_id, id: each.vouched_by }]));
    for (const key of asked.keys()) if ((known.get(key)?.readAt ?? Number.NEGATIVE_INFINITY) > since) asked.delete(key);
    const readAt = performance.now();
    const links = await readVouchers(identity, [...asked.values()]);
    [...asked.keys()].forEach((key, index) => {
      known.set(key, { rights: voucherRights(links[index] ?? [], clock().getTime()), readAt });
    });
  };
  return {
    read,
    /** Uses what was just read. */
    faultOf: (delivery: ClaimedDelivery): string | undefined => {
      const rights = known.get(getKey(delivery))?.rights;
      if (rights === undefined) return NO_MAKER;
      if (!delivery.is_covered) return NOT_COVERED;
      return delivery.is_test || mayReceiveEvent(rights, delivery) ? undefined : UNSEEN;
    },
  };
};

export type Vouchers = ReturnType<typeof newVouchers>;
