import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FeedEvent } from '@svc/postgres/audit/read-feed.ts';
import { fanOut, isSubscribedTo } from '@svc/postgres/events/webhooks/fan-out.ts';
import { beginStretches, extendStretches, type Stretch } from '@svc/postgres/events/webhooks/stretches.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { EventConsumer } from './consumer.ts';

const { directEventsMax } = LIMITS.webhooks;

const untilOf = (organization_id: string, own: readonly FeedEvent[]) => {
  const { position } = own.at(-1) as FeedEvent;
  return { organization_id, until: position };
};

/**
 * Creates a delivery per event and matching subscription: of a few events per organization immediately, so that none is delayed by another
 * organization. Further events are only noted as a range for later, and until that is done later events are appended to it.
 */
export const fanOutWebhooks: EventConsumer = {
  name: 'webhooks',
  begins: 'now',
  interest: isSubscribedTo,
  take: async (tx, events) => {
    const byOrganization = Map.groupBy(events, ({ event }) => event.organization_id);
    const behind = await extendStretches(
      tx,
      [...byOrganization].map(([id, own]) => untilOf(id, own)),
    );
    const direct = [...byOrganization].flatMap(([id, own]) => (behind.has(id) ? [] : own.slice(0, directEventsMax)));
    const begun = [...byOrganization].flatMap(([id, own]): Stretch[] => {
      const after = own[directEventsMax - 1]?.position;
      return behind.has(id) || after === undefined || own.length === directEventsMax ? [] : [{ ...untilOf(id, own), after }];
    });
    await fanOut(
      tx,
      direct.map(({ event }) => event),
      () => newId('webhook_delivery'),
    );
    await beginStretches(tx, begun);
  },
};
