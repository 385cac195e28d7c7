import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import type { ReceiverRequest } from '@svc/domain/events/webhooks/receiver-request.ts';
import { computeRetryDelayMs } from '@svc/domain/events/webhooks/retry-schedule.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { type FailedDelivery, failDelivery } from '@svc/operations/events/deliveries/fail-delivery.ts';
import { change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { writeInHalves } from '@svc/postgres/connection/write-in-halves.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import {
  noteReceivers,
  recordReceiverRequests,
  removeExcerpt,
  type Settled,
  settleDeliveries,
} from '@svc/postgres/events/webhooks/settle-deliveries.ts';
import type { Logger } from 'pino';
import { createSystemContext } from '../../../system-context.ts';
import { forEachOrganization } from '../in-each-organization.ts';

/** Result of a claimed delivery: an attempt, or why there was none. */
export type FinishedDelivery =
  | { readonly delivery: ClaimedDelivery; readonly attempt: DeliveryAttempt; readonly asked: ReceiverRequest }
  | { readonly delivery: ClaimedDelivery; readonly attempt: null; readonly reason: string };

export type SettleDeps = {
  /** Reads all organizations. */
  readonly reader: Database;
  /** Writes in one organization. */
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
};

/** Logs a result that cannot be stored; the delivery is due again when its lease expires. */
const tellRefused = (log: Logger, error: unknown, of: { readonly organization_id?: string; readonly delivery_id: string }): void =>
  log.error({ err: error, ...of }, 'the database refused the outcome of a webhook delivery: it is sent again when its lease expires');

/**
 * Stores the deliveries of one organization with their events; if the database refuses them together, each alone, and then without the
 * receiver's response.
 */
const giveUpOwn = async ({ database, clock, log }: SettleDeps, organization_id: string, own: readonly FailedDelivery[]): Promise<void> => {
  const write = (finals: readonly FailedDelivery[]) =>
    change<ClockEvent<'send-webhooks'>, void>(database, createSystemContext(organization_id, clock()), async (each) => {
      for (const final of finals) await failDelivery(each, final);
    });
  const refused = await writeInHalves(own, write);
  const bare = refused.map(({ row }) => ({ ...row, attempt: row.attempt && removeExcerpt(row.attempt) }));
  for (const { row, error } of await writeInHalves(bare, write)) tellRefused(log, error, { organization_id, delivery_id: row.delivery.id });
};

const giveUpAll = (deps: SettleDeps, finals: readonly FailedDelivery[]): Promise<void> =>
  forEachOrganization(
    deps.log,
    Map.groupBy(finals, ({ delivery }) => delivery.organization_id),
    ([organization_id, own]) => giveUpOwn(deps, organization_id, own),
    ([organization_id]) => ({ organization_id }),
  );

/** True for an attempt that does not count, because it says nothing about the receiver. A delivery may have only a few of them. */
const isVoid = (ended: FinishedDelivery): boolean =>
  ended.attempt !== null && ended.asked === 'again' && ended.delivery.attempt - ended.delivery.failures <= LIMITS.webhooks.staleAttemptsMax;

const planResult = (ended: FinishedDelivery): Settled | FailedDelivery => {
  const { delivery, attempt } = ended;
  if (attempt === null) return ended;
  const settled = { id: delivery.id, attempt };
  if (attempt.reason === null) return { ...settled, retryMs: null, counts: true };
  if (isVoid(ended)) return { ...settled, retryMs: 0, counts: false };
  const retryMs = computeRetryDelayMs(delivery.failures + 1, randomFraction());
  const askedMs = typeof ended.asked === 'number' ? ended.asked : 0;
  return retryMs === undefined
    ? { delivery, attempt, reason: attempt.reason }
    : { ...settled, retryMs: Math.max(retryMs, askedMs), counts: true };
};

const isFinal = (plan: Settled | FailedDelivery): plan is FailedDelivery => 'delivery' in plan;

/** Returns the result of the last delivery of each receiver. */
const lastOfEach = (ended: readonly FinishedDelivery[]): { readonly arrived: string[]; readonly failed: string[] } => {
  const last = new Map<string, boolean>();
  for (const each of ended)
    if (each.attempt !== null && !isVoid(each)) last.set(each.delivery.subscription_id, each.attempt.reason === null);
  const of = (arrived: boolean) => [...last].flatMap(([id, each]) => (each === arrived ? [id] : []));
  return { arrived: of(true), failed: of(false) };
};

/** Returns the pauses that receivers requested. */
const askedOfEach = (ended: readonly FinishedDelivery[]): readonly { readonly id: string; readonly pauseMs: number | null }[] =>
  ended.flatMap((each) => {
    if (each.attempt === null || each.asked === null || each.asked === 'again') return [];
    return [{ id: each.delivery.subscription_id, pauseMs: each.asked === 'gone' ? null : each.asked }];
  });

/**
 * Stores the results of deliveries: delivered, to be retried, or finally failed, which is an event. They are of all organizations, and no
 * response of one receiver prevents storing another's result.
 */
export const settleEnded = async (deps: SettleDeps, ended: readonly FinishedDelivery[]): Promise<void> => {
  const plans = ended.map(planResult);
  const refused = await settleDeliveries(
    deps.reader,
    plans.flatMap((plan) => (isFinal(plan) ? [] : [plan])),
  );
  for (const { row, error } of refused) tellRefused(deps.log, error, { delivery_id: row.id });
  await giveUpAll(deps, plans.filter(isFinal));
  await recordReceiverRequests(deps.reader, askedOfEach(ended));
  const { arrived, failed } = lastOfEach(ended);
  const isKnown = (id: string, isFailing: boolean) =>
    ended.every(({ delivery }) => delivery.subscription_id !== id || (delivery.failing_since !== null) === isFailing);
  await noteReceivers(
    deps.reader,
    arrived.filter((id) => !isKnown(id, false)),
    failed.filter((id) => !isKnown(id, true)),
  );
};
