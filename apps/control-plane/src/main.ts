import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import { newBrowserTerms } from '@svc/http/browser/terms.ts';
import { OPEN_LICENCE } from '@svc/http/calls/licence.ts';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { newStartup } from '@svc/http/plane/new-startup.ts';
import { openStandIn } from '@svc/http/plane/open-stand-in.ts';
import { describeMissing, newReadiness, partsOf } from '@svc/http/plane/readiness.ts';
import { listen, stopPlaneWhenAsked } from '@svc/http/plane/run-plane.ts';
import { serve } from '@svc/http/plane/serve.ts';
import { tellStart } from '@svc/http/plane/tell-start.ts';
import { openWatch } from '@svc/http/watch/open-watch.ts';
import { poolMetrics, recorderMetric } from '@svc/http/watch/part-metrics.ts';
import { newRequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { keepPlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import { withInstallationKey } from '@svc/operations/service/keys/unlock.ts';
import { connect, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger, openLog } from '@svc/program/log/new-logger.ts';
import { tellBreakage } from '@svc/program/log/tell-breakage.ts';
import { announce } from '@svc/program/start/announce.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { newRateLimiter } from '@svc/shared-state/new-rate-limiter.ts';
import { newPipeline } from './actions/pipeline/new-pipeline.ts';
import { openCredentials } from './credentials/open-credentials.ts';
import { openEvents } from './events/open-events.ts';
import { type ControlDeps, handlers } from './handlers.ts';
import { closeUnreportedActions } from './jobs/close-unreported-actions.ts';
import { disableWebhooks } from './jobs/disable-webhooks.ts';
import { dropAuditPartitions } from './jobs/drop-audit-partitions.ts';
import { forgetWhatEnded } from './jobs/forget-what-ended.ts';
import { newJobMeter } from './jobs/job-meter.ts';
import { judgeControls } from './jobs/judge-controls.ts';
import { makeAuditPartitions } from './jobs/make-audit-partitions.ts';
import { mailNotifications } from './jobs/notifications/mail-notifications.ts';
import { remindApprovers } from './jobs/notifications/remind-approvers.ts';
import { spreadNotices } from './jobs/notifications/spread-notices.ts';
import { warnOfEndings } from './jobs/notifications/warn-of-endings.ts';
import { refreshAutomaticRates } from './jobs/refresh-automatic-rates.ts';
import { refreshCredentials } from './jobs/refresh-credentials.ts';
import { removeAuditEvents } from './jobs/remove-audit-events.ts';
import { renewPassports } from './jobs/renew-passports.ts';
import { JOBS, startJobs } from './jobs/start-jobs.ts';
import { openMoney } from './money/open-money.ts';
import { openPeople } from './people/open-people.ts';
import { newSetupUrl } from './people/setup/links/new-setup-url.ts';
import { newPassportWatch } from './service/health/passports/passport-watch.ts';
import { readControlSettings } from './settings.ts';
import { openTools } from './tools/open-tools.ts';

const given = readControlSettings(process.env);
if ('faults' in given) throw refuseToStart(given.faults);

const log = newLogger('control', given.logLevel, openLog(given.log));
tellBreakage(log);
const startup = newStartup(() => openStandIn('control', { ...given, otherUrl: given.gatewayUrl, log }, given.host, given.port), log);
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
const database = connectAs('svc_app', settings.connectionsMax);
const emergencies = connectAs('svc_app', LIMITS.database.emergencyConnectionsMax);
const identity = connectAs('svc_identity', settings.connectionsMax);
const reader = connectAs('svc_reader', 1);
const about = { plane: 'control', version: API_VERSION, metricsSetting: WATCH_SETTINGS.controlMetrics } as const;
const watching = await openWatch(settings, about, log);
const rateLimiter = await newRateLimiter(settings.redisUrl);
const clock = await startup.retry(() => openDatabaseClock({ database: emergencies, skewMaxSeconds: settings.clockSkewMaxSeconds, log }));
const requestHashes = newRequestHashes(deriveKey(settings.masterKey, 'request-hashing'));
const pipeline = newPipeline({ settings, database, log, clock: clock.now, requestHashes, authenticator, onBatch: watching.onBatch });
const urls = { base: settings.baseUrl ?? '', gateway: settings.gatewayUrl };
const platformKeys = await startup.retry(() => keepPlatformKeys(database, settings.masterKey, log));
const readiness = newReadiness(partsOf([emergencies, identity], settings.redisUrl, rateLimiter), log);
const cursorKey = deriveKey(settings.masterKey, 'cursor-signing');
const money = openMoney({ settings, cursorKey });
const people = openPeople({ settings, clock, identity, rateLimiter, urls });
const credentials = openCredentials({ settings, database, identity, clock, urls });
const tools = openTools({ settings, pipeline: pipeline.ports });
const { credentialKey } = credentials.deps;
const { mail } = people.deps;
const events = openEvents({ settings, reader, log, clock, platformKeys, cursorKey, credentialKey, identity, mail });
const deps: ControlDeps = {
  ...money,
  ...people.deps,
  ...credentials.deps,
  ...tools,
  ...events,
  settings,
  clock,
  urls,
  requestHashes,
  readiness,
  mailer: people.mailer,
  passportWatch: newPassportWatch(identity),
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
    licence: OPEN_LICENCE,
    requestHashes,
    browser: newBrowserTerms(() => urls.base),
    otherUrl: settings.gatewayUrl,
    watch: watching.watch,
  },
  deps,
);
const { refreshSeconds = 0 } = settings.exchangeRateProvider ?? {};
const { rateProvider } = money;
const { mailer } = people;
const rounds = [
  ...(rateProvider ? [refreshAutomaticRates(rateProvider, refreshSeconds)] : []),
  ...(mailer ? [mailer.round] : []),
  forgetWhatEnded,
  makeAuditPartitions,
  judgeControls,
  ...(settings.realEgress ? [refreshCredentials(credentials.deps.tokens)] : []),
  dropAuditPartitions,
];
const ownJobs = [
  ...JOBS,
  renewPassports(deps),
  warnOfEndings,
  remindApprovers,
  spreadNotices(deps),
  mailNotifications(deps),
  disableWebhooks,
  removeAuditEvents({
    installationId: deps.installationId,
    get signingKey() {
      return platformKeys.keys.signing.privateKey;
    },
    get keys() {
      return [...platformKeys.keys.ofLog.values()];
    },
  }),
  closeUnreportedActions(settings.reportWithinSeconds),
];
const meter = newJobMeter([...ownJobs, ...rounds].map((job) => job.name));
const jobDeps = { database, identity, log, clock: clock.now, isClockSure: clock.isSure, meter };
const jobs = startJobs(jobDeps, ownJobs, rounds);
await watching.serve(() => [
  ...meter.metrics,
  ...(mailer?.metrics ?? []),
  recorderMetric(pipeline.recorder),
  ...poolMetrics({ requests: database, callers: identity, emergencies, events: reader }),
]);
const url = await listen(app, settings.host, settings.port, startup);
urls.base ||= url;
tellStart(log, url, settings, { base_url: urls.base, gateway_url: urls.gateway }, Object.keys(process.env));
/** A request here takes no more than a call to the provider of rates and a few turns at the database. */
const drainMs = Math.max(LIMITS.shutdown.drainMs, (settings.exchangeRateProvider?.timeoutMs ?? 0) + 3 * settings.databaseTimeoutMs);
stopPlaneWhenAsked(app, drainMs, async () => {
  clock.close();
  platformKeys.close();
  credentials.hurry();
  await Promise.all([rateProvider?.close(), people.close(), tools.toolImports.close(), credentials.closeTestCalls()]);
  await events.eventStream.hub.close();
  await jobs.stop();
  await credentials.closeTokens();
  await mailer?.close();
  await pipeline.recorder.close();
  await watching.close();
  await Promise.all([database.destroy(), emergencies.destroy(), identity.destroy(), reader.destroy(), rateLimiter.close()]);
});
const warnings = describeMissing(await readiness.look());
announce({ url: urls.base, drain_ms: drainMs, setup_url: await startup.retry(() => newSetupUrl(identity, urls.base)), warnings });
