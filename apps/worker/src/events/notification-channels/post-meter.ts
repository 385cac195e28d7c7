import type { SettledPost } from '@svc/postgres/events/notification-channels/settle-post.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';

const OUTCOMES = ['sent', 'failed', 'put_off'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Deferred: what may not be sent now, and a pause that a receiver requests; neither counts as a failure. */
const getOutcome = ({ arrived, counts }: Pick<SettledPost, 'arrived' | 'counts'>): Outcome => {
  if (arrived === true) return 'sent';
  return counts ? 'failed' : 'put_off';
};

/** Counts this worker's posts to notification channels. */
export const newPostMeter = (underWay: () => number) => {
  const counts: Record<Outcome, number> = { sent: 0, failed: 0, put_off: 0 };
  const metrics: readonly Metric[] = [
    {
      name: 'svc_channel_posts_total',
      help: 'Posts to notification channels, by outcome.',
      type: 'counter',
      samples: () => OUTCOMES.map((outcome) => ({ labels: { outcome }, value: counts[outcome] })),
    },
    {
      name: 'svc_channel_posts_under_way',
      help: 'Posts to notification channels in progress.',
      type: 'gauge',
      samples: () => [{ labels: {}, value: underWay() }],
    },
  ];
  return {
    ended: (settled: Pick<SettledPost, 'arrived' | 'counts'>): void => {
      counts[getOutcome(settled)] += 1;
    },
    metrics,
  };
};

export type PostMeter = ReturnType<typeof newPostMeter>;
