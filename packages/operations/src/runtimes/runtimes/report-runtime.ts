import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { insertReport } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import { digestJson } from '@svc/runtimes/digest/digest.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import type { PlaneUrls } from './plane-urls.ts';
import { startVerification } from './verification/start-verification.ts';

type ReportRequest = CallContext & { readonly runtimeId: string; readonly body: EndpointBody<Endpoints['reportRuntime']> };

const NO_REPORTS = 'This kind of runtime is inspected over its API, and takes no reports.';

/** Stores the reduced form of reported files and verifies the runtime with it. */
export const reportRuntime = async (
  change: Change<EmittedBy<Endpoints['reportRuntime']>>,
  request: ReportRequest,
  runId: string,
  urls: PlaneUrls,
) => {
  const { scope, actor, now, runtimeId, body } = request;
  const runtime = await lockRuntime(change.tx, scope.organization_id, runtimeId);
  if (!runtime) return buildRefusal('NOT_FOUND');
  const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
  if (inspection.by !== 'reports') return buildRefusal('UNPROCESSABLE', NO_REPORTS);
  const files = body.files.map((file) => inspection.reader.read(runtime.product, file));
  const { organization_id, workspace_id, environment_id } = runtime;
  const { id } = await insertReport(change.tx, {
    ...{
      organization_id,
      workspace_id,
      environment_id,
      runtime_id: runtimeId,
      source: body.source ?? 'UPLOAD',
      reported_by: actor.id,
      at: now,
    },
    body: JSON.stringify({ files }),
    hash: digestJson(files),
  });
  const run = await startVerification(change, { ...request, body: undefined, trigger: 'MANUAL' }, runId, urls);
  if (isRefusal(run)) return run;
  return { id, files: files.map(({ path, sha256, reading }) => ({ path, sha256, reading })), run };
};
