import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import { computeExecutionTimes } from '@svc/enforcement/execution/execution-times.ts';
import { newPlaceSemaphore } from '@svc/fairness/semaphore/place-semaphore.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
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
import { buildPoolMetrics, getRecorderMetric, getSlotMetrics } from '@svc/http/watch/part-metrics.ts';
import { newRequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import { newRequestHmac } from '@svc/keyring/bytes/request-hmac.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { newDpopNonces } from '@svc/keyring/tokens/dpop-nonces.ts';
import { newAgentTokenReader } from '@svc/keyring/tokens/verified-token-cache.ts';
import { newAssertionVerifier } from '@svc/keyring/tokens/verify-assertion.ts';
import { openPipeline } from '@svc/operations/actions/pipeline/open-pipeline.ts';
import { keepPlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import { newA2aPushTargets } from '@svc/operations/peers/a2a/a2a-push-targets.ts';
import { newA2aTaskOwners } from '@svc/operations/peers/a2a/a2a-task-owners.ts';
import { withInstallationKey } from '@svc/operations/service/keys/unlock.ts';
import { requireSchema } from '@svc/operations/service/schema/require-schema.ts';
import { readWatched } from '@svc/postgres/actions/approvals/read-watched.ts';
import { type ConnectionSettings, connect, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { findConnectionHome } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import { reportFailedAssertions } from '@svc/postgres/risk/report-failed-assertions.ts';
import { newLogger, openLog } from '@svc/program/log/new-logger.ts';
import { reportBreakage } from '@svc/program/log/report-breakage.ts';
import { newCounter } from '@svc/program/metrics/counter.ts';
import { announce } from '@svc/program/start/announce.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { newRateLimiter } from '@svc/shared-state/new-rate-limiter.ts';
import { newApprovalWaits } from './actions/approvals/own/new-approval-waits.ts';
import { newOneAtATime } from './actions/approvals/own/one-at-a-time.ts';
import { newSharedWaits } from './actions/approvals/own/shared-waits.ts';
import { newPushSecrets } from './actions/execution/a2a/push-secrets.ts';
import { newExecutors } from './actions/execution/new-executors.ts';
import { authenticateAgent } from './agents/identity/callers/authenticate-agent.ts';
import { newAgentHomes } from './agents/identity/kept/agent-homes.ts';
import { newFailedAssertions } from './agents/identity/kept/failed-assertions.ts';
import { SIGN_IN_OUTCOMES } from './agents/identity/kept/sign-in-outcomes.ts';
import type { GatewayDeps } from './deps.ts';
import { handlers } from './handlers.ts';
import { readGatewaySettings } from './settings.ts';

const given = readGatewaySettings(process.env);
if ('faults' in given) throw refuseToStart(given.faults);

const log = newLogger('gateway', given.logLevel, openLog(given.log));
reportBreakage(log);
const startup = newStartup(() => openPlaceholderServer('gateway', { ...given, otherUrl: given.baseUrl, log }, given.host, given.port), log);
const settings = await startup.retry(() => withInstallationKey(given));
const authenticator = newEventAuthenticator(settings.masterKey);
const connectionAs = (role: DatabaseRole, connectionsMax: number): ConnectionSettings => ({
  url: settings.databaseUrl,
  role,
  ...deriveRoleLogin(settings.masterKey, role),
  authenticator,
  connectionsMax,
  timeoutMs: settings.databaseTimeoutMs,
});
const database = connect(connectionAs('svc_gateway', settings.connectionsMax));
/** Finds the organization of agents before a tenant is known. */
const identity = connect(connectionAs('svc_recorder', 4));
/** For readiness, so that a full pool is no reason to restart: with the roles that read for decisions and that record them. */
const emergencies = connect(connectionAs('svc_gateway', 1));
const recording = connect(connectionAs('svc_recorder', 1));
await startup.retry(() => requireSchema(emergencies));
const clock = await startup.retry(() => openDatabaseClock({ database: emergencies, skewMaxSeconds: settings.clockSkewMaxSeconds, log }));
const about = { plane: 'gateway', version: API_VERSION, metricsSetting: SETTINGS.gatewayMetrics } as const;
const watching = await openWatch(settings, about, log);
const rateLimiter = await newRateLimiter(settings.redisUrl);
const tokenScope = { issuer: settings.gatewayUrl ?? '', audience: settings.gatewayUrl ?? '' };
const { executors, closeExecutors } = newExecutors(settings, {
  database,
  clock: clock.now,
  tell: (facts, sentence) => log.warn(facts, sentence),
  origin: () => tokenScope.audience,
});
const requestHashes = newRequestHashes(deriveKey(settings.masterKey, 'request-hashing'));
const requestHmac = newRequestHmac(deriveKey(settings.masterKey, 'request-hmac'));
const times = computeExecutionTimes(settings);
const { ports, recorder } = openPipeline({
  database,
  recorder: connectionAs('svc_recorder', 1),
  executors,
  times,
  log,
  clock: clock.now,
  requestHashes,
  requestHmac,
  onBatch: watching.onBatch,
});
const platformKeys = await startup.retry(() => keepPlatformKeys(database, settings.masterKey, log));
const readiness = newReadiness(listParts([emergencies, recording], settings.redisUrl, rateLimiter), log);
const signIns = newCounter('svc_agent_sign_ins_total', 'Sign-ins of agents, by outcome.', 'check', SIGN_IN_OUTCOMES);
const places = newPlaceSemaphore(LIMITS.admission);
await watching.serve(() => [
  signIns.metric,
  getRecorderMetric(recorder),
  getSlotMetrics(places),
  ...buildPoolMetrics({ decisions: database, agents: identity, health: emergencies }),
]);
const approvalWaits = newApprovalWaits((ids, organizationIds) => readWatched(identity, ids, organizationIds));
const dpopNonces = newDpopNonces(deriveKey(settings.masterKey, 'dpop-nonces'));
const homes = newAgentHomes(identity);
const pushSecrets = newPushSecrets(settings.masterKey);
const deps: GatewayDeps = {
  settings,
  clock,
  database,
  pipeline: ports,
  recorder,
  rateLimiter,
  platformKeys,
  tokens: newAgentTokenReader(tokenScope),
  tokenScope,
  dpopNonces,
  homes,
  failedAssertions: newFailedAssertions({
    homes,
    report: (home, failures) => reportFailedAssertions(database, home, failures),
    onError: (err) => log.warn({ err }, 'failed assertions could not be reported'),
  }),
  connectionHomes: (connectionId) => findConnectionHome(identity, connectionId),
  a2aTasks: newA2aTaskOwners(database, clock.now),
  a2aPushTargets: newA2aPushTargets(database, clock.now, pushSecrets),
  hashPushToken: pushSecrets.hashToken,
  assertions: newAssertionVerifier(),
  watch: watching.watch,
  signIns,
  requestHashes,
  readiness,
  approvalWaits,
  sharedWaits: newSharedWaits(approvalWaits),
  oneAtATime: newOneAtATime(),
};
const app = serve(
  'gateway',
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
    sessionIdleTimeoutSeconds: 0,
    otherUrl: settings.baseUrl,
    requestHashes,
    places,
    watch: watching.watch,
    dpopNonce: () => dpopNonces.issue(clock.now().getTime()),
    resourceOrigin: () => tokenScope.audience,
    isConsoleOrigin: newBrowserTerms(() => settings.baseUrl ?? '').isOwn,
    authenticateAgent: (...asked) => authenticateAgent(deps, ...asked),
  },
  deps,
);
// Waiters are answered with the current state, so that a stop waits for none.
app.drain.whenBegun(approvalWaits.end);
const url = await listen(app, settings.host, settings.port, startup);
// Without a public address, a gateway uses its listening address; agents read the audience from its key endpoint either way.
tokenScope.issuer ||= url;
tokenScope.audience ||= url;
const { realEgress, egressTimeoutMs } = settings;
logStart(
  log,
  url,
  settings,
  { gateway_url: tokenScope.audience, real_egress: realEgress, egress_timeout_ms: egressTimeoutMs },
  Object.keys(process.env),
);
stopPlaneOnSignal(app, times.drainMs, async () => {
  clock.close();
  platformKeys.close();
  await recorder.close();
  await watching.close();
  await closeExecutors();
  await Promise.all([...[database, emergencies, recording, identity].map((pool) => pool.destroy()), rateLimiter.close()]);
});
announce({ url, audience: tokenScope.audience, drain_ms: times.drainMs, warnings: describeMissing(await readiness.look()) });
void runOrRefuse(recorder.warm, (err) => log.warn({ err }, 'the recorder could not be opened in advance'));
