import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import { answerReady, type Readiness } from '@svc/http/plane/readiness.ts';
import type { HealthPaths } from '@svc/program/metrics/serve-metrics.ts';
import type { LogsStand } from './events/audit-log/watch-logs.ts';
import type { FeedStand } from './feed/feed-meter.ts';

/**
 * What the planes answer at these paths, told at the port of the metrics, and how the audit logs and the feed stand. A log that is held,
 * or a feed that is behind, is no reason to take the worker for unready: another one would do as little about it.
 */
export const newHealth = (
  readiness: Readiness,
  clock: Pick<PlaneClock, 'measure' | 'refusal'>,
  stands: { readonly audit_logs: () => LogsStand; readonly feed: () => FeedStand },
): HealthPaths => ({
  '/health/live': async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  '/health/ready': async () => {
    const answered = await answerReady(readiness, clock);
    if (isRefusal(answered)) return { status: 503, body: { status: 'unavailable', reason: answered.message } };
    const checks = { ...answered.checks, audit_logs: stands.audit_logs(), feed: stands.feed() };
    return { status: 200, body: { ...answered, checks } };
  },
});
