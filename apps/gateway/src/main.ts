import { LIMITS } from '@svc/contract/limits.ts';
import { newFairSemaphore } from '@svc/http/admission/fair-semaphore.ts';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { loadPlatformKeys } from '@svc/http/load-platform-keys.ts';
import { newLogger } from '@svc/http/new-logger.ts';
import { openPipeline } from '@svc/http/open-pipeline.ts';
import { announce, listen, refuseToStart, refuseWithoutDatabase, stopWhenAsked } from '@svc/http/run-plane.ts';
import { serve } from '@svc/http/serve.ts';
import { deriveKey, deriveRolePassword } from '@svc/keyring/master-key.ts';
import { newRequestHashes } from '@svc/keyring/request-hashes.ts';
import { newAgentTokenReader } from '@svc/keyring/verified-token-cache.ts';
import { newAssertionVerifier } from '@svc/keyring/verify-assertion.ts';
import { type ConnectionSettings, connect, type DatabaseRole } from '@svc/postgres/connect.ts';
import { newRateLimiter } from '@svc/shared-state/new-rate-limiter.ts';
import type { GatewayDeps } from './deps.ts';
import { newExecutor } from './execution/new-executor.ts';
import { handlers } from './handlers.ts';
import { newAgentHomes } from './identity/agent-homes.ts';
import { authenticateAgent } from './identity/authenticate-agent.ts';
import { readGatewaySettings } from './settings.ts';

const settings = readGatewaySettings(process.env);
if ('faults' in settings) throw refuseToStart(settings.faults);

const log = newLogger('gateway', settings.logLevel);
const connectionAs = (role: DatabaseRole, connectionsMax: number): ConnectionSettings => ({
  url: settings.databaseUrl,
  role,
  password: deriveRolePassword(settings.masterKey, role),
  connectionsMax,
  timeoutMs: settings.databaseTimeoutMs,
});
const database = connect(connectionAs('svc_gateway', settings.connectionsMax));
/** Where agents belong, asked before a tenant is known. */
const identity = connect(connectionAs('svc_recorder', 4));
/** For readiness, so that a full pool is no reason to be replaced. */
const emergencies = connect(connectionAs('svc_gateway', 1));
const clock = await openDatabaseClock({ database: emergencies, skewMaxSeconds: settings.clockSkewMaxSeconds, log }).catch(
  (error: unknown) => {
    throw refuseWithoutDatabase(error);
  },
);
const rateLimiter = newRateLimiter(settings.redisUrl);
const { executor, closeExecutor } = newExecutor(settings);
const requestHashes = newRequestHashes(deriveKey(settings.masterKey, 'request-hashing'));
const { ports, recorder } = openPipeline({
  database,
  recorder: connectionAs('svc_recorder', 1),
  executor,
  log,
  clock: clock.now,
  requestHashes,
});
const platformKeys = await loadPlatformKeys(database, settings.masterKey).catch((error: unknown) => {
  throw refuseWithoutDatabase(error);
});
const tokenScope = { issuer: settings.gatewayUrl ?? '', audience: settings.gatewayUrl ?? '' };
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
  homes: newAgentHomes(identity),
  assertions: newAssertionVerifier(),
  requestHashes,
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
    requestHashes,
    places: newFairSemaphore(LIMITS.admission),
    authenticateAgent: (token, now, row) => authenticateAgent(deps, token, now, row),
  },
  deps,
);
const url = await listen(app, settings.host, settings.port);
// Without a public address of its own, a gateway is where it listens; agents read the audience from its key endpoint either way.
tokenScope.issuer ||= url;
tokenScope.audience ||= url;
stopWhenAsked(app, async () => {
  clock.close();
  await recorder.close();
  await Promise.all([closeExecutor(), database.destroy(), emergencies.destroy(), identity.destroy(), rateLimiter.close()]);
});
announce({ url, audience: tokenScope.audience });
