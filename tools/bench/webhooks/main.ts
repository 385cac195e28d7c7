import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { getFamilyMicros, getProcessMicros } from '../processor-time.ts';

/**
 * npm run bench -- webhooks [<events>]
 *
 * Measures how many deliveries per second one worker makes to one fast receiver, and their processor time, which is meaningful on a busy
 * machine too. All of them exist before the worker starts; reading the feed and the fan-out are included.
 */
endOnOtherWords(
  `Measures how many deliveries a second one worker makes to one fast receiver:

    npm run bench -- webhooks        20,000 events
    npm run bench -- webhooks 5000   so many`,
  /^\d+$/,
);
const EVENTS = Number(process.argv[2] ?? 20_000);
const WARM_UP = 2_000;
const TOGETHER = 1_000;
const ASKED_PER_SECOND = 1_000;

type Counted = { readonly received: number; readonly connections: number; readonly events: number };

const getCount = async (receiver: ChildProcess): Promise<Counted> => {
  receiver.send('count');
  const [counted] = await once(receiver, 'message');
  return counted as Counted;
};

const receiver = fork(path.join(import.meta.dirname, 'receiver.ts'));
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
const database = await createFreshDatabase();
const owner = await database.client();
const organization = await insertOrganization(owner);
await insertWebhook(owner, { ...organization, url: `http://127.0.0.1:${port}/` });

const write = async (count: number): Promise<void> => {
  for (let from = 0; from < count; from += TOGETHER)
    await writeEvents(owner, {
      ...organization,
      subjects: Array.from({ length: Math.min(TOGETHER, count - from) }, (_, n) => `agt_${from + n}`),
    });
};
const received = async (count: number): Promise<void> => {
  while ((await getCount(receiver)).events < count) await sleep(20);
};
const { rows } = await owner.query<{ data_directory: string }>('show data_directory');
const postgresPid = Number(readFileSync(path.join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'latin1').split('\n', 1)[0]);

const first = await startWorker(database);
await waitUntil(
  'the worker reads on',
  async () => (await owner.query("select from feed_positions where consumer = 'webhooks'")).rowCount === 1,
);
await first.stop();
await write(WARM_UP + EVENTS);
const worker = await startWorker(database);
await received(WARM_UP);
const pid = worker.child.pid ?? 0;
const before = {
  ...(await getCount(receiver)),
  at: performance.now(),
  worker: getProcessMicros(pid),
  postgres: getFamilyMicros(postgresPid),
};
await received(WARM_UP + EVENTS);
const seconds = (performance.now() - before.at) / 1_000;
const counted = await getCount(receiver);
const deliveries = counted.events - before.events;
const each = (micros: number): string => `${Math.round(micros / deliveries)} us`;
const perSecond = Math.round(deliveries / seconds);
console.log(
  `${perSecond} deliveries a second to one receiver (required: ${ASKED_PER_SECOND}); of processor time each took ${each(getProcessMicros(pid) - before.worker)} of the worker and ${each(getFamilyMicros(postgresPid) - before.postgres)} of PostgreSQL; ${counted.connections - before.connections} connections; ${counted.received - counted.events} repeats; ${worker.errors() || 'no errors'}`,
);
await worker.stop();
await owner.end();
await database.drop();
receiver.disconnect();
process.exitCode = perSecond < ASKED_PER_SECOND ? 1 : 0;
