import type { FreshDatabase } from '../database/database.ts';
import { getPlaneEnvironment } from '../planes/start-planes.ts';
import { type RunningProcess, startProcess } from '../processes/start-process.ts';
import { waitUntil } from '../time/until.ts';

/** Consumers of the feed that begin with new events and skip earlier ones. */
const BEGIN_NOW = ['incident-rules', 'incidents', 'notices', 'webhooks'];

/** All receivers are on this machine. */
export const LETS_OUT = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' } as const;

/**
 * Starts a worker for the consumers of the feed; the planes have another one for the jobs. Resolves when no consumer can skip an event any
 * more.
 */
export const startWorker = async (database: FreshDatabase, env: Readonly<Record<string, string>> = LETS_OUT): Promise<RunningProcess> => {
  const worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database, env));
  const client = await database.client();
  try {
    await waitUntil('each consumer of the feed has a position', async () => {
      const { rows } = await client.query('select consumer from feed_positions where consumer = any ($1)', [BEGIN_NOW]);
      return rows.length === BEGIN_NOW.length;
    });
  } catch (error) {
    await worker.stop();
    throw error;
  } finally {
    await client.end();
  }
  return worker;
};

/** Starts a worker that only runs the jobs, in addition to that of the planes or instead of it. */
export const startJobsWorker = (database: FreshDatabase, env: Readonly<Record<string, string>> = LETS_OUT): Promise<RunningProcess> =>
  startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database, { SVC_MAIL: 'outbox', ...env, SVC_WORKER_RUNS: 'jobs' }));
