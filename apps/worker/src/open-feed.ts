import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newConsumers } from './consumers.ts';
import { openAnchoring } from './events/audit-log/open-anchoring.ts';
import { openChannels } from './events/notification-channels/open-channels.ts';
import { sumUpEvents } from './events/search/sum-up-events.ts';
import { openWebhooks } from './events/webhooks/open-webhooks.ts';
import { newFeedMeter } from './feed/feed-meter.ts';
import { runConsumers } from './feed/run-consumers.ts';
import { watchConduct } from './feed/watch-conduct.ts';
import { watchSize } from './watch-size.ts';
import type { WorkerCore, WorkerPart } from './worker-core.ts';

/** Starts what follows the audit events: sealing, anchors, search summaries, webhooks and chat channels. */
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
  /** A connection for each consumer, so that none waits for another. */
  const feed = connectAs('svc_reader', Math.max(1, consumers.length));
  const summing = connectAs('svc_reader', 1);
  /** For deliveries: read and recorded for all organizations, changed in one, and by whose rights. */
  const outgoing = { reader: connectAs('svc_reader', 3), database: connectAs('svc_app', 2), identity: connectAs('svc_identity', 1) };
  const meter = newFeedMeter(
    consumers.map(({ name }) => name),
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
  return {
    metrics: [...(size ? [size.metric] : []), ...meter.metrics, ...webhooks.metrics, ...channels.metrics, ...anchoring.metrics],
    pools: { feed, webhooks: outgoing.reader, anchoring: anchoringReader, search: summing },
    checks: { audit_logs: anchoring.stand, feed: meter.stand },
    stop: async () => {
      await Promise.all([
        running.stop(),
        summingUp.stop(),
        conduct.stop(),
        webhooks.stop(),
        channels.stop(),
        anchoring.stop(),
        size?.stop(),
      ]);
      await Promise.all([feed, summing, anchoringReader, ...Object.values(outgoing)].map((pool) => pool.destroy()));
    },
  };
};
