import { LIMITS } from '@svc/contract/tables/limits.ts';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { newStartup } from '@svc/http/plane/new-startup.ts';
import { describeMissing, newReadiness } from '@svc/http/plane/readiness.ts';
import { buildPoolMetrics } from '@svc/http/watch/part-metrics.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveInstallation, deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { keepPlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import { withInstallationKey } from '@svc/operations/service/keys/unlock.ts';
import { requireSchema } from '@svc/operations/service/schema/require-schema.ts';
import { askDatabase } from '@svc/postgres/connection/ask-database.ts';
import { connect, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger, openLog } from '@svc/program/log/new-logger.ts';
import { reportBreakage } from '@svc/program/log/report-breakage.ts';
import { openMetrics } from '@svc/program/metrics/open-metrics.ts';
import { announce } from '@svc/program/start/announce.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { lowerProcessPriority } from '@svc/program/start/stand-back.ts';
import { stopOnSignal } from '@svc/program/stop/stop-on-signal.ts';
import { newHealth, openPlaceholderServer, serveWorker } from './health.ts';
import { openFeed } from './open-feed.ts';
import { openJobs } from './open-jobs.ts';
import { readWorkerSettings } from './settings.ts';
import type { WorkerCore } from './worker-core.ts';

// Its work may wait, and the decisions on the same machine may not.
lowerProcessPriority();
const given = readWorkerSettings(process.env);
if ('faults' in given) throw refuseToStart(given.faults);

const log = newLogger('worker', given.logLevel, openLog(given.log));
reportBreakage(log);
const startup = newStartup(() => openPlaceholderServer(given.metrics), log);
const settings = await startup.retry(() => withInstallationKey(given));
const authenticator = newEventAuthenticator(settings.masterKey);
const connectAs = (role: DatabaseRole, connectionsMax: number, timeoutMs = settings.databaseTimeoutMs) =>
  connect({
    url: settings.databaseUrl,
    role,
    ...deriveRoleLogin(settings.masterKey, role),
    authenticator,
    connectionsMax,
    timeoutMs,
  });
/** For the clock and for readiness, so that busy pools do not make the worker unready. */
const health = connectAs('svc_reader', 1);
await startup.retry(() => requireSchema(health));
const clock = await startup.retry(() => openDatabaseClock({ database: health, skewMaxSeconds: settings.clockSkewMaxSeconds, log }));
const platformKeys = await startup.retry(() => keepPlatformKeys(health, settings.masterKey, log));
const { id: installationId } = deriveInstallation(settings.masterKey);
const readiness = newReadiness({ database: () => askDatabase(health) }, log);
const core: WorkerCore = { settings, log, clock, installationId, platformKeys, connectAs };
const parts = [...(settings.runs === 'jobs' ? [] : [openFeed(core)]), ...(settings.runs === 'feed' ? [] : [openJobs(core)])];
const pools = Object.assign({ health }, ...parts.map((part) => part.pools));
const checks = Object.assign({}, ...parts.map((part) => part.checks));
const metrics = settings.metrics && (await openMetrics([...parts.flatMap((part) => part.metrics), ...buildPoolMetrics(pools)]));
await startup.end();
const stopServing = settings.metrics && metrics && (await serveWorker(settings.metrics, [metrics], newHealth(readiness, clock, checks)));
log.info({ version: API_VERSION, node: process.version, pid: process.pid, runs: settings.runs }, 'started');
/** A consumer ends with its batch and a job with its step, whose statements all have timeouts; running calls get some time. */
const drainMs = Math.max(LIMITS.webhooks.stopTimeoutMs, settings.exchangeRates?.timeoutMs ?? 0) + 3 * settings.databaseTimeoutMs;
stopOnSignal(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  clock.close();
  platformKeys.close();
  await stopServing?.();
  await health.destroy();
}, drainMs);
announce({ drain_ms: drainMs, warnings: describeMissing(await readiness.look()) });
