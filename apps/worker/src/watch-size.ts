import type { Database } from '@svc/postgres/connection/connect.ts';
import { readDatabaseSize } from '@svc/postgres/service/database-size.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Logger } from 'pino';
import { lookEvery } from './look-every.ts';

const LOOK_EVERY_MS = 30_000;

/** Reads the size of the database periodically until stopped; reports nothing before the first read. */
export const watchSize = (reader: Database, log: Logger): { readonly metric: Metric; readonly stop: () => Promise<void> } => {
  let bytes: number | undefined;
  const look = async (): Promise<void> => {
    bytes = await readDatabaseSize(reader);
  };
  const { stop } = lookEvery(LOOK_EVERY_MS, look, (err) => log.error({ err }, 'the size of the database could not be read'));
  return {
    metric: {
      name: 'svc_database_bytes',
      help: 'Size of the database, indexes included.',
      type: 'gauge',
      samples: () => (bytes === undefined ? [] : [{ labels: {}, value: bytes }]),
    },
    stop,
  };
};
