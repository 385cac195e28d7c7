import { LIMITS } from '@svc/contract/limits.ts';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { loadPlatformKeys } from '@svc/http/load-platform-keys.ts';
import { newLogger } from '@svc/http/new-logger.ts';
import { announce, listen, refuseToStart, refuseWithoutDatabase, stopWhenAsked } from '@svc/http/run-plane.ts';
import { serve } from '@svc/http/serve.ts';
import { deriveKey, deriveRolePassword } from '@svc/keyring/master-key.ts';
import { newPasswords } from '@svc/keyring/password.ts';
import { newRequestHashes } from '@svc/keyring/request-hashes.ts';
import { connect, type DatabaseRole } from '@svc/postgres/connect.ts';
import { newRateLimiter } from '@svc/shared-state/new-rate-limiter.ts';
import { newPipeline } from './actions/new-pipeline.ts';
import { newStepUpLane } from './auth/step-up-proofs.ts';
import type { ControlDeps } from './deps.ts';
import { newRateProvider } from './fx-rates/new-rate-provider.ts';
import { handlers } from './handlers.ts';
import { refreshAutomaticRates } from './jobs/refresh-automatic-rates.ts';
import { JOBS, startJobs } from './jobs/start-jobs.ts';
import { readControlSettings } from './settings.ts';
import { addSetupPage, newSetupUrl } from './setup/setup-page.ts';

const settings = readControlSettings(process.env);
if ('faults' in settings) throw refuseToStart(settings.faults);

const log = newLogger('control', settings.logLevel);
const connectAs = (role: DatabaseRole, connectionsMax: number) =>
  connect({
    url: settings.databaseUrl,
    role,
    password: deriveRolePassword(settings.masterKey, role),
    connectionsMax,
    timeoutMs: settings.databaseTimeoutMs,
  });
const database = connectAs('svc_app', settings.connectionsMax);
const emergencies = connectAs('svc_app', LIMITS.database.emergencyConnectionsMax);
const identity = connectAs('svc_identity', settings.connectionsMax);
const rateLimiter = newRateLimiter(settings.redisUrl);
const clock = await openDatabaseClock({ database: emergencies, skewMaxSeconds: settings.clockSkewMaxSeconds, log }).catch(
  (error: unknown) => {
    throw refuseWithoutDatabase(error);
  },
);
const requestHashes = newRequestHashes(deriveKey(settings.masterKey, 'request-hashing'));
const pipeline = newPipeline({ settings, database, log, clock: clock.now, requestHashes });
const urls = { base: settings.baseUrl ?? '', gateway: settings.gatewayUrl };
const platformKeys = await loadPlatformKeys(database, settings.masterKey).catch((error: unknown) => {
  throw refuseWithoutDatabase(error);
});
const rateProvider = settings.exchangeRateProvider && newRateProvider(settings.exchangeRateProvider);
const passwords = newPasswords();
const deps: ControlDeps = {
  settings,
  clock,
  database,
  identity,
  passwords,
  stepUpLane: newStepUpLane(passwords),
  platformKeys,
  cursorKey: deriveKey(settings.masterKey, 'cursor-signing'),
  requestHashes,
  pipeline: pipeline.ports,
  rateProvider,
  urls,
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
    requestHashes,
  },
  deps,
);
addSetupPage(app, identity);
const { refreshSeconds = 0 } = settings.exchangeRateProvider ?? {};
const rounds = rateProvider ? [refreshAutomaticRates(rateProvider, refreshSeconds)] : [];
const jobs = startJobs({ database, identity, log, clock: clock.now, isClockSure: () => clock.refusal() === undefined }, JOBS, rounds);
const url = await listen(app, settings.host, settings.port);
urls.base ||= url;
stopWhenAsked(app, async () => {
  clock.close();
  await rateProvider?.close();
  await jobs.stop();
  await pipeline.recorder.close();
  await Promise.all([database.destroy(), emergencies.destroy(), identity.destroy(), rateLimiter.close()]);
});
announce({ url: urls.base, setup_url: await newSetupUrl(identity, urls.base) });
