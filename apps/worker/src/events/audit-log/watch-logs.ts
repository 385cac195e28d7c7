import { type AnchorState, readAnchorStates } from '@svc/postgres/audit/anchors/read-anchors.ts';
import { countHeldLogs } from '@svc/postgres/audit/log/alarms.ts';
import { countRejected } from '@svc/postgres/audit/log/rejections.ts';
import { countPartitionsAhead } from '@svc/postgres/audit/partitions/count-partitions-ahead.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Logger } from 'pino';
import { lookEvery } from '../../look-every.ts';

export type WatchDeps = {
  readonly reader: Database;
  readonly log: Logger;
  /** Names of the anchors. */
  readonly anchors: readonly string[];
  readonly everyMs: number;
  readonly nowMs: () => number;
};

/** Status of all logs together: ok, held, or in conflict with an anchor. */
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
  readonly ahead: () => number;
  readonly failingSeconds: (anchor: string) => number;
  readonly conflictsOf: (anchor: string) => number;
};

const logMetrics = (anchors: readonly string[], { held, rejected, ahead, failingSeconds, conflictsOf }: Readings): readonly Metric[] => [
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
  {
    name: 'svc_audit_partitions_ahead',
    help: 'Months to come whose partition of events exists; at 0 events of the next month are stored in the default partition.',
    type: 'gauge',
    samples: () => [{ labels: {}, value: ahead() }],
  },
  anchorGauge('svc_audit_anchor_failing_seconds', 'Time since the longest-waiting log was last anchored.', anchors, failingSeconds),
  anchorGauge('svc_audit_anchor_conflicts', 'Logs that differ from their external anchor.', anchors, conflictsOf),
];

/** Reads the status of all logs periodically until stopped. */
export const watchLogs = ({ reader, log, anchors, everyMs, nowMs }: WatchDeps) => {
  let held = 0;
  let rejected = 0;
  let ahead = 0;
  let isMissing = false;
  let states: ReadonlyMap<string, AnchorState> = new Map();
  const look = async (): Promise<void> => {
    const before = held;
    held = await countHeldLogs(reader);
    if (held > before) log.error({ logs: held }, 'audit logs are held; list them with npm run ops -- admin audit-logs');
    rejected = await countRejected(reader);
    ahead = await countPartitionsAhead(reader, nowMs());
    if (ahead === 0 && !isMissing) log.error('the partition of the events of the next month is missing; a worker that runs jobs makes it');
    isMissing = ahead === 0;
    states = new Map((await readAnchorStates(reader, anchors)).map((state) => [state.anchor, state]));
  };
  const { stop } = lookEvery(everyMs, look, (err) => log.error({ err }, 'the status of audit logs could not be read'));
  const conflictsOf = (anchor: string): number => states.get(anchor)?.conflicts ?? 0;
  const failingSeconds = (anchor: string): number => {
    const since = states.get(anchor)?.failing_since ?? null;
    return since === null ? 0 : Math.max(0, nowMs() - Date.parse(since)) / 1_000;
  };
  return {
    metrics: logMetrics(anchors, { held: () => held, rejected: () => rejected, ahead: () => ahead, failingSeconds, conflictsOf }),
    stand: (): LogsStand => (held > 0 ? 'held' : anchors.some((anchor) => conflictsOf(anchor) > 0) ? 'conflict' : 'ok'),
    stop,
  };
};
