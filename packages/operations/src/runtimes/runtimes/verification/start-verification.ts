import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { RunTrigger } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { CallContext } from '../../../people/auth/acting.ts';
import type { PlaneUrls } from '../plane-urls.ts';
import { inspectReports } from './inspect-reports.ts';
import { openRun } from './open-run.ts';

type StartRequest = CallContext & {
  readonly runtimeId: string;
  readonly body: EndpointBody<Endpoints['verifyRuntime']> | undefined;
  readonly trigger: RunTrigger;
};

const DISCONNECTED = 'The runtime is disconnected: give it a new API key first.';
const NO_KEY = 'The runtime has no API key that the service may use. Store one, and set admin_access to READ.';

/** Starts a verification. A runtime with reports is verified at once; an instance is inspected by a job. */
export const startVerification = async (
  change: Change<EmittedBy<Endpoints['verifyRuntime']>>,
  { scope, actor, now, runtimeId, body, trigger }: StartRequest,
  runId: string,
  urls: PlaneUrls,
) => {
  const runtime = await lockRuntime(change.tx, scope.organization_id, runtimeId);
  if (!runtime) return buildRefusal('NOT_FOUND');
  if (runtime.status === 'DISCONNECTED') return buildRefusal('INVALID_STATE_TRANSITION', DISCONNECTED);
  const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
  if (inspection.by === 'instance' && (runtime.credential_id === null || runtime.admin_access === 'NONE'))
    return buildRefusal('INVALID_STATE_TRANSITION', NO_KEY);
  const run = await openRun(change.tx, runtime, { id: runId, trigger, canaries: body?.canaries ?? true, by: actor.id, now });
  return inspection.by === 'reports' ? inspectReports(change, runtime, run, inspection.reader, { now, urls }) : run;
};
