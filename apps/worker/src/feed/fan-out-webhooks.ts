import { fanOut, isSubscribedTo } from '@svc/postgres/events/webhooks/fan-out.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { FeedConsumer } from './consumer.ts';

/** Leaves a delivery of each event for each subscription it is for. */
export const fanOutWebhooks: FeedConsumer = {
  name: 'webhooks',
  begins: 'now',
  interest: isSubscribedTo,
  take: async (tx, events) => {
    await fanOut(
      tx,
      events.map(({ event }) => event),
      () => newId('webhook_delivery'),
    );
  },
};
