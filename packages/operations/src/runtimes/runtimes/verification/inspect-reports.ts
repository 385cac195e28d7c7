import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { listNewestReports, updateRun, type VerificationRunRow } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import type { ReportReader, StoredReport } from '@svc/runtimes/kind.ts';
import { getInspectionTerms } from '../instance/inspection-terms.ts';
import type { PlaneUrls } from '../plane-urls.ts';
import { completeRun } from './end-run.ts';
import { keepEvidence } from './keep-evidence.ts';

/** Verifies a runtime through its reports: the stored files are inspected, and the run ends at once. */
export const inspectReports = async (
  change: Change<'integration.updated' | 'compliance.control_updated'>,
  runtime: RuntimeRow,
  run: VerificationRunRow,
  reader: ReportReader,
  { now, urls }: { readonly now: Date; readonly urls: PlaneUrls },
): Promise<VerificationRunRow> => {
  const { tx } = change;
  const { organization_id, id: runtime_id } = runtime;
  const rows = await listNewestReports(tx, { organization_id, runtime_id }, runtime.evidence_since, LIMITS.runtimeReports.keptMax);
  const reports = rows.map(
    ({ source, at, body }): StoredReport => ({ source, at, files: (body as { files: StoredReport['files'] }).files }),
  );
  const { evidence, findings } = reader.inspect(runtime.product, reports, getInspectionTerms(runtime, urls));
  // An observation is as old as the newest report, however often it is inspected.
  const at = reports[0]?.at ?? now.toISOString();
  await keepEvidence(change, run, evidence, { from: 1, at });
  const ready = await updateRun(tx, organization_id, run.id, { state: 'RUNNING', started_at: now, cursor: JSON.stringify({ findings }) });
  return completeRun(change, ready, { now, urls });
};
