import type { Operated } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isWeaker } from '@svc/domain/runtimes/runtimes/enforcement-order.ts';
import { requiredEnforcement } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import { computeRoot, EMPTY_TREE, growTree, leafHash } from '@svc/keyring/log/merkle.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findingsOfRuntime } from '@svc/postgres/runtimes/runtime-findings.ts';
import { listInspectedWorkflows, markGoneWorkflows } from '@svc/postgres/runtimes/runtimes/runtime-workflows.ts';
import { lockRuntime, type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { listEvidence, removeOldRuns, updateRun, type VerificationRunRow } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import type { FoundFinding, InspectedWorkflow, RunCursor } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { TimedEvidence } from '@svc/runtimes/workflow-automation-managed/bundle/read-heartbeats.ts';
import { assessRuntime } from '../assess-runtime.ts';
import { getInspectionTerms } from '../instance/inspection-terms.ts';
import { refreshHook } from '../observed-evidence.ts';
import type { PlaneUrls } from '../plane-urls.ts';
import { keepEvidence } from './keep-evidence.ts';
import { settleFindings } from './settle-findings.ts';

type Emitted = 'integration.updated' | 'compliance.control_updated';
type Ending = { readonly now: Date; readonly urls: PlaneUrls };

const evidenceRoot = (hashes: readonly string[]): string => computeRoot(growTree(EMPTY_TREE, hashes.map(leafHash))).toString('hex');

/** Returns the status after a recovery: ACTIVE only if the evidence suffices, otherwise the previous one. */
const recoveredStatus = async (
  { tx }: Change<Emitted>,
  runtime: RuntimeRow,
  isComplete: boolean,
): Promise<{ readonly status: 'ACTIVE' | 'PAUSED'; readonly because: string } | undefined> => {
  if (runtime.status !== 'RECOVERING') return undefined;
  if (!isComplete) return { status: 'PAUSED', because: 'The verification did not complete.' };
  const live = await findingsOfRuntime(tx, { organization_id: runtime.organization_id, runtime_id: runtime.id }, true);
  const critical = live.filter(({ status, severity, dormant }) => status === 'OPEN' && severity === 'CRITICAL' && !dormant).length;
  if (critical > 0) return { status: 'PAUSED', because: `${critical} critical findings are open.` };
  const required = requiredEnforcement(runtime.settings);
  if (isWeaker(runtime.enforcement, required))
    return { status: 'PAUSED', because: `The status is ${runtime.enforcement}, and ${required} is required.` };
  return { status: 'ACTIVE', because: 'The verification completed, and the status is sufficient.' };
};

const isOperated = ({ admin_access, credential_id }: RuntimeRow): boolean => admin_access === 'OPERATE' && credential_id !== null;

const settleRecovery = async (change: Change<Emitted>, runtime: RuntimeRow, isComplete: boolean, now: Date): Promise<void> => {
  const recovered = await recoveredStatus(change, runtime, isComplete);
  if (recovered === undefined) return;
  const { status, because } = recovered;
  const { operated } = runtime;
  const reactivates = status === 'ACTIVE' && operated?.operation === 'RECOVER_AND_REACTIVATE' && operated.deactivated.length > 0;
  const next: Operated | null = operated && { ...operated, instance: reactivates ? 'PENDING' : operated.instance };
  await updateRuntimeRow(change.tx, runtime.organization_id, runtime.id, {
    ...{ status, updated_at: now, operated: next && JSON.stringify(next) },
    // A runtime that stays stopped is checked again.
    operate_due_at: reactivates || (status === 'PAUSED' && isOperated(runtime)) ? now : null,
  });
  change.emit('integration.updated', {
    ...about.runtime(runtime),
    ...(status === 'ACTIVE' ? {} : { severity: 'warning' as const }),
    data: { name: runtime.name, before: { status: 'RECOVERING' }, after: { status }, because },
  });
};

/** Returns the findings of everything that a run inspected. */
const judge = async ({ tx }: Change<Emitted>, runtime: RuntimeRow, run: VerificationRunRow, urls: PlaneUrls): Promise<FoundFinding[]> => {
  const { findings = [] } = run.cursor as RunCursor;
  const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
  if (inspection.by !== 'instance') return [...findings];
  const key = { organization_id: runtime.organization_id, runtime_id: runtime.id };
  const workflows = await listInspectedWorkflows(tx, key, run.id, LIMITS.verification.workflowsMax);
  return [...findings, ...inspection.driver.judge(workflows as readonly InspectedWorkflow[], getInspectionTerms(runtime, urls))];
};

/** Ends an incomplete run. It resolves nothing. */
export const failRun = async (
  change: Change<Emitted>,
  run: VerificationRunRow,
  failure: string,
  now: Date,
): Promise<VerificationRunRow> => {
  const { organization_id, id, runtime_id, step } = run;
  const runtime = await lockRuntime(change.tx, organization_id, runtime_id);
  const ended = await updateRun(change.tx, organization_id, id, {
    state: 'FAILED',
    ended_at: now,
    failure: failure.slice(0, 1_000),
    cursor: '{}',
  });
  if (!runtime) return ended;
  change.emit('integration.updated', {
    ...about.runtime(runtime),
    severity: 'warning',
    data: { name: runtime.name, verification: { run_id: id, state: 'FAILED', step, failure: ended.failure } },
  });
  await settleRecovery(change, runtime, false, now);
  return ended;
};

/** Stores what heartbeats showed as evidence of the run, each as old as its heartbeat. */
const keepHookEvidence = async (
  change: Change<Emitted>,
  run: VerificationRunRow,
  observations: readonly TimedEvidence[],
): Promise<void> => {
  let from = (await listEvidence(change.tx, run.organization_id, run.id)).length + 1;
  for (const { at, ...evidence } of observations) {
    await keepEvidence(change, run, [evidence], { from, at });
    from += 1;
  }
};

/** Completes a run: compares its findings with the stored ones, computes the status, and writes one event with the root of its evidence. */
export const completeRun = async (change: Change<Emitted>, run: VerificationRunRow, { now, urls }: Ending): Promise<VerificationRunRow> => {
  const { tx, emit } = change;
  const { organization_id, id: runId, runtime_id } = run;
  const runtime = await lockRuntime(tx, organization_id, runtime_id);
  if (!runtime) return updateRun(tx, organization_id, runId, { state: 'ABANDONED', ended_at: now });
  const key = { organization_id, runtime_id };
  const findings = await settleFindings(tx, runtime, await judge(change, runtime, run, urls), { runId, now });
  if (RUNTIME_KIND_ROWS[runtime.kind].inspection.by === 'instance') await markGoneWorkflows(tx, key, runId, now);
  const hooked = await refreshHook(tx, runtime, urls, now);
  await keepHookEvidence(change, run, hooked.observations);
  const status = await assessRuntime(change, hooked.runtime, { now, cause: 'VERIFIED', runId });
  const root = evidenceRoot((await listEvidence(tx, organization_id, runId)).map(({ hash }) => hash));
  const ended = await updateRun(tx, organization_id, runId, {
    ...{
      state: 'COMPLETED',
      step: 'ASSESS',
      ended_at: now,
      evidence_root: root,
      findings: findings.live,
      status_after: status,
      cursor: '{}',
    },
  });
  const { opened, reopened, resolved } = findings;
  emit('integration.updated', {
    ...about.runtime(runtime),
    data: {
      name: runtime.name,
      verification: { run_id: runId, state: 'COMPLETED', evidence_root: root, status, findings: { opened, reopened, resolved } },
    },
  });
  await settleRecovery(change, { ...runtime, enforcement: status }, true, now);
  await removeOldRuns(tx, key, LIMITS.verification.runsKeptMax);
  return ended;
};
