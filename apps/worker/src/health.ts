import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import { answerReady, type Readiness } from '@svc/http/plane/readiness.ts';
import type { HealthPaths } from '@svc/program/metrics/serve-metrics.ts';

/** What the planes answer at these paths, told at the port of the metrics. */
export const newHealth = (readiness: Readiness, clock: Pick<PlaneClock, 'measure' | 'refusal'>): HealthPaths => ({
  '/health/live': async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  '/health/ready': async () => {
    const answered = await answerReady(readiness, clock);
    if (!isRefusal(answered)) return { status: 200, body: answered };
    return { status: 503, body: { status: 'unavailable', reason: answered.message } };
  },
});
