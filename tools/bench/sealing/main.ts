import { readFileSync } from 'node:fs';
import { startOwnServer } from '@svc/testing/database/own-server.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { getFamilyMicros, getProcessMicros } from '../processor-time.ts';
import { waitForUntilSealed } from '../until-sealed.ts';
import { writeActions } from './write-actions.ts';

/**
 * npm run bench -- sealing [<events>]
 *
 * Measures the cost of sealing decision events: processor time of the worker and of the database per event, and events per second of one
 * worker; with a few organizations and with many. The first row warms up.
 */
endOnOtherWords(
  `Measures how many events a second one worker seals, and what each costs:

    npm run bench -- sealing         100,000 events
    npm run bench -- sealing 20000   so many`,
  /^\d+$/,
);
const EVENTS = Number(process.argv[2] ?? 100_000);
const ASKED_PER_SECOND = 8_000;
const ORGANIZATIONS = [5, 5, 500];

const server = await startOwnServer();
const owner = await server.database.client();
const { rows } = await owner.query('select pg_backend_pid() as pid');
const postgresPid = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'latin1'))?.[1]);
const worker = await startWorker(server.database);
const workerPid = worker.child.pid ?? 0;
const slowest: number[] = [];
try {
  const hasBegun = async () => (await owner.query("select from feed_positions where consumer = 'seal-events'")).rowCount === 1;
  await waitUntil('the worker seals', hasBegun);
  for (const organizations of ORGANIZATIONS) {
    // All of them exist before any is sealed, so that only sealing is measured.
    process.kill(workerPid, 'SIGSTOP');
    await writeActions(owner, { actions: EVENTS / 2, organizations });
    const before = { worker: getProcessMicros(workerPid), database: getFamilyMicros(postgresPid), at: performance.now() };
    process.kill(workerPid, 'SIGCONT');
    await waitForUntilSealed(owner);
    const perSecond = (EVENTS * 1_000) / (performance.now() - before.at);
    const [own, database] = [getProcessMicros(workerPid) - before.worker, getFamilyMicros(postgresPid) - before.database];
    console.log(
      `${organizations} organizations: ${Math.round(perSecond)} events/s (required ${ASKED_PER_SECOND}), for each ${(own / EVENTS).toFixed(1)} us of the worker and ${(database / EVENTS).toFixed(1)} us of PostgreSQL`,
    );
    slowest.push(perSecond);
  }
} finally {
  await worker.stop();
  await owner.end();
  await server.remove();
}
process.exitCode = Math.min(...slowest) < ASKED_PER_SECOND ? 1 : 0;
