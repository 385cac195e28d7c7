import type { PlaceSemaphore } from '@svc/fairness/semaphore/place-semaphore.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { waitingForShare } from '@svc/postgres/connection/connection-shares.ts';
import { poolCounts } from '@svc/postgres/connection/pool-counts.ts';
import { type OnBatch, RECORDER_QUEUES } from '@svc/postgres/recorder/open-queues.ts';
import type { Recorder } from '@svc/postgres/recorder/open-recorder.ts';
import { newHistogram } from '@svc/program/metrics/histogram.ts';
import { type Metric, newGauge } from '@svc/program/metrics/metric.ts';

/** Returns the metrics of connection pools by name, and of the queues in front of them. */
export const buildPoolMetrics = (pools: Readonly<Record<string, Database>>): Metric[] => {
  const all = Object.entries(pools);
  return [
    {
      name: 'svc_database_connections',
      help: 'Open connections to the database, by pool.',
      type: 'gauge',
      samples: () =>
        all.flatMap(([pool, database]) => {
          const { in_use, idle } = poolCounts(database);
          return [
            { labels: { pool, state: 'in_use' }, value: in_use },
            { labels: { pool, state: 'idle' }, value: idle },
          ];
        }),
    },
    newGauge('svc_database_waiting', 'Transactions waiting for a connection or their share of connections.', 'pool', () =>
      Object.fromEntries(all.map(([pool, database]) => [pool, poolCounts(database).waiting + waitingForShare(database)])),
    ),
  ];
};

const ROWS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Creates the histogram of rows per recorder batch. */
export const newBatchMeter = (): { readonly onBatch: OnBatch; readonly metric: Metric } => {
  const { observe, metric } = newHistogram({
    name: 'svc_recorder_batch_rows',
    help: 'Batches sent by the recorder, by number of rows.',
    label: 'queue',
    values: RECORDER_QUEUES,
    bounds: ROWS,
  });
  return { onBatch: observe, metric };
};

export const getRecorderMetric = (recorder: Recorder): Metric =>
  newGauge('svc_recorder_queued', 'Items waiting for a batch.', 'queue', () =>
    Object.fromEntries(RECORDER_QUEUES.map((queue) => [queue, recorder.queued(queue)])),
  );

/** Returns the number of agent requests that are being decided, wait for a downstream, or wait for a slot. */
export const getSlotMetrics = (places: PlaceSemaphore): Metric =>
  newGauge('svc_places', 'Agent requests in progress, by activity.', 'state', places.counts);
