import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import type { Asked } from '@svc/domain/events/webhooks/asked-of.ts';
import { retryDelayMs } from '@svc/domain/events/webhooks/backoff.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import {
  giveUpDelivery,
  noteAsked,
  noteReceivers,
  type Settled,
  settleDeliveries,
} from '@svc/postgres/events/webhooks/settle-deliveries.ts';
import { asWorker } from './as-worker.ts';

/** What came of a delivery that was claimed: an attempt, or why there was none. */
export type Ended =
  | { readonly delivery: ClaimedDelivery; readonly attempt: DeliveryAttempt; readonly asked: Asked }
  | { readonly delivery: ClaimedDelivery; readonly attempt: null; readonly reason: string };

export type SettleDeps = {
  /** As the reader of all organizations. */
  readonly reader: Database;
  /** As whoever changes something in one of them. */
  readonly database: Database;
  readonly clock: () => Date;
};

type Final = { readonly delivery: ClaimedDelivery; readonly attempt: DeliveryAttempt | null; readonly reason: string };

const giveUp = async ({ tx, emit }: Change<ClockEvent<'send-webhooks'>>, { delivery, attempt, reason }: Final): Promise<void> => {
  const { organization_id, id, subscription_id, place } = delivery;
  if (!(await giveUpDelivery(tx, { organization_id, id, attempts: delivery.attempt, reason, attempt }))) return;
  const attempts = delivery.attempt - (attempt === null ? 1 : 0);
  emit('webhook.delivery_failed', {
    ...about.webhook_subscription({ id: subscription_id, ...place }),
    data: { delivery_id: id, event_id: delivery.event_id, event_type: delivery.event_type, attempts, reason },
  });
};

/** Those of one organization together, with their events. */
const giveUpAll = async ({ database, clock }: SettleDeps, finals: readonly Final[]): Promise<void> => {
  for (const [organization_id, own = []] of Map.groupBy(finals, ({ delivery }) => delivery.organization_id))
    await change<ClockEvent<'send-webhooks'>, void>(database, asWorker({ clock }, organization_id), async (each) => {
      for (const final of own) await giveUp(each, final);
    });
};

/** Whether an attempt says nothing of the receiver and counts as none: of one delivery a few do. */
const isVoid = (ended: Ended): boolean =>
  ended.attempt !== null && ended.asked === 'again' && ended.delivery.attempt - ended.delivery.failures <= LIMITS.webhooks.staleAttemptsMax;

const planOf = (ended: Ended): Settled | Final => {
  const { delivery, attempt } = ended;
  if (attempt === null) return ended;
  const settled = { id: delivery.id, attempt };
  if (attempt.reason === null) return { ...settled, retryMs: null, counts: true };
  if (isVoid(ended)) return { ...settled, retryMs: 0, counts: false };
  const retryMs = retryDelayMs(delivery.failures + 1, randomFraction());
  const askedMs = typeof ended.asked === 'number' ? ended.asked : 0;
  return retryMs === undefined
    ? { delivery, attempt, reason: attempt.reason }
    : { ...settled, retryMs: Math.max(retryMs, askedMs), counts: true };
};

const isFinal = (plan: Settled | Final): plan is Final => 'delivery' in plan;

/** Of each receiver how its last delivery went. */
const lastOfEach = (ended: readonly Ended[]): { readonly arrived: string[]; readonly failed: string[] } => {
  const last = new Map<string, boolean>();
  for (const each of ended)
    if (each.attempt !== null && !isVoid(each)) last.set(each.delivery.subscription_id, each.attempt.reason === null);
  const of = (arrived: boolean) => [...last].flatMap(([id, each]) => (each === arrived ? [id] : []));
  return { arrived: of(true), failed: of(false) };
};

/** Of receivers what they asked for themselves. */
const askedOfEach = (ended: readonly Ended[]): readonly { readonly id: string; readonly pauseMs: number | null }[] =>
  ended.flatMap((each) => {
    if (each.attempt === null || each.asked === null || each.asked === 'again') return [];
    return [{ id: each.delivery.subscription_id, pauseMs: each.asked === 'gone' ? null : each.asked }];
  });

/** Records what came of deliveries: arrived, to be tried again, or failed for good, which is told in the record. */
export const settleEnded = async (deps: SettleDeps, ended: readonly Ended[]): Promise<void> => {
  const plans = ended.map(planOf);
  await settleDeliveries(
    deps.reader,
    plans.flatMap((plan) => (isFinal(plan) ? [] : [plan])),
  );
  await giveUpAll(deps, plans.filter(isFinal));
  await noteAsked(deps.reader, askedOfEach(ended));
  const { arrived, failed } = lastOfEach(ended);
  const isKnown = (id: string, isFailing: boolean) =>
    ended.every(({ delivery }) => delivery.subscription_id !== id || (delivery.failing_since !== null) === isFailing);
  await noteReceivers(
    deps.reader,
    arrived.filter((id) => !isKnown(id, false)),
    failed.filter((id) => !isKnown(id, true)),
  );
};
