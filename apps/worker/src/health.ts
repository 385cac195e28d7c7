import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import { answerReady, type Readiness } from '@svc/http/plane/readiness.ts';
import type { HealthPaths } from '@svc/program/metrics/serve-metrics.ts';
import type { LogsStand } from './events/audit-log/watch-logs.ts';

/**
 * What the planes answer at these paths, told at the port of the metrics, and how the audit logs stand. A log that is held is no reason to take
 * the worker for unready: another one would seal it as little.
 */
export const newHealth = (
  readiness: Readiness,
  clock: Pick<PlaneClock, 'measure' | 'refusal'>,
  logsStand: () => LogsStand,
): HealthPaths => ({
  '/health/live': async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  '/health/ready': async () => {
    const answered = await answerReady(readiness, clock);
    if (!isRefusal(answered)) return { status: 200, body: { ...answered, checks: { ...answered.checks, audit_logs: logsStand() } } };
    return { status: 503, body: { status: 'unavailable', reason: answered.message } };
  },
});
