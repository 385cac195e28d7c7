import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import { writtenAddress } from '@svc/egress/names/written-address.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { EventConsumer } from '../../feed/consumer.ts';
import { formatAddress } from './call-sink.ts';
import { findKind } from './kinds.ts';

export type SinksDeps = {
  readonly urls: readonly string[];
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  readonly clock: () => Date;
};

export type Sinks = { readonly consumers: readonly EventConsumer[]; readonly close: () => Promise<void> };

/** Returns the name under which the position of a sink is stored. It stays the same if credentials or options change. */
const sinkName = (kind: string, url: URL): string =>
  `sink:${kind}:${sha256Hex(`${url.protocol}//${url.host}${url.pathname}`).slice(0, 12)}`;

/**
 * Opens a feed consumer for each sink. A batch is delivered inside the transaction that moves the position, which has written nothing yet:
 * if either fails, the batch is delivered again.
 */
export const openSinks = ({ urls, egress: reach, clock }: SinksDeps): Sinks => {
  const parsed = urls.map((text) => new URL(text));
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: [
      ...reach.allowCidrs,
      ...parsed.flatMap((url) => (url.protocol.includes('+http') ? writtenAddress(formatAddress(url)) : [])),
    ],
    nameServers: reach.nameServers,
    timeoutMs: LIMITS.sinks.deliverMs,
    responseMaxBytes: LIMITS.sinks.responseBytesMax,
    readsAtOnce: true,
    asText: true,
  });
  const opened = parsed.flatMap((url) => {
    const found = findKind(url);
    return found === undefined ? [] : [{ name: sinkName(found.name, url), url, sink: found.kind.open(url, { egress, clock }) }];
  });
  return {
    consumers: opened.map(({ name, url, sink }) => ({
      name,
      begins: url.searchParams.get('begins') === 'first' ? 'first' : 'now',
      most: LIMITS.sinks.eventsAtOnceMax,
      take: (_, events) => sink.deliver(events.map(({ event }) => event)),
    })),
    close: async () => {
      await Promise.allSettled(opened.map(({ sink }) => sink.close()));
      await egress.close();
    },
  };
};
