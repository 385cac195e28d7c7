import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newConsumers } from './consumers.ts';
import { openAnchoring } from './events/audit-log/open-anchoring.ts';
import { openChannels } from './events/notification-channels/open-channels.ts';
import { sumUpEvents } from './events/search/sum-up-events.ts';
import { openSinks } from './events/sinks/open-sinks.ts';
import { openWebhooks } from './events/webhooks/open-webhooks.ts';
import { newFeedMeter } from './feed/feed-meter.ts';
import { runConsumers } from './feed/run-consumers.ts';
import { watchConduct } from './feed/watch-conduct.ts';
import { watchSize } from './watch-size.ts';
import type { WorkerCore, WorkerPart } from './worker-core.ts';

/** Starts the feed consumers: sealing, anchors, search summaries, webhooks and chat channels. */
export const openFeed = ({ settings, log, clock, installationId, platformKeys, connectAs }: WorkerCore): WorkerPart => {
  const sealer = {
    installationId,
    get signingKey() {
      return platformKeys.keys.signing.privateKey;
    },
    get acceptedKeys() {
      return [...platformKeys.keys.ofLog.values()];
    },
    renewKeys: platformKeys.renew,
  };
  const consumers = newConsumers({ sealer, log });
  /** One connection per consumer, so that none waits for another. */
  const feed = connectAs('svc_reader', Math.max(1, consumers.length));
  const summing = connectAs('svc_reader', 1);
  /** For deliveries: reading and storing for all organizations, changing in one, and reading permissions. */
  const outgoing = { reader: connectAs('svc_reader', 3), database: connectAs('svc_app', 2), identity: connectAs('svc_identity', 1) };
  const sinks = openSinks({ urls: settings.sinks, egress: settings.egress, clock: clock.now });
  /** A slow sink holds no connection of the other consumers. */
  const sinkFeed = connectAs('svc_reader', Math.max(1, sinks.consumers.length), LIMITS.sinks.databaseTimeoutMs);
  const meter = newFeedMeter(
    [...consumers, ...sinks.consumers].map(({ name }) => name),
    () => clock.now().getTime(),
  );
  const webhooks = openWebhooks({ settings, ...outgoing, log, clock: clock.now });
  const channels = openChannels({ settings, ...outgoing, log, clock: clock.now });
  /** A slow anchor holds no connection of those above. */
  const anchoringReader = connectAs('svc_reader', 2);
  const anchoring = openAnchoring({
    settings,
    lookEveryMs: LIMITS.anchors.lookEveryMs,
    watchEveryMs: LIMITS.anchors.watchEveryMs,
    ...{ installationId, keys: () => sealer.acceptedKeys, reader: anchoringReader, log, clock: clock.now },
  });
  const size = settings.metrics && watchSize(summing, log);
  const summingUp = sumUpEvents({ reader: summing, log });
  const conduct = watchConduct(summing, log);
  const running = runConsumers({ database: feed, log, meter }, consumers);
  const runningSinks = runConsumers({ database: sinkFeed, log, meter }, sinks.consumers);
  return {
    metrics: [...(size ? [size.metric] : []), ...meter.metrics, ...webhooks.metrics, ...channels.metrics, ...anchoring.metrics],
    pools: { feed, webhooks: outgoing.reader, anchoring: anchoringReader, search: summing },
    checks: { audit_logs: anchoring.stand, feed: meter.stand },
    stop: async () => {
      await Promise.all([
        running.stop(),
        runningSinks.stop().then(sinks.close),
        summingUp.stop(),
        conduct.stop(),
        webhooks.stop(),
        channels.stop(),
        anchoring.stop(),
        size?.stop(),
      ]);
      await Promise.all([feed, sinkFeed, summing, anchoringReader, ...Object.values(outgoing)].map((pool) => pool.destroy()));
    },
  };
};
