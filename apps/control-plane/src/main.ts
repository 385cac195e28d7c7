import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import { newBrowserTerms } from '@svc/http/browser/terms.ts';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { newStartup } from '@svc/http/plane/new-startup.ts';
import { openPlaceholderServer } from '@svc/http/plane/open-stand-in.ts';
import { describeMissing, listParts, newReadiness } from '@svc/http/plane/readiness.ts';
import { listen, stopPlaneOnSignal } from '@svc/http/plane/run-plane.ts';
import { serve } from '@svc/http/plane/serve.ts';
import { logStart } from '@svc/http/plane/tell-start.ts';
import { openWatch } from '@svc/http/watch/open-watch.ts';
import { buildPoolMetrics, getRecorderMetric } from '@svc/http/watch/part-metrics.ts';
import { newRequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { keepPlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import { withInstallationKey } from '@svc/operations/service/keys/unlock.ts';
import { requireSchema } from '@svc/operations/service/schema/require-schema.ts';
import { isRenewalOverdue } from '@svc/postgres/agents/agents/ending-passports.ts';
import { connect, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { isMailFailing } from '@svc/postgres/people/mail/is-mail-failing.ts';
import { isSubscriptionActive } from '@svc/postgres/tenancy/organization/subscription.ts';
import { newLogger, openLog } from '@svc/program/log/new-logger.ts';
import { reportBreakage } from '@svc/program/log/report-breakage.ts';
import { announce } from '@svc/program/start/announce.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { newRateLimiter } from '@svc/shared-state/new-rate-limiter.ts';
import { newPipeline } from './actions/pipeline/new-pipeline.ts';
import { openCredentials } from './credentials/open-credentials.ts';
import { openEvents } from './events/open-events.ts';
import { openReadReplica } from './events/open-read-replica.ts';
import { type ControlDeps, handlers } from './handlers.ts';
import { openMoney } from './money/open-money.ts';
import { openDiscoveries, openVerifications } from './peers/mcp/listing/open-discoveries.ts';
import { openPeople } from './people/open-people.ts';
import { newSetupUrl } from './people/setup/links/new-setup-url.ts';
import { openRisk } from './risk/open-risk.ts';
import { openInstances } from './runtimes/open-instances.ts';
import { rememberCheck } from './service/health/checks/remember-check.ts';
import { readControlSettings } from './settings.ts';
import { openTools } from './tools/open-tools.ts';

/** How long the result of a database check is cached. */
const [RENEWAL_KEPT_MS, MAIL_KEPT_MS] = [30_000, 5_000];

const given = readControlSettings(process.env);
if ('faults' in given) throw refuseToStart(given.faults);

const log = newLogger('control', given.logLevel, openLog(given.log));
reportBreakage(log);
const startup = newStartup(
  () => openPlaceholderServer('control', { ...given, otherUrl: given.gatewayUrl, log }, given.host, given.port),
  log,
);
const settings = await startup.retry(() => withInstallationKey(given));
const authenticator = newEventAuthenticator(settings.masterKey);
const connectAs = (role: DatabaseRole, connectionsMax: number, url = settings.databaseUrl) =>
  connect({
    url,
    role,
    ...deriveRoleLogin(settings.masterKey, role),
    authenticator,
    connectionsMax,
    timeoutMs: settings.databaseTimeoutMs,
  });
const database = connectAs('svc_app', settings.connectionsMax);
const emergencies = connectAs('svc_app', LIMITS.database.emergencyConnectionsMax);
const identity = connectAs('svc_identity', settings.connectionsMax);
const reader = connectAs('svc_reader', 1);
const replica = openReadReplica(settings, emergencies, log, (url) => connectAs('svc_app', settings.connectionsMax, url));
const about = { plane: 'control', version: API_VERSION, metricsSetting: WATCH_SETTINGS.controlMetrics } as const;
const watching = await openWatch(settings, about, log);
const rateLimiter = await newRateLimiter(settings.redisUrl);
await startup.retry(() => requireSchema(emergencies));
const clock = await startup.retry(() => openDatabaseClock({ database: emergencies, skewMaxSeconds: settings.clockSkewMaxSeconds, log }));
const requestHashes = newRequestHashes(deriveKey(settings.masterKey, 'request-hashing'));
const pipeline = newPipeline({ settings, database, log, clock: clock.now, requestHashes, authenticator, onBatch: watching.onBatch });
const urls = { base: settings.baseUrl ?? '', gateway: settings.gatewayUrl, sandbox: settings.sandboxOrigin };
const platformKeys = await startup.retry(() => keepPlatformKeys(database, settings.masterKey, log));
const readiness = newReadiness(listParts([emergencies, identity], settings.redisUrl, rateLimiter), log);
const cursorKey = deriveKey(settings.masterKey, 'cursor-signing');
const money = openMoney({ settings, cursorKey });
const people = openPeople({ settings, clock, identity, rateLimiter, urls });
const credentials = openCredentials({ settings, database, identity, clock, urls });
const tools = openTools({ settings, pipeline: pipeline.ports, credentialKey: credentials.deps.credentialKey });
const { credentialKey } = credentials.deps;
const verifications = openVerifications(settings, database);
const discoveries = openDiscoveries(settings, database);
const instances = openInstances(settings, database);
const { mail } = people.deps;
const events = openEvents({ settings, reader, replica, log, clock, platformKeys, cursorKey, credentialKey, identity, mail });
const deps: ControlDeps = {
  ...money,
  ...people.deps,
  ...credentials.deps,
  ...tools,
  ...events,
  ...openRisk(),
  discoveries,
  verifications,
  instances,
  settings,
  clock,
  urls,
  requestHashes,
  readiness,
  checks: {
    isRenewalOverdue: rememberCheck(() => isRenewalOverdue(identity), RENEWAL_KEPT_MS),
    isMailFailing: rememberCheck(() => isMailFailing(identity), MAIL_KEPT_MS),
  },
};
const app = serve(
  'control',
  handlers,
  {
    ...settings,
    database,
    emergencies,
    identity,
    rateLimiter,
    log,
    clock: clock.now,
    clockRefusal: clock.refusal,
    licence: { isActive: (organizationId) => isSubscriptionActive(identity, organizationId) },
    requestHashes,
    browser: newBrowserTerms(() => urls.base),
    otherUrl: settings.gatewayUrl,
    watch: watching.watch,
  },
  deps,
);
await watching.serve(() => [
  getRecorderMetric(pipeline.recorder),
  ...buildPoolMetrics({
    requests: database,
    callers: identity,
    emergencies,
    events: reader,
    ...(replica === undefined ? {} : { replica: replica.replica }),
  }),
]);
const url = await listen(app, settings.host, settings.port, startup);
urls.base ||= url;
logStart(log, url, settings, { base_url: urls.base, gateway_url: urls.gateway }, Object.keys(process.env));
/** A request takes at most one call to the rate provider and a few database operations. */
const drainMs = Math.max(LIMITS.shutdown.drainMs, (settings.exchangeRateProvider?.timeoutMs ?? 0) + 3 * settings.databaseTimeoutMs);
stopPlaneOnSignal(app, drainMs, async () => {
  clock.close();
  platformKeys.close();
  credentials.hurry();
  await Promise.all([
    money.rateProvider?.close(),
    people.close(),
    tools.toolImports.close(),
    tools.codeAssist?.close(),
    credentials.closeTestCalls(),
    discoveries.close(),
    verifications.close(),
    instances.close(),
  ]);
  await events.eventStream.hub.close();
  await credentials.closeTokens();
  await pipeline.recorder.close();
  await watching.close();
  await Promise.all([
    database.destroy(),
    emergencies.destroy(),
    identity.destroy(),
    reader.destroy(),
    replica?.replica.destroy(),
    rateLimiter.close(),
  ]);
});
const warnings = describeMissing(await readiness.look());
announce({ url: urls.base, drain_ms: drainMs, setup_url: await startup.retry(() => newSetupUrl(identity, urls.base)), warnings });
