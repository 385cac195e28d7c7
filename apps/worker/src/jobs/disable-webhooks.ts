import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { isFailingTooLong } from '@svc/domain/events/webhooks/retry-schedule.ts';
import { voucherRights } from '@svc/domain/events/webhooks/voucher.ts';
import type { RightsLink } from '@svc/domain/people/auth/effective-rights.ts';
import { disableWebhook } from '@svc/operations/events/webhooks/disable-webhook.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readVouchers } from '@svc/postgres/events/webhooks/read-vouchers.ts';
import {
  type ActiveSubscription,
  findOrganizationsFailing,
  listActiveVouchers,
  lockActiveSubscriptions,
} from '@svc/postgres/events/webhooks/to-disable.ts';
import type { Job } from './job.ts';

const ASKED_TOGETHER = 500;

/** Finds organizations with a subscription whose creator may no longer create one. */
const findOrganizationsOfLost = async (identity: Database, now: Date): Promise<string[]> => {
  const vouchers = await listActiveVouchers(identity);
  const lost: string[] = [];
  for (let from = 0; from < vouchers.length; from += ASKED_TOGETHER) {
    const asked = vouchers.slice(from, from + ASKED_TOGETHER);
    const links = await readVouchers(identity, asked);
    asked.forEach(({ organization_id }, index) => {
      if (voucherRights(links[index] ?? [], now.getTime()) === undefined) lost.push(organization_id);
    });
  }
  return lost;
};

const findReason = ({ gone_since, failing_since }: ActiveSubscription, links: readonly RightsLink[], now: Date) => {
  if (voucherRights(links, now.getTime()) === undefined) return 'RIGHTS_LOST';
  if (gone_since !== null) return 'RECEIVER_GONE';
  return isFailingTooLong(failing_since, now.getTime()) ? 'FAILING' : undefined;
};

/** Disables webhook subscriptions whose receiver is gone, that failed for days, or whose creator may no longer create one. */
export const disableWebhooks: Job<ClockEvent<'disable-webhooks'>> = {
  name: 'disable-webhooks',
  everyMs: 30_000,
  findOrganizations: async (identity, now) => {
    const since = new Date(now.getTime() - LIMITS.webhooks.disableAfterFailingSeconds * 1_000);
    const found = await Promise.all([findOrganizationsFailing(identity, since), findOrganizationsOfLost(identity, now)]);
    return [...new Set(found.flat())];
  },
  step: async (change, organizationId, now) => {
    const active = await lockActiveSubscriptions(change.tx, organizationId);
    const asked = active.map(({ organization_id, vouched_by }) => ({ organization_id, id: vouched_by }));
    const links = await readVouchers(change.tx, asked);
    for (const [index, each] of active.entries()) {
      const reason = findReason(each, links[index] ?? [], now);
      if (reason === undefined) continue;
      await disableWebhook(change, { organization_id: each.organization_id, id: each.id, now, reason });
    }
    return false;
  },
};
