import type { Metric } from '@svc/program/metrics/metric.ts';
import type { FinishedDelivery } from './settle-ended.ts';

const OUTCOMES = ['arrived', 'failed', 'not_attempted'] as const;
type Outcome = (typeof OUTCOMES)[number];

const getOutcome = ({ attempt }: FinishedDelivery): Outcome => {
  if (attempt === null) return 'not_attempted';
  return attempt.reason === null ? 'arrived' : 'failed';
};

/** Counts this worker's deliveries. */
export const newSendMeter = (underWay: () => number, receivers: () => number) => {
  const counts: Record<Outcome, number> = { arrived: 0, failed: 0, not_attempted: 0 };
  const metrics: readonly Metric[] = [
    {
      name: 'svc_webhook_attempts_total',
      help: 'Webhook delivery attempts, by outcome.',
      type: 'counter',
      samples: () => OUTCOMES.map((outcome) => ({ labels: { outcome }, value: counts[outcome] })),
    },
    {
      name: 'svc_webhook_attempts_under_way',
      help: 'Webhook deliveries in progress.',
      type: 'gauge',
      samples: () => [{ labels: {}, value: underWay() }],
    },
    {
      name: 'svc_webhook_receivers',
      help: 'Receivers of webhooks that this worker serves.',
      type: 'gauge',
      samples: () => [{ labels: {}, value: receivers() }],
    },
  ];
  return {
    ended: (ended: FinishedDelivery): void => {
      counts[getOutcome(ended)] += 1;
    },
    metrics,
  };
};
