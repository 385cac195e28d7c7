import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { newRememberedDataKeys } from '@svc/operations/service/keys/remembered-data-keys.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { leaseChannels, leaveChannels } from '@svc/postgres/events/notification-channels/lease-channels.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Logger } from 'pino';
import type { WorkerSettings } from '../../settings.ts';
import { newPostMeter } from './post-meter.ts';
import { type PostDeps, postToChannel } from './post-to-channel.ts';

export type ChannelsDeps = {
  readonly settings: Pick<WorkerSettings, 'egress' | 'notificationHosts'> & { readonly masterKey: KeyObject };
  /** Reads all organizations. */
  readonly reader: Database;
  readonly database: Database;
  readonly log: Logger;
  readonly clock: () => Date;
};

export type Channels = {
  readonly metrics: readonly Metric[];
  /** Starts no more posts, gives running ones some time, and releases the channels. */
  readonly stop: () => Promise<void>;
};

const LEASE_BYTES = 16;
const AFTER_BREAKAGE_MS = 1_000;
const { concurrentSendsMax, lookEveryMs, responseBytesMax, stopTimeoutMs, timeoutMs } = LIMITS.channels;

const newPosting = ({ settings, database, clock }: ChannelsDeps): Omit<PostDeps, 'meter' | 'isClosing'> => ({
  egress: createEgress({
    ...settings.egress,
    ...{ timeoutMs, responseMaxBytes: responseBytesMax, readsAtOnce: true, asText: true },
    blocksOf: parseBlocks(database),
  }),
  database,
  dataKeyOf: newRememberedDataKeys(deriveKey(settings.masterKey, 'data-key-wrapping')),
  rules: { allowsHttp: settings.egress.allowCidrs.length > 0, hosts: settings.notificationHosts },
  clock,
});

/** Runs work to its end, and logs a failure. */
type Guarded = (work: () => Promise<void>, more?: object) => Promise<unknown>;

/** Creates the running posts, each under the lease of its channel. */
const newPosts = ({ reader }: ChannelsDeps, posting: Omit<PostDeps, 'meter' | 'isClosing'>, guarded: Guarded) => {
  let isClosing = false;
  const underWay = new Map<Promise<unknown>, string>();
  const meter = newPostMeter(() => underWay.size);
  const deps: PostDeps = { ...posting, meter, isClosing: () => isClosing };
  return {
    metrics: meter.metrics,
    /** Takes as many channels as the capacity permits, and begins to post to them. */
    begin: async (): Promise<void> => {
      const room = concurrentSendsMax - underWay.size;
      if (room <= 0) return;
      for (const channel of await leaseChannels(reader, randomHex(LEASE_BYTES), room)) {
        const { id: channel_id, organization_id, lease } = channel;
        // After a failure, such as a URL that cannot be opened, it is retried when its lease expires.
        const post = guarded(() => postToChannel(deps, channel), { channel_id, organization_id }).finally(() => underWay.delete(post));
        underWay.set(post, lease);
      }
    },
    /** Gives running posts some time, aborts the rest, and releases its channels. */
    end: async (): Promise<void> => {
      await Promise.race([Promise.all(underWay.keys()), sleep(stopTimeoutMs, undefined, { ref: false })]);
      isClosing = true;
      await deps.egress.close();
      const left = [...underWay.values()];
      await Promise.all(underWay.keys());
      await guarded(() => leaveChannels(reader, left));
    },
  };
};

/** Posts queued messages of notification channels until stopped: takes channels under a lease, up to its capacity. */
export const openChannels = (deps: ChannelsDeps): Channels => {
  let isStopping = false;
  const { promise: stopped, resolve: wake } = Promise.withResolvers<void>();
  const guarded: Guarded = (work, more = {}) =>
    runOrRefuse(work, (err) => deps.log.error({ err, ...more }, 'posting to channels failed and will be retried'));
  const posts = newPosts(deps, newPosting(deps), guarded);
  const run = async (): Promise<void> => {
    while (!isStopping) {
      let broke = true;
      await guarded(async () => {
        await posts.begin();
        broke = false;
      });
      await Promise.race([stopped, sleep(broke ? AFTER_BREAKAGE_MS : lookEveryMs)]);
    }
  };
  const running = run();
  return {
    metrics: posts.metrics,
    stop: async () => {
      isStopping = true;
      wake();
      await running;
      await posts.end();
    },
  };
};
