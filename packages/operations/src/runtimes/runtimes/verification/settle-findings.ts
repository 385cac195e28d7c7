import { FINDING_SEVERITIES, type FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  findingsOfRuntime,
  insertRuntimeFindings,
  type RuntimeFindingRow,
  updateRuntimeFinding,
} from '@svc/postgres/runtimes/runtime-findings.ts';
import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { FoundFinding } from '@svc/runtimes/kind.ts';
import { type FindingSighting, getEvidenceHash, getFindingColumns, identifyFindingFingerprint } from '../findings/finding-columns.ts';

export type SettledFindings = { readonly opened: number; readonly reopened: number; readonly resolved: number; readonly live: number };
type Settling = FindingSighting & { readonly runId: string };

const isWorse = (one: FindingSeverity, other: FindingSeverity): boolean =>
  FINDING_SEVERITIES.indexOf(one) > FINDING_SEVERITIES.indexOf(other);

/** Returns the change of status of a finding that was found again. */
const seenAgain = (known: RuntimeFindingRow, found: FoundFinding, now: Date) => {
  if (known.status === 'RESOLVED') return { status: 'OPEN', resolved_at: null } as const;
  if (known.status !== 'ACCEPTED') return undefined;
  const isSame = known.accepted_hash === getEvidenceHash(found) && !isWorse(found.severity, known.severity);
  return isSame ? undefined : ({ status: 'OPEN', acceptance_ended_at: now, acceptance_ended_because: 'CHANGED' } as const);
};

/** Compares the findings of a complete run with the stored ones. Those not found again are resolved. */
export const settleFindings = async (
  tx: TenantTransaction,
  { organization_id, workspace_id, environment_id, id: runtime_id }: RuntimeRow,
  found: readonly FoundFinding[],
  settling: Settling,
): Promise<SettledFindings> => {
  const known = new Map((await findingsOfRuntime(tx, { organization_id, runtime_id }, false)).map((row) => [row.fingerprint, row]));
  const wanted = new Map(found.slice(0, LIMITS.verification.findingsMax).map((each) => [identifyFindingFingerprint(each), each]));
  const counts = { opened: 0, reopened: 0, resolved: 0 };
  const fresh = [...wanted].filter(([fingerprint]) => !known.has(fingerprint));
  await insertRuntimeFindings(
    tx,
    fresh.map(([fingerprint, each]) => ({
      ...{ organization_id, id: newId('runtime_finding'), workspace_id, environment_id, runtime_id, fingerprint, kind: each.kind },
      ...getFindingColumns(each, settling),
      ...{ first_run_id: settling.runId, first_seen_at: settling.now },
    })),
  );
  counts.opened = fresh.length;
  for (const [fingerprint, row] of known) {
    const each = wanted.get(fingerprint);
    if (each === undefined) {
      if (row.status === 'RESOLVED') continue;
      counts.resolved += 1;
      await updateRuntimeFinding(tx, organization_id, row.id, { status: 'RESOLVED', resolved_at: settling.now });
      continue;
    }
    const change = seenAgain(row, each, settling.now);
    if (change) counts.reopened += 1;
    await updateRuntimeFinding(tx, organization_id, row.id, { ...getFindingColumns(each, settling), ...change });
  }
  return { ...counts, live: wanted.size };
};
