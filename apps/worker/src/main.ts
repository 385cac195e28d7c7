import { LIMITS } from '@svc/contract/tables/limits.ts';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { newStartup } from '@svc/http/plane/new-startup.ts';
import { describeMissing, newReadiness } from '@svc/http/plane/readiness.ts';
import { poolMetrics } from '@svc/http/watch/part-metrics.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveInstallation, deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { keepPlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import { withInstallationKey } from '@svc/operations/service/keys/unlock.ts';
import { askDatabase } from '@svc/postgres/connection/ask-database.ts';
import { connect, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger, openLog } from '@svc/program/log/new-logger.ts';
import { tellBreakage } from '@svc/program/log/tell-breakage.ts';
import { openMetrics } from '@svc/program/metrics/open-metrics.ts';
import { announce } from '@svc/program/start/announce.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { standBack } from '@svc/program/start/stand-back.ts';
import { stopWhenAsked } from '@svc/program/stop/stop-when-asked.ts';
import { newConsumers } from './consumers.ts';
import { openAnchoring } from './events/audit-log/open-anchoring.ts';
import { openChannels } from './events/notification-channels/open-channels.ts';
import { sumUpEvents } from './events/search/sum-up-events.ts';
import { openWebhooks } from './events/webhooks/open-webhooks.ts';
import { newFeedMeter } from './feed/feed-meter.ts';
import { runConsumers } from './feed/run-consumers.ts';
import { newHealth, openWorkerStandIn, serveWorker } from './health.ts';
import { readWorkerSettings } from './settings.ts';
import { watchSize } from './watch-size.ts';

// What it does may wait, and the decisions on the same machine may not.
standBack();
const given = readWorkerSettings(process.env);
if ('faults' in given) throw refuseToStart(given.faults);

const log = newLogger('worker', given.logLevel, openLog(given.log));
tellBreakage(log);
const startup = newStartup(() => openWorkerStandIn(given.metrics), log);
const settings = await startup.retry(() => withInstallationKey(given));
const authenticator = newEventAuthenticator(settings.masterKey);
const connectAs = (role: DatabaseRole, connectionsMax: number) =>
  connect({
    url: settings.databaseUrl,
    role,
    ...deriveRoleLogin(settings.masterKey, role),
    authenticator,
    connectionsMax,
    timeoutMs: settings.databaseTimeoutMs,
  });
/** For the clock and for readiness, so that consumers at work are no reason to be replaced. */
const health = connectAs('svc_reader', 1);
const clock = await startup.retry(() => openDatabaseClock({ database: health, skewMaxSeconds: settings.clockSkewMaxSeconds, log }));
const platformKeys = await startup.retry(() => keepPlatformKeys(health, settings.masterKey, log));
const sealer = {
  installationId: deriveInstallation(settings.masterKey).id,
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
/** For what is delivered: read and recorded for all organizations, told in the record of one, and by whose rights. */
const outgoing = {
  reader: connectAs('svc_reader', 3),
  database: connectAs('svc_app', 2),
  identity: connectAs('svc_identity', 1),
};
const meter = newFeedMeter(
  consumers.map(({ name }) => name),
  () => clock.now().getTime(),
);
const readiness = newReadiness({ database: () => askDatabase(health) }, log);
const webhooks = openWebhooks({ settings, ...outgoing, log, clock: clock.now });
const channels = openChannels({ settings, ...outgoing, log, clock: clock.now });
/** What hangs outside keeps no connection of those above. */
const anchoringReader = connectAs('svc_reader', 2);
const anchoring = openAnchoring({
  settings,
  lookEveryMs: LIMITS.anchors.lookEveryMs,
  watchEveryMs: LIMITS.anchors.watchEveryMs,
  ...{ installationId: sealer.installationId, keys: () => sealer.acceptedKeys, reader: anchoringReader, log, clock: clock.now },
});
const size = settings.metrics && watchSize(summing, log);
const pools = { feed, health, webhooks: outgoing.reader, anchoring: anchoringReader, search: summing };
const metrics =
  size &&
  (await openMetrics([
    size.metric,
    ...meter.metrics,
    ...webhooks.metrics,
    ...channels.metrics,
    ...anchoring.metrics,
    ...poolMetrics(pools),
  ]));
await startup.end();
const stopServing =
  settings.metrics &&
  metrics &&
  (await serveWorker(settings.metrics, [metrics], newHealth(readiness, clock, { audit_logs: anchoring.stand, feed: meter.stand })));
const summingUp = sumUpEvents({ reader: summing, log });
const running = runConsumers({ database: feed, log, meter }, consumers);
log.info({ version: API_VERSION, node: process.version, pid: process.pid, consumers: consumers.map(({ name }) => name) }, 'started');
/** A consumer ends with its batch, each of whose statements is bounded; deliveries under way are waited for a while. */
const drainMs = LIMITS.webhooks.stoppedWithinMs + 3 * settings.databaseTimeoutMs;
stopWhenAsked(async () => {
  await Promise.all([running.stop(), summingUp.stop(), webhooks.stop(), channels.stop(), anchoring.stop(), size?.stop()]);
  clock.close();
  platformKeys.close();
  await stopServing?.();
  await Promise.all([feed, health, summing, anchoringReader, ...Object.values(outgoing)].map((pool) => pool.destroy()));
}, drainMs);
announce({ drain_ms: drainMs, warnings: describeMissing(await readiness.look()) });
