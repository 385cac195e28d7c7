import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { startWebhookReceiver } from '@svc/testing/peers/webhook-receiver.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

export type Killed = {
  readonly kills: number;
  readonly events: number;
  readonly arrived: number;
  readonly deliveries: number;
  readonly unlike: number;
};

/** Counts duplicate deliveries whose content changed, or whose attempt did not increase. */
export const countUnlike = (received: readonly { readonly headers: NodeJS.Dict<string | string[]> }[]): number => {
  const last = new Map<unknown, readonly [delivery: unknown, attempt: number]>();
  let unlike = 0;
  for (const { headers } of received) {
    const [delivery, attempt] = [headers['svc-delivery-id'], Number(headers['svc-delivery-attempt'])];
    const before = last.get(headers['svc-event-id']);
    if (before !== undefined && (before[0] !== delivery || before[1] >= attempt)) unlike += 1;
    last.set(headers['svc-event-id'], [delivery, attempt]);
  }
  return unlike;
};

const ARRIVED_WITHIN_MS = 480_000;

/** Kills the worker repeatedly during deliveries, and counts what arrived. */
export const killWorkers = async (events: number, kills: number): Promise<Killed> => {
  const database: FreshDatabase = await createFreshDatabase();
  const receiver = await startWebhookReceiver();
  const owner = await database.client();
  const organization = await insertOrganization(owner);
  await insertWebhook(owner, { ...organization, url: receiver.url('takes', 'killed') });
  let worker = await startWorker(database);
  await waitUntil(
    'the worker reads on',
    async () => (await owner.query("select from feed_positions where consumer = 'webhooks'")).rowCount === 1,
  );
  const seen = () => new Set(receiver.received.map(({ headers }) => headers['svc-event-id'])).size;
  const perRound = Math.ceil(events / (kills + 1));
  let written = 0;
  for (let round = 0; round <= kills; round += 1) {
    const count = Math.min(perRound, events - written);
    await writeEvents(owner, { ...organization, subjects: Array.from({ length: count }, (_, n) => `agt_${written + n}`) });
    written += count;
    const before = receiver.received.length;
    await waitUntil('some arrive', () => receiver.received.length > before + count / 4 || seen() === written);
    if (round === kills) break;
    await sleep(Math.random() * 200);
    worker.child.kill('SIGKILL');
    worker = await startWorker(database);
  }
  // A delivery that failed twice on a busy machine waits for a minute, and then for five.
  for (const end = performance.now() + ARRIVED_WITHIN_MS; seen() < events && performance.now() < end; ) await sleep(200);
  await worker.stop();
  const result = { kills, events, arrived: seen(), deliveries: receiver.received.length, unlike: countUnlike(receiver.received) };
  await owner.end();
  await receiver.close();
  await database.drop();
  return result;
};
