import type { Database } from '@svc/postgres/connection/connect.ts';
import { markFolded } from '@svc/postgres/risk/fold-conduct.ts';
import type { Logger } from 'pino';
import { lookEvery } from '../look-every.ts';
import { CONDUCT_CONSUMER, DECIDED_TYPES } from './fold-conduct.ts';

const LOOK_EVERY_MS = 2_000;

/** Records every two seconds how far histories are folded, so that gateways know when they are too old. */
export const watchConduct = (reader: Database, log: Logger): { readonly stop: () => Promise<void> } =>
  lookEvery(
    LOOK_EVERY_MS,
    () => markFolded(reader, CONDUCT_CONSUMER, DECIDED_TYPES),
    (err) => log.error({ err }, 'the progress of histories of agents could not be noted'),
  );
