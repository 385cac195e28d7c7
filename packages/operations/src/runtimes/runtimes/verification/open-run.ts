import type { RunTrigger } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { findRunUnderWay, insertRun, type VerificationRunRow } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';

type Opening = {
  readonly id: string;
  readonly trigger: RunTrigger;
  readonly canaries: boolean;
  /** Who started it. */
  readonly by: string;
  readonly now: Date;
};

/** Returns the time of the next automatic verification; null if nothing can be verified automatically. */
const nextVerification = ({ kind, settings, credential_id }: RuntimeRow, now: Date): Date | null => {
  if (RUNTIME_KIND_ROWS[kind].inspection.by === 'reports' || credential_id === null) return null;
  return new Date(now.getTime() + 1_000 * (settings.interval_seconds ?? LIMITS.runtimes.defaultIntervalSeconds));
};

/** Opens a run of a locked runtime, or returns the one that is under way. */
export const openRun = async (
  tx: TenantTransaction,
  runtime: RuntimeRow,
  { id, trigger, canaries, by, now }: Opening,
): Promise<VerificationRunRow> => {
  const { organization_id, workspace_id, environment_id, id: runtime_id, enforcement, kind } = runtime;
  const underWay = await findRunUnderWay(tx, { organization_id, runtime_id });
  if (underWay) return underWay;
  const { inspection } = RUNTIME_KIND_ROWS[kind];
  await updateRuntimeRow(tx, organization_id, runtime_id, { next_verification_at: nextVerification(runtime, now) });
  return insertRun(tx, {
    ...{ organization_id, id, workspace_id, environment_id, runtime_id, trigger, canaries, started_by: by },
    step: inspection.by === 'instance' ? inspection.driver.firstStep : 'REPORTS',
    ...{ due_at: now, created_at: now, status_before: enforcement },
  });
};
