import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { StandIn } from '@svc/http/plane/new-startup.ts';
import { answerReady, type Readiness } from '@svc/http/plane/readiness.ts';
import { type HealthPaths, type Metrics, type MetricsAddress, serveMetrics } from '@svc/program/metrics/serve-metrics.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import type { WorkerPart } from './worker-core.ts';

/**
 * Serves the health paths of the planes at the port of the metrics, with the checks of the running parts. A held log, a slow feed or a
 * failing mail server does not make the worker unready: another worker could not help either.
 */
export const newHealth = (
  readiness: Readiness,
  clock: Pick<PlaneClock, 'measure' | 'refusal'>,
  checks: WorkerPart['checks'],
): HealthPaths => ({
  '/health/live': async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  '/health/ready': async () => {
    const answered = await answerReady(readiness, clock);
    if (isRefusal(answered)) return { status: 503, body: { status: 'unavailable', reason: answered.message } };
    const results = Object.entries(checks).map(([name, check]) => [name, check()] as const);
    return { status: 200, body: { ...answered, checks: { ...answered.checks, ...Object.fromEntries(results) } } };
  },
});

/** Serves metrics and health. Exits with a message if the address cannot be listened on. */
export const serveWorker = (address: MetricsAddress, metrics: readonly Metrics[], health: HealthPaths): Promise<() => Promise<void>> =>
  serveMetrics(address, metrics, health).catch((error: Error) => {
    throw refuseToStart([`${WATCH_SETTINGS.workerMetrics} cannot be listened on (${error.message}).`]);
  });

const WAITING: HealthPaths = {
  '/health/live': async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  '/health/ready': async () => ({ status: 503, body: { status: 'unavailable', reason: 'The database does not respond.' } }),
};

/** Opens the stand-in of a worker that waits for its database; a worker without a port has none. */
export const openPlaceholderServer = async (address: MetricsAddress | undefined): Promise<StandIn | undefined> =>
  address && { port: address.port, close: await serveWorker(address, [], WAITING) };
