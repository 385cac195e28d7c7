import { digestJson } from '@svc/runtimes/digest/digest.ts';
import type { FoundFinding } from '@svc/runtimes/kind.ts';

/** Time and run in which a finding was seen. */
export type FindingSighting = { readonly runId?: string; readonly now: Date };

/** Identifies a finding over several verifications. */
export const identifyFindingFingerprint = ({ kind, workflow, node, subject }: FoundFinding): string =>
  digestJson([kind, workflow?.id ?? null, node?.id ?? null, subject]);

/** Returns the hash that an acceptance is bound to: another reach is another risk. */
export const getEvidenceHash = ({ kind, node, evidence, via, dormant }: FoundFinding): string =>
  digestJson([kind, node?.type ?? null, evidence, via, dormant]);

/** Returns the columns that each verification renews. */
export const getFindingColumns = (found: FoundFinding, { runId, now }: FindingSighting) => ({
  ...{ severity: found.severity, dormant: found.dormant, contained_by: found.contained_by, evidence_hash: getEvidenceHash(found) },
  workflow: found.workflow && JSON.stringify(found.workflow),
  node: found.node && JSON.stringify(found.node),
  evidence: JSON.stringify(found.evidence),
  via: JSON.stringify(found.via),
  ...{ last_run_id: runId ?? null, last_seen_at: now },
});
