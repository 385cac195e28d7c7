import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readStretchesLeft, type StretchesLeft } from '@svc/postgres/events/webhooks/stretches.ts';
import { timeOfId } from '@svc/program/ids/time-of-id.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Logger } from 'pino';
import { lookEvery } from '../../look-every.ts';

type WatchDeps = { readonly reader: Database; readonly log: Logger; readonly clock: () => Date; readonly everyMs?: number };

/** Measures periodically how far organizations are behind that had more events at once than direct deliveries are created for. */
export const measureSegments = ({ reader, log, clock, everyMs = LIMITS.webhooks.watchStretchesEveryMs }: WatchDeps) => {
  let left: StretchesLeft = { organizations: 0, oldest_id: null };
  const look = async (): Promise<void> => {
    left = await readStretchesLeft(reader);
  };
  const { stop } = lookEvery(everyMs, look, (err) => log.error({ err }, 'the lag of webhook deliveries could not be read'));
  const behindSeconds = (): number => {
    const oldestMs = left.oldest_id === null ? undefined : timeOfId(left.oldest_id);
    return oldestMs === undefined ? 0 : Math.max(0, clock().getTime() - oldestMs) / 1_000;
  };
  const gauge = (name: string, help: string, read: () => number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: () => [{ labels: {}, value: read() }],
  });
  const metrics: readonly Metric[] = [
    gauge('svc_webhook_organizations_behind', 'Organizations with events whose deliveries are not created yet.', () => left.organizations),
    gauge(
      'svc_webhook_behind_seconds',
      'Age of the last event with created deliveries, for the organization with the largest lag; 0 if there is no lag.',
      behindSeconds,
    ),
  ];
  return {
    metrics,
    stop,
  };
};
