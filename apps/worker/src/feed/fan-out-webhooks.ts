import { WEBHOOK_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { fanOut } from '@svc/postgres/events/webhooks/fan-out.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { FeedConsumer } from './consumer.ts';

const SUBSCRIBABLE: ReadonlySet<string> = new Set(WEBHOOK_EVENT_TYPES);

/** Leaves a delivery of each event for each subscription it is for. */
export const fanOutWebhooks: FeedConsumer = {
  name: 'webhooks',
  begins: 'now',
  take: async (tx, events) => {
    const told = events.flatMap(({ event }) => (SUBSCRIBABLE.has(event.type) ? [event] : []));
    await fanOut(tx, told, () => newId('webhook_delivery'));
  },
};
