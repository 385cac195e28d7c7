import type { RuntimeFinding } from '@svc/contract/runtimes/runtime-findings/finding-shapes.ts';
import { UNACCEPTABLE_FINDINGS } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { RuntimeFindingRow } from '@svc/postgres/runtimes/runtime-findings.ts';
import { FINDING_TEXTS } from '@svc/runtimes/findings/finding-texts.ts';

const getAcceptance = (row: RuntimeFindingRow): RuntimeFinding['acceptance'] => {
  const { accepted_at, accepted_by, accepted_reason, accepted_until } = row;
  if (accepted_at === null || accepted_by === null || accepted_reason === null || accepted_until === null) return null;
  return {
    ...{ reason: accepted_reason, by: accepted_by, at: accepted_at, expires_at: accepted_until },
    ...{ ended_at: row.acceptance_ended_at, ended_because: row.acceptance_ended_because },
  };
};

/** Returns a finding as the API shows it. */
export const asFinding = (row: RuntimeFindingRow): RuntimeFinding => ({
  id: row.id,
  runtime_id: row.runtime_id,
  environment_id: row.environment_id,
  kind: row.kind,
  severity: row.severity,
  status: row.status,
  title: FINDING_TEXTS[row.kind].title,
  dormant: row.dormant,
  contained_by: row.contained_by,
  workflow: row.workflow,
  node: row.node,
  evidence: row.evidence,
  via: row.via,
  remedy: { text: FINDING_TEXTS[row.kind].remedy, docs_url: null },
  acceptable: !UNACCEPTABLE_FINDINGS.includes(row.kind),
  acceptance: getAcceptance(row),
  first_seen_at: row.first_seen_at,
  last_seen_at: row.last_seen_at,
  resolved_at: row.resolved_at,
});
