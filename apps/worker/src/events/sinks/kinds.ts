import { KAFKA } from './kafka/kafka-sink.ts';
import { NATS } from './nats/nats-sink.ts';
import { OTLP } from './otlp/otlp-sink.ts';
import { S3 } from './s3/s3-sink.ts';
import type { SinkKind } from './sink.ts';

/** Every kind of sink, a folder each. The conformance test runs all of them. */
export const SINK_KINDS = { nats: NATS, kafka: KAFKA, s3: S3, otlp: OTLP } as const satisfies Readonly<Record<string, SinkKind>>;

export type SinkKindName = keyof typeof SINK_KINDS;

const entries = Object.entries(SINK_KINDS) as readonly [SinkKindName, SinkKind][];

/** Returns the kind of a URL; undefined if there is none. */
export const findKind = (url: URL): { readonly name: SinkKindName; readonly kind: SinkKind } | undefined => {
  const found = entries.find(([, { protocols }]) => protocols.includes(url.protocol));
  return found && { name: found[0], kind: found[1] };
};
