import { LIMITS } from '@svc/contract/tables/limits.ts';
import { Kafka, logLevel, type Producer, type SASLOptions } from 'kafkajs';
import { getPath, type SinkKind } from '../sink.ts';

const TOPIC = /^[A-Za-z0-9._-]{1,249}$/;
const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

const signIn = (url: URL): SASLOptions | undefined => {
  if (url.username === '') return undefined;
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const mechanism = MECHANISMS.find((each) => each === url.searchParams.get('mechanism')) ?? 'plain';
  return { mechanism, username, password } as SASLOptions;
};

const newProducer = (url: URL): Producer => {
  const others = (url.searchParams.get('brokers') ?? '').split(',').filter(Boolean);
  const sasl = signIn(url);
  const kafka = new Kafka({
    clientId: 'agent-governance',
    brokers: [url.host, ...others],
    ssl: url.protocol === 'kafka+tls:',
    ...(sasl === undefined ? {} : { sasl }),
    connectionTimeout: 3_000,
    requestTimeout: LIMITS.sinks.deliverMs,
    logLevel: logLevel.NOTHING,
    retry: { retries: 2 },
  });
  return kafka.producer({ allowAutoTopicCreation: false, idempotent: true, maxInFlightRequests: 1 });
};

/** Apache Kafka: one message per event with the organization as key, so that its events stay in order. The topic must exist. */
export const KAFKA: SinkKind = {
  protocols: ['kafka:', 'kafka+tls:'],
  example: 'kafka+tls://user:password@kafka.example:9093/governance-events?mechanism=scram-sha-512&brokers=kafka-2.example:9093',
  fault: (url) => {
    if (!TOPIC.test(getPath(url))) return 'The path must be a topic, such as /governance-events.';
    const mechanism = url.searchParams.get('mechanism') ?? 'plain';
    return MECHANISMS.some((each) => each === mechanism) ? undefined : `mechanism must be ${MECHANISMS.join(', ')}.`;
  },
  open: (url) => {
    const topic = getPath(url);
    const producer = newProducer(url);
    return {
      deliver: async (events) => {
        await producer.connect();
        const messages = events.map((event) => ({
          key: event.organization_id,
          value: JSON.stringify(event),
          headers: { 'event-id': event.id, 'event-type': event.type },
        }));
        await producer.send({ topic, acks: -1, timeout: LIMITS.sinks.deliverMs, messages });
      },
      close: () => producer.disconnect(),
    };
  },
};
