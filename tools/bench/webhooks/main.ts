import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '@svc/testing/database/database.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { until } from '@svc/testing/time/until.ts';

/** npm run bench:webhooks [-- <events>]: how many deliveries a second one worker makes to one fast receiver. */
const EVENTS = Number(process.argv[2] ?? 20_000);
const WARM_UP = 2_000;
const TOGETHER = 1_000;
const ASKED_PER_SECOND = 1_000;

type Counted = { readonly received: number; readonly events: number };

const countOf = async (receiver: ChildProcess): Promise<Counted> => {
  receiver.send('count');
  const [counted] = await once(receiver, 'message');
  return counted as Counted;
};

const receiver = fork(path.join(import.meta.dirname, 'receiver.ts'));
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
const database = await freshDatabase();
const owner = await database.client();
const organization = await insertOrganization(owner);
await insertWebhook(owner, { ...organization, url: `http://127.0.0.1:${port}/` });
const worker = await startWorker(database);
await until(
  'the worker reads on',
  async () => (await owner.query("select from feed_positions where consumer = 'webhooks'")).rowCount === 1,
);

/** All of them are there before any is sent, so that nothing but sending is measured. */
const deliver = async (count: number, base: number): Promise<number> => {
  for (let from = 0; from < count; from += TOGETHER)
    await writeEvents(owner, {
      ...organization,
      subjects: Array.from({ length: Math.min(TOGETHER, count - from) }, (_, n) => `agt_${base + from + n}`),
    });
  const begun = performance.now();
  const before = (await countOf(receiver)).events;
  while ((await countOf(receiver)).events < base + count) await sleep(20);
  return ((base + count - before) * 1_000) / (performance.now() - begun);
};
await deliver(WARM_UP, 0);
const perSecond = Math.round(await deliver(EVENTS, WARM_UP));
const counted = await countOf(receiver);
console.log(
  `${perSecond} deliveries a second to one receiver (asked: ${ASKED_PER_SECOND}); ${counted.received - counted.events} repeats; ${worker.errors() || 'no errors'}`,
);
await worker.stop();
await owner.end();
await database.drop();
receiver.disconnect();
process.exitCode = perSecond < ASKED_PER_SECOND ? 1 : 0;
