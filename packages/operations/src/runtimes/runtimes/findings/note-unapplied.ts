import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findingsOfRuntime, insertRuntimeFindings, updateRuntimeFinding } from '@svc/postgres/runtimes/runtime-findings.ts';
import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { FoundFinding } from '@svc/runtimes/kind.ts';
import { getFindingColumns, identifyFindingFingerprint } from './finding-columns.ts';

/** Opens a finding for each workflow that is active although the runtime is stopped. The next complete run resolves them. */
export const noteUnapplied = async (
  tx: TenantTransaction,
  { organization_id, workspace_id, environment_id, id: runtime_id }: RuntimeRow,
  unapplied: readonly { readonly workflow_id: string; readonly name: string }[],
  now: Date,
): Promise<void> => {
  const known = new Map((await findingsOfRuntime(tx, { organization_id, runtime_id }, false)).map((row) => [row.fingerprint, row]));
  for (const { workflow_id, name } of unapplied) {
    const found: FoundFinding = {
      ...{
        kind: 'OPERATE_NOT_APPLIED',
        severity: 'CRITICAL',
        dormant: false,
        contained_by: null,
        node: null,
        subject: workflow_id,
        via: [],
      },
      ...{ workflow: { id: workflow_id, name }, evidence: { workflow_id } },
    };
    const fingerprint = identifyFindingFingerprint(found);
    const row = known.get(fingerprint);
    const more = getFindingColumns(found, { now });
    if (row) await updateRuntimeFinding(tx, organization_id, row.id, { ...more, status: 'OPEN', resolved_at: null });
    else {
      const id = newId('runtime_finding');
      await insertRuntimeFindings(tx, [
        { organization_id, id, workspace_id, environment_id, runtime_id, fingerprint, kind: found.kind, ...more, first_seen_at: now },
      ]);
    }
  }
};
