import type { ExecutionTimes } from '@svc/enforcement/execution/execution-times.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import { newDigestSalt, recordDigest } from '@svc/keyring/log/record-digest.ts';
import { findOpenApproval } from '@svc/postgres/actions/approvals/find-open-approval.ts';
import type { ConnectionSettings, Database } from '@svc/postgres/connection/connect.ts';
import { findApproval, openGovernance } from '@svc/postgres/governance/open-governance.ts';
import { readVelocity } from '@svc/postgres/governance/read-velocity.ts';
import type { OnBatch } from '@svc/postgres/recorder/open-queues.ts';
import { openRecorder, type Recorder } from '@svc/postgres/recorder/open-recorder.ts';
import { openHistoryCache } from '@svc/postgres/risk/history-cache.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Logger } from 'pino';
import { newMarks } from '../../risk/risk-signals/new-marks.ts';
import { findBrokenPart } from '../../service/health/broken-part.ts';

const DAY_MS = 86_400_000;

export type PipelineSettings = {
  readonly database: Database;
  /** Login of the role that may only insert rows. */
  readonly recorder: ConnectionSettings;
  /** Null on a plane that never executes. */
  readonly executors: Ports['executors'];
  /** Timeouts of executions. */
  readonly times: ExecutionTimes;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly requestHashes: RequestHashes;
  readonly requestHmac: Ports['requestHmac'];
  /** Called for each batch of the recorder. */
  readonly onBatch?: OnBatch | undefined;
};

export type OpenedPipeline = { readonly ports: Ports; readonly recorder: Recorder };

/** Opens the ports of the pipeline over PostgreSQL: the same on both planes except for the executor. */
export const openPipeline = (settings: PipelineSettings): OpenedPipeline => {
  const { database, executors, log, clock, requestHashes, requestHmac } = settings;
  const recorder = openRecorder(database, settings.recorder, {
    ...settings.times,
    digestDocument: recordDigest,
    onBatch: settings.onBatch,
  });
  const ports: Ports = {
    governance: openGovernance(database, recorder, clock),
    approvals: {
      find: (organizationId, approvalId) => findApproval(database, organizationId, approvalId),
      findOpen: (organizationId, agentId, hash) => findOpenApproval(database, organizationId, agentId, hash),
    },
    activity: {
      velocity: (organizationId, agentId, now) =>
        readVelocity(database, {
          organizationId,
          agentId,
          now,
          firstActionId: getMinIdForTime('action', new Date(now.getTime() - DAY_MS)),
        }),
    },
    histories: openHistoryCache(database, clock),
    mark: newMarks(requestHashes),
    counters: recorder.counters,
    recorder,
    executors,
    clock,
    newId,
    requestHashes,
    requestHmac,
    newDigestSalt,
    onBreakage: (error, code, { requestId, traceId }) =>
      log.error(
        { request_id: requestId, trace_id: traceId, code, part: findBrokenPart(error), err: error },
        'a dependency of the pipeline failed; the request was refused',
      ),
  };
  return { ports, recorder };
};
