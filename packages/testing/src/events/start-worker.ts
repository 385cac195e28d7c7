import type { FreshDatabase } from '../database/database.ts';
import { planeEnvironment } from '../planes/start-planes.ts';
import { type RunningProcess, startProcess } from '../processes/start-process.ts';

/** All receivers are on this machine. */
export const LETS_OUT = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' } as const;

/** A worker on the database of planes, which have another one for the jobs. */
export const startWorker = (database: FreshDatabase, env: Readonly<Record<string, string>> = LETS_OUT): Promise<RunningProcess> =>
  startProcess('apps/worker/src/main.ts', planeEnvironment(database, env));
