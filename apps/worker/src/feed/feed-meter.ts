import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';

type Count = { events: number; failures: number; leftOut: number; putBack: number; oldestMs: number | undefined };

export type FeedStand = 'ok' | 'behind';

/** Metrics of the feed consumers. */
export type FeedMeter = {
  readonly took: (consumer: string, events: number) => void;
  readonly failed: (consumer: string) => void;
  /** Counts omitted events of an organization. */
  readonly leftOut: (consumer: string, events: number) => void;
  /** Counts positions that skipped events and were reset. */
  readonly putBack: (consumer: string) => void;
  /** Records the time of the oldest event that a consumer has not taken; undefined if it is up to date. */
  readonly standsAt: (consumer: string, oldestMs: number | undefined) => void;
  /** Returns whether a consumer is `LIMITS.feed.behindMs` or more behind. */
  readonly stand: () => FeedStand;
  readonly metrics: readonly Metric[];
};

const listMetrics = (counts: ReadonlyMap<string, Count>, behindMs: (count: Count) => number): readonly Metric[] => {
  const told = (name: string, help: string, type: Metric['type'], read: (count: Count) => number): Metric => ({
    name,
    help,
    type,
    samples: () => [...counts].map(([consumer, count]) => ({ labels: { consumer }, value: read(count) })),
  });
  return [
    told('svc_feed_events_total', 'Feed events processed by this process.', 'counter', ({ events }) => events),
    told('svc_feed_failures_total', 'Failures of feed consumers in this process.', 'counter', ({ failures }) => failures),
    told(
      'svc_feed_left_out_total',
      'Events of an organization that a consumer skipped, because the database refused their result.',
      'counter',
      ({ leftOut }) => leftOut,
    ),
    told(
      'svc_feed_put_back_total',
      'Times that a consumer position was found ahead of unprocessed events.',
      'counter',
      ({ putBack }) => putBack,
    ),
    told(
      'svc_feed_behind_seconds',
      'Age of the oldest event that a consumer has not processed.',
      'gauge',
      (count) => behindMs(count) / 1_000,
    ),
  ];
};

export const newFeedMeter = (consumers: readonly string[], nowMs: () => number): FeedMeter => {
  const counts = new Map<string, Count>(
    consumers.map((name) => [name, { events: 0, failures: 0, leftOut: 0, putBack: 0, oldestMs: undefined }]),
  );
  const getCount = (consumer: string): Count => {
    const count = counts.get(consumer);
    if (count === undefined) throw new Error(`${consumer} is no consumer`);
    return count;
  };
  const behindMs = ({ oldestMs }: Count): number => (oldestMs === undefined ? 0 : Math.max(0, nowMs() - oldestMs) || 0);
  return {
    took: (consumer, events) => {
      getCount(consumer).events += events;
    },
    failed: (consumer) => {
      getCount(consumer).failures += 1;
    },
    leftOut: (consumer, events) => {
      getCount(consumer).leftOut += events;
    },
    putBack: (consumer) => {
      getCount(consumer).putBack += 1;
    },
    standsAt: (consumer, oldestMs) => {
      getCount(consumer).oldestMs = oldestMs;
    },
    stand: () => ([...counts.values()].some((count) => behindMs(count) >= LIMITS.feed.behindMs) ? 'behind' : 'ok'),
    metrics: listMetrics(counts, behindMs),
  };
};
