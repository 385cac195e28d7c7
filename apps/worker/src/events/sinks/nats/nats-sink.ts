import { jetstream } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getPath, type SinkKind } from '../sink.ts';

const SUBJECT = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
const CONNECT_MS = 5_000;

const connectTo = (url: URL): Promise<NatsConnection> =>
  connect({
    servers: url.host,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }),
    ...(url.protocol === 'nats+tls:' ? { tls: {} } : {}),
  });

/** NATS JetStream: one message per event on `<subject>.<event type>`, with the event id for deduplication. The stream must exist. */
export const NATS: SinkKind = {
  protocols: ['nats:', 'nats+tls:'],
  example: 'nats://user:password@nats.example:4222/governance.events',
  fault: (url) => (SUBJECT.test(getPath(url)) ? undefined : 'The path must be a subject, such as /governance.events.'),
  open: (url) => {
    const subject = getPath(url);
    let connecting: Promise<NatsConnection> | undefined;
    const open = async (): Promise<NatsConnection> => {
      connecting ??= connectTo(url);
      const [outcome] = await Promise.allSettled([connecting]);
      if (outcome.status === 'fulfilled' && !outcome.value.isClosed()) return outcome.value;
      connecting = undefined;
      if (outcome.status === 'rejected') throw outcome.reason;
      return await open();
    };
    return {
      deliver: async (events) => {
        const stream = jetstream(await open(), { timeout: LIMITS.sinks.deliverMs });
        const stored = await Promise.allSettled(
          events.map((event) => {
            const about = headers();
            about.set('organization-id', event.organization_id);
            return stream.publish(`${subject}.${event.type}`, JSON.stringify(event), { msgID: event.id, headers: about });
          }),
        );
        const failed = stored.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      },
      close: async () => {
        const [outcome] = await Promise.allSettled([connecting]);
        if (outcome.status === 'fulfilled') await outcome.value?.close();
      },
    };
  },
};
