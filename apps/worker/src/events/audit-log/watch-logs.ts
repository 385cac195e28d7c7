import { type AnchorState, readAnchorStates } from '@svc/postgres/audit/anchors/read-anchors.ts';
import { countHeldLogs } from '@svc/postgres/audit/log/alarms.ts';
import { countRejected } from '@svc/postgres/audit/log/rejections.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Logger } from 'pino';
import { lookEvery } from '../../look-every.ts';

export type WatchDeps = {
  readonly reader: Database;
  readonly log: Logger;
  /** Names of the places outside. */
  readonly anchors: readonly string[];
  readonly everyMs: number;
  readonly nowMs: () => number;
};

/** How the logs of all organizations stand, in a word: as they should, held, or another one than is known outside. */
export type LogsStand = 'ok' | 'held' | 'conflict';

const anchorGauge = (name: string, help: string, anchors: readonly string[], read: (anchor: string) => number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: () => anchors.map((anchor) => ({ labels: { anchor }, value: read(anchor) })),
});

type Readings = {
  readonly held: () => number;
  readonly rejected: () => number;
  readonly failingSeconds: (anchor: string) => number;
  readonly conflictsOf: (anchor: string) => number;
};

const logMetrics = (anchors: readonly string[], { held, rejected, failingSeconds, conflictsOf }: Readings): readonly Metric[] => [
  {
    name: 'svc_audit_logs_held',
    help: 'Held logs, which are no longer sealed.',
    type: 'gauge',
    samples: () => [{ labels: {}, value: held() }],
  },
  {
    name: 'svc_audit_events_rejected',
    help: 'Events in the database that the service did not write; none of them is sealed.',
    type: 'gauge',
    samples: () => [{ labels: {}, value: rejected() }],
  },
  anchorGauge('svc_audit_anchor_failing_seconds', 'Time since the longest-waiting log was last anchored.', anchors, failingSeconds),
  anchorGauge('svc_audit_anchor_conflicts', 'Logs that differ from their external anchor.', anchors, conflictsOf),
];

/** Looks now and then at how the logs of all organizations stand, until stopped. */
export const watchLogs = ({ reader, log, anchors, everyMs, nowMs }: WatchDeps) => {
  let held = 0;
  let rejected = 0;
  let states: ReadonlyMap<string, AnchorState> = new Map();
  const look = async (): Promise<void> => {
    const before = held;
    held = await countHeldLogs(reader);
    if (held > before) log.error({ logs: held }, 'audit logs are held; list them with npm run ops -- admin audit-logs');
    rejected = await countRejected(reader);
    states = new Map((await readAnchorStates(reader, anchors)).map((state) => [state.anchor, state]));
  };
  const { stop } = lookEvery(everyMs, look, (err) => log.error({ err }, 'the status of audit logs could not be read'));
  const conflictsOf = (anchor: string): number => states.get(anchor)?.conflicts ?? 0;
  const failingSeconds = (anchor: string): number => {
    const since = states.get(anchor)?.failing_since ?? null;
    return since === null ? 0 : Math.max(0, nowMs() - Date.parse(since)) / 1_000;
  };
  return {
    metrics: logMetrics(anchors, { held: () => held, rejected: () => rejected, failingSeconds, conflictsOf }),
    stand: (): LogsStand => (held > 0 ? 'held' : anchors.some((anchor) => conflictsOf(anchor) > 0) ? 'conflict' : 'ok'),
    stop,
  };
};
