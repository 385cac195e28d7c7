import type { Change } from '@svc/postgres/change/change.ts';
import { insertEvidence, type VerificationRunRow } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import { digestJson } from '@svc/runtimes/digest/digest.ts';
import type { NewEvidence } from '@svc/runtimes/kind.ts';

/** Stores observations of a run, with the hash of each. */
export const keepEvidence = async (
  { tx }: Pick<Change<never>, 'tx'>,
  { organization_id, workspace_id, environment_id, runtime_id, id: run_id }: VerificationRunRow,
  evidence: readonly NewEvidence[],
  { from, at }: { readonly from: number; readonly at: string },
): Promise<void> => {
  await insertEvidence(
    tx,
    evidence.map(({ name, holds, source, detail, data = {} }, index) => ({
      ...{ organization_id, workspace_id, environment_id, runtime_id, run_id, seq: from + index, name, holds, source },
      ...{ observed_at: at, detail: detail.slice(0, 2_000), data: JSON.stringify(data) },
      hash: digestJson({ run_id, seq: from + index, name, holds, observed_at: at, source, detail: detail.slice(0, 2_000), data }),
    })),
  );
};
