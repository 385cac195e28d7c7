import type { AssessmentCause, EnforcementStatus } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { assessEnforcement, forecastEnforcement, type LiveFinding } from '@svc/domain/runtimes/runtimes/assess-enforcement.ts';
import { isWeaker } from '@svc/domain/runtimes/runtimes/enforcement-order.ts';
import { insufficientSince } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endExpiredAcceptances, findingsOfRuntime, type RuntimeFindingRow } from '@svc/postgres/runtimes/runtime-findings.ts';
import { type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { insertAssessment } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import { buildEnforcementTerms } from '@svc/runtimes/kinds.ts';
import { observedEvidence } from './observed-evidence.ts';

const asLive = (row: RuntimeFindingRow): LiveFinding => ({
  id: row.id,
  kind: row.kind,
  severity: row.severity,
  contained_by: row.contained_by,
  accepted_until: row.status === 'ACCEPTED' ? row.accepted_until : null,
});

type Assessing = { readonly now: Date; readonly cause: AssessmentCause; readonly runId?: string };

/** A status that was already too low keeps its start time: another verification does not restart the grace period. */
const keepSince = (before: RuntimeRow, after: RuntimeRow, now: Date): string => {
  const since = insufficientSince(before, now);
  const [first] = after.enforcement_forecast;
  const isStill = insufficientSince(after, now) !== undefined;
  return since !== undefined && since > 0 && isStill ? new Date(since).toISOString() : (first?.from ?? now.toISOString());
};

/** Returns when the status is computed again: when it falls, and regularly while a hook file reports. */
const nextAssessment = ({ kind, status }: RuntimeRow, fallsAt: string | undefined, now: Date): Date | string | null => {
  if (kind !== 'WORKFLOW_AUTOMATION_MANAGED' || status === 'DISCONNECTED') return fallsAt ?? null;
  const regular = now.getTime() + 1_000 * LIMITS.runtimeHooks.assessEverySeconds;
  return new Date(fallsAt === undefined ? regular : Math.min(regular, Date.parse(fallsAt)));
};

/**
 * Computes the enforcement status of a locked runtime from its evidence and findings and stores it with its forecast. A status that changed is
 * stored in the history, with an event.
 */
export const assessRuntime = async (
  { tx, emit }: Change<'compliance.control_updated'>,
  runtime: RuntimeRow,
  { now, cause: given, runId }: Assessing,
): Promise<EnforcementStatus> => {
  const { organization_id, id } = runtime;
  const key = { organization_id, runtime_id: id };
  await endExpiredAcceptances(tx, key, now);
  const observations = await observedEvidence(tx, runtime);
  const findings = (await findingsOfRuntime(tx, key, true)).map(asLive);
  const evidence = { terms: buildEnforcementTerms(runtime.kind, runtime.settings), observations, findings };
  const { status, reasons } = assessEnforcement(evidence, now);
  const forecast = forecastEnforcement(evidence, now);
  const [, next] = forecast;
  const [first] = forecast;
  const from = keepSince(runtime, { ...runtime, enforcement_forecast: forecast }, now);
  const kept = first === undefined ? forecast : [{ ...first, from }, ...forecast.slice(1)];
  await updateRuntimeRow(tx, organization_id, id, {
    enforcement: status,
    enforcement_reasons: JSON.stringify(reasons),
    enforcement_forecast: JSON.stringify(kept),
    assessed_at: now,
    falls_at: nextAssessment(runtime, next?.from, now),
  });
  const before = runtime.enforcement;
  if (status === before) return status;
  // A status that rises without a run does so by what was reported.
  const cause = given === 'DECAYED' && isWeaker(before, status) ? 'REPORTED' : given;
  const { workspace_id, environment_id } = runtime;
  await insertAssessment(tx, {
    ...{ organization_id, workspace_id, environment_id, runtime_id: id, at: now, before, status, cause },
    reasons: JSON.stringify(reasons),
    run_id: runId ?? null,
  });
  emit('compliance.control_updated', {
    ...about.runtime(runtime),
    ...(isWeaker(status, before) ? { severity: 'warning' as const } : {}),
    data: { name: runtime.name, enforcement: { from: before, to: status }, cause, reasons, forecast: kept },
  });
  return status;
};
