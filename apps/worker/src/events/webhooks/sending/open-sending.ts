import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { claimDeliveries } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import { putBack } from '@svc/postgres/events/webhooks/settle-deliveries.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import { newAttempts } from './new-attempts.ts';
import { newVouchers } from './new-vouchers.ts';
import type { SendDeps } from './send-delivery.ts';
import { newSendMeter } from './send-meter.ts';
import { serveReceivers } from './serve-receivers.ts';
import { type SettleDeps, settleEnded } from './settle-ended.ts';

export type SendingDeps = SendDeps &
  SettleDeps & {
    /** Reads what people and keys may do. */
    readonly identity: Database;
    /** Identifies this worker among several. */
    readonly worker: string;
  };

export type WebhookSender = {
  readonly metrics: readonly Metric[];
  /** Starts no more attempts, gives running ones some time, and releases the receivers. */
  readonly stop: () => Promise<void>;
};

const { lookEveryMs, stopTimeoutMs } = LIMITS.webhooks;
/** Results within this time are stored together. */
const TOGETHER_MS = 4;
const AFTER_BREAKAGE_MS = 500;

const newParts = (deps: SendingDeps, onEnd: () => void) => {
  const receivers = serveReceivers(deps.reader, deps.worker);
  const vouchers = newVouchers(deps);
  const attempts = newAttempts({
    ...deps,
    faultOf: vouchers.faultOf,
    onEnd: (ended) => {
      const { attempt, delivery } = ended;
      meter.ended(ended);
      const isKnown = attempt !== null && ended.asked !== 'again';
      receivers.ended(delivery.subscription_id, isKnown ? { arrived: attempt.reason === null, durationMs: attempt.duration_ms } : null);
      onEnd();
    },
  });
  const meter = newSendMeter(attempts.count, receivers.count);
  return { receivers, vouchers, attempts, meter };
};

type Parts = ReturnType<typeof newParts>;

const settle = async (deps: SendingDeps, { attempts }: Parts): Promise<void> => {
  const ended = attempts.takeEnded();
  if (ended.length === 0) return;
  await settleEnded(deps, ended).catch((error: unknown) => {
    attempts.giveBack(ended);
    throw error;
  });
};

const claim = async (deps: SendingDeps, { receivers, vouchers, attempts }: Parts): Promise<void> => {
  const rooms = receivers.rooms();
  if (rooms.size === 0) return;
  const claimed = await claimDeliveries(deps.reader, deps.worker, rooms);
  const of = Map.groupBy(claimed, ({ subscription_id }) => subscription_id);
  for (const [id, { room }] of rooms) receivers.began(id, of.get(id)?.length ?? 0, room);
  await vouchers.read(claimed).catch(async (error: unknown) => {
    for (const { subscription_id } of claimed) receivers.ended(subscription_id, null);
    await putBack(deps.reader, claimed);
    throw error;
  });
  for (const delivery of claimed) attempts.begin(delivery);
};

/**
 * Sends due deliveries: takes receivers under a lease, starts what the capacity permits, and records the results. No database connection is
 * held during a call. After a failure a delivery is due again when its lease expires.
 */
export const openSending = (deps: SendingDeps): WebhookSender => {
  let isStopping = false;
  let wake: () => void = () => undefined;
  const parts = newParts(deps, () => wake());
  const { receivers, attempts, meter } = parts;
  let lookedAt = 0;
  const round = async (): Promise<void> => {
    await settle(deps, parts);
    if (performance.now() - lookedAt > lookEveryMs) {
      lookedAt = performance.now();
      await receivers.look();
    }
    await claim(deps, parts);
  };
  const guarded = async (work: () => Promise<void>): Promise<boolean> => {
    const went = await runOrRefuse(work, (err) => deps.log.error({ err }, 'sending webhooks failed and will be retried'));
    return !isRefusal(went);
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!(await guarded(round))) await sleep(AFTER_BREAKAGE_MS);
      if (!attempts.hasEnded()) await Promise.race([woken, sleep(lookEveryMs)]);
      await sleep(TOGETHER_MS);
    }
  };
  const running = run();
  return {
    metrics: meter.metrics,
    stop: async () => {
      isStopping = true;
      wake();
      await running;
      await Promise.race([attempts.whenDone(), sleep(stopTimeoutMs)]);
      await attempts.close();
      await guarded(() => settle(deps, parts));
      await guarded(receivers.leave);
    },
  };
};
