import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EgressCredential } from '@svc/egress/requests/egress-request.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  calledWorkflowIds,
  canariesLeft,
  insertCanary,
  listRecordedActions,
  updateCanary,
  upsertRuntimeWorkflows,
} from '@svc/postgres/runtimes/runtimes/runtime-workflows.ts';
import { lockRuntime, type RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import {
  claimRun,
  listEvidence,
  lockClaimedRun,
  updateRun,
  type VerificationRunRow,
} from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import type { CanaryLedger, InstanceDriver, RunCursor, StepOutcome } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import { getInspectionTerms } from '../instance/inspection-terms.ts';
import { leaseApiKey, newSender, openProof } from '../instance/open-instance.ts';
import { type InstanceDeps, keepConnection } from '../instance/test-runtime.ts';
import { completeRun, failRun } from './end-run.ts';
import { inspectReports } from './inspect-reports.ts';
import { keepEvidence } from './keep-evidence.ts';

type Emitted = 'integration.updated' | 'compliance.control_updated' | 'credential.issued';
/** Runs work in a transaction of its own, with its events. */
type Changing = <Result>(work: (change: Change<Emitted>) => Promise<Result>) => Promise<Result | Refusal>;

export type RunDeps = InstanceDeps & {
  /** Returns the current time, which advances during a run. */
  readonly clock: () => Date;
  readonly wait: (ms: number) => Promise<void>;
  readonly random: () => string;
};

type Claimed = {
  readonly run: VerificationRunRow;
  readonly runtime: RuntimeRow;
  readonly driver: InstanceDriver;
  readonly proof: EgressCredential | undefined;
};

const { leaseMs, retryMs, triesMax, abandonedAfterMs } = LIMITS.verification;
const { defaultPerSecondCount } = LIMITS.runtimes;
const NOT_DUE = buildRefusal('NOT_FOUND');

const claim = (changing: Changing, organizationId: string, runId: string, { clock, urls, credentialKey }: RunDeps) =>
  changing(async (change) => {
    const now = clock();
    const run = await claimRun(change.tx, organizationId, runId, { now, until: new Date(now.getTime() + leaseMs) });
    const runtime = run && (await lockRuntime(change.tx, organizationId, run.runtime_id));
    if (!run || !runtime) return NOT_DUE;
    if (now.getTime() - Date.parse(run.created_at) > abandonedAfterMs) return failRun(change, run, 'It did not end in its time.', now);
    const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
    if (inspection.by === 'reports') return inspectReports(change, runtime, run, inspection.reader, { now, urls });
    const opened = await leaseApiKey(change, runtime, 'RUNTIME_VERIFICATION', credentialKey);
    if (isRefusal(opened)) return failRun(change, run, 'It has no instance.', now);
    return { run, runtime, driver: inspection.driver, opened };
  });

const newLedger = (
  changing: Changing,
  { organization_id, workspace_id, environment_id, id: run_id, runtime_id }: VerificationRunRow,
  clock: () => Date,
): CanaryLedger => {
  const key = { organization_id, runtime_id };
  const kept = async (work: (change: Change<Emitted>) => Promise<void>): Promise<void> => {
    const done = await changing(work);
    if (isRefusal(done)) throw new Error('a test workflow could not be noted');
  };
  return {
    plan: (name, kind) =>
      kept(({ tx }) =>
        insertCanary(tx, { organization_id, workspace_id, environment_id, runtime_id, run_id, name, kind, planned_at: clock() }),
      ),
    created: (name, workflow_id) => kept(({ tx }) => updateCanary(tx, key, name, { workflow_id })),
    removed: (name, outcome) => kept(({ tx }) => updateCanary(tx, key, name, { outcome: outcome.slice(0, 500), removed_at: clock() })),
    left: async () => {
      const rows = await changing(({ tx }) => canariesLeft(tx, key));
      return isRefusal(rows) ? [] : rows;
    },
  };
};

/** Limits the requests per second to the runtime's setting, across all steps of a run: the last one of a step delays the next step. */
const newPace = ({ settings }: RuntimeRow, { clock, wait }: RunDeps) => {
  const gapMs = Math.ceil(1_000 / (settings.requests_per_second ?? defaultPerSecondCount));
  let sent = 0;
  let last = 0;
  return {
    gapMs,
    sent: () => sent,
    onSend: async (): Promise<void> => {
      const due = last + gapMs - clock().getTime();
      if (last > 0 && due > 0) await wait(due);
      last = clock().getTime();
      sent += 1;
    },
  };
};

/** Stores the result of a step, unless another process took the run meanwhile. Returns true while the run goes on. */
const keepOutcome = async (
  change: Change<Emitted>,
  { run: claimed, runtime }: Claimed,
  outcome: StepOutcome,
  sent: number,
  { clock, urls }: RunDeps,
): Promise<VerificationRunRow | null> => {
  const { tx } = change;
  const now = clock();
  const { organization_id, id } = claimed;
  const here = await lockRuntime(tx, organization_id, claimed.runtime_id);
  const run = here && (await lockClaimedRun(tx, claimed));
  if (!run) return null;
  const requests = run.requests + sent;
  if (outcome.kind !== 'done') {
    if (outcome.kind === 'failed' && outcome.connection) await keepConnection(change, here, outcome.connection, now);
    if (outcome.kind === 'failed' || run.tries + 1 >= triesMax) {
      await failRun(change, { ...(await updateRun(tx, organization_id, id, { requests })) }, outcome.why, now);
      return null;
    }
    const due_at = new Date(now.getTime() + (outcome.afterMs ?? retryMs * 2 ** run.tries));
    await updateRun(tx, organization_id, id, { requests, tries: run.tries + 1, due_at, failure: outcome.why.slice(0, 1_000) });
    return null;
  }
  const { evidence = [], workflows = [], connection, next, cursor } = outcome;
  if (connection) await keepConnection(change, here, connection, now);
  if (evidence.length > 0) {
    const there = await listEvidence(tx, organization_id, id);
    await keepEvidence(change, run, evidence, { from: there.length + 1, at: now.toISOString() });
  }
  const { workspace_id, environment_id, id: runtime_id } = runtime;
  await upsertRuntimeWorkflows(
    tx,
    workflows.map(({ inventory, ...workflow }) => ({
      ...{ organization_id, workspace_id, environment_id, runtime_id, ...workflow, inventory: JSON.stringify(inventory) },
      ...{ changed_at: now, first_seen_at: now, last_seen_at: now, last_run_id: id },
    })),
  );
  const due_at = new Date(now.getTime() + leaseMs);
  const moved = await updateRun(tx, organization_id, id, {
    ...{
      step: next,
      cursor: JSON.stringify(cursor),
      requests,
      workflows: run.workflows + workflows.length,
      tries: 0,
      due_at,
      failure: null,
    },
  });
  if (next !== 'ASSESS') return moved;
  await completeRun(change, moved, { now, urls });
  return null;
};

const doStep = (
  changing: Changing,
  { run, runtime, driver, proof }: Claimed,
  deps: RunDeps,
  pace: ReturnType<typeof newPace>,
): Promise<StepOutcome> => {
  const key = { organization_id: run.organization_id, runtime_id: runtime.id };
  return driver.step(run.step, {
    send: newSender({ egress: deps.egress, proof, runtime }, pace.onSend),
    terms: getInspectionTerms(runtime, deps.urls),
    ...{ now: deps.clock(), runId: run.id, cursor: run.cursor as RunCursor },
    mayPlant: runtime.admin_access === 'OPERATE' && run.canaries,
    canaries: newLedger(changing, run, deps.clock),
    unlisted: async () => {
      const ids = await changing(({ tx }) => calledWorkflowIds(tx, key, run.id));
      return isRefusal(ids) ? [] : ids;
    },
    recordedActions: async (actionIds) => {
      const ids = await changing(({ tx }) => listRecordedActions(tx, key.organization_id, actionIds));
      return isRefusal(ids) ? [] : ids;
    },
    ...{ wait: deps.wait, random: deps.random },
  });
};

/**
 * Takes a due run through its steps. Each step is stored before the next one begins, so that another process can continue; no transaction
 * is open while the instance is asked.
 */
export const takeRun = async (
  changing: Changing,
  organizationId: string,
  runId: string,
  deps: RunDeps,
  isStopped: () => boolean,
): Promise<void> => {
  const begun = await claim(changing, organizationId, runId, deps);
  if (isRefusal(begun) || !('opened' in begun)) return;
  const { opened, ...rest } = begun;
  const proof = openProof(opened);
  if (isRefusal(proof)) return;
  const pace = newPace(rest.runtime, deps);
  let sent = 0;
  for (let run: VerificationRunRow | null = rest.run; run !== null && !isStopped(); ) {
    const claimed: Claimed = { ...rest, run, proof };
    const outcome = await doStep(changing, claimed, deps, pace);
    const more = pace.sent() - sent;
    sent = pace.sent();
    const kept = await changing((change) => keepOutcome(change, claimed, outcome, more, deps));
    run = isRefusal(kept) ? null : kept;
  }
};
