import type { KeyObject } from 'node:crypto';
import { computeExecutionTimes } from '@svc/enforcement/execution/execution-times.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import { newRequestHmac } from '@svc/keyring/bytes/request-hmac.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { type OpenedPipeline, openPipeline } from '@svc/operations/actions/pipeline/open-pipeline.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { EventAuthenticator } from '@svc/postgres/connection/event-authenticator.ts';
import type { OnBatch } from '@svc/postgres/recorder/open-queues.ts';
import type { Logger } from 'pino';

type PipelineDeps = {
  readonly settings: { readonly masterKey: KeyObject; readonly databaseUrl: string; readonly databaseTimeoutMs: number };
  readonly database: Database;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly requestHashes: RequestHashes;
  readonly authenticator: EventAuthenticator;
  readonly onBatch: OnBatch | undefined;
};

/** Opens the enforcement pipeline of this plane, which decides and records and never executes. */
export const newPipeline = ({ settings, database, log, clock, requestHashes, authenticator, onBatch }: PipelineDeps): OpenedPipeline => {
  const requestHmac = newRequestHmac(deriveKey(settings.masterKey, 'request-hmac'));
  return openPipeline({
    database,
    executors: null,
    times: computeExecutionTimes({ egressTimeoutMs: 0, databaseTimeoutMs: settings.databaseTimeoutMs }),
    log,
    clock,
    requestHashes,
    requestHmac,
    onBatch,
    recorder: {
      url: settings.databaseUrl,
      role: 'svc_recorder',
      ...deriveRoleLogin(settings.masterKey, 'svc_recorder'),
      authenticator,
      connectionsMax: 1,
      timeoutMs: settings.databaseTimeoutMs,
    },
  });
};
