import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { startWebhookReceiver } from '@svc/testing/peers/webhook-receiver.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

export type Delayed = { readonly hanging: number; readonly deliveries: number; readonly p95Ms: number; readonly longestMs: number };

/**
 * Measures how long another tenant waits while so many receivers of four tenants hang or send one byte a second, each with enough
 * deliveries.
 */
export const delayBehindHanging = async (hanging: number, deliveries: number): Promise<Delayed> => {
  const database = await createFreshDatabase();
  const receiver = await startWebhookReceiver();
  const owner = await database.client();
  const others: Awaited<ReturnType<typeof insertOrganization>>[] = [];
  while (others.length < 4) others.push(await insertOrganization(owner));
  for (let n = 0; n < hanging; n += 1) {
    const organization = others[n % others.length] as (typeof others)[number];
    await insertWebhook(owner, { ...organization, url: receiver.url(n % 2 === 0 ? 'hangs' : 'drips', `slow-${n}`) });
  }
  const mine = await insertOrganization(owner);
  await insertWebhook(owner, { ...mine, url: receiver.url('takes', 'mine') });
  const worker = await startWorker(database);
  await waitUntil(
    'the worker reads on',
    async () => (await owner.query("select from feed_positions where consumer = 'webhooks'")).rowCount === 1,
  );
  for (const each of others) await writeEvents(owner, { ...each, subjects: Array.from({ length: 50 }, (_, n) => `agt_${n}`) });
  await waitUntil('receivers hang', () => receiver.received.length >= Math.min(hanging, 100) / 2);
  const writtenAt = new Map<string, number>();
  for (let n = 0; n < deliveries; n += 1) {
    const [id = ''] = await writeEvents(owner, { ...mine, subjects: [`agt_${n}`] });
    writtenAt.set(id, performance.now());
    await sleep(50);
  }
  await waitUntil('all arrived', () => receiver.of('mine').length >= deliveries);
  const waits = receiver
    .of('mine')
    .map(({ headers, at }) => at - (writtenAt.get(String(headers['svc-event-id'])) ?? 0))
    .sort((a, b) => a - b);
  await worker.stop();
  await owner.end();
  await receiver.close();
  await database.drop();
  return { hanging, deliveries, p95Ms: Math.round(waits[Math.floor(waits.length * 0.95)] ?? 0), longestMs: Math.round(waits.at(-1) ?? 0) };
};
