import type { RuntimeWorkflow } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { CountedWorkflow } from '@svc/postgres/runtimes/runtimes/runtime-workflows.ts';

/** Returns a workflow as the API shows it. */
export const asWorkflow = (row: CountedWorkflow): RuntimeWorkflow => ({
  workflow_id: row.workflow_id,
  name: row.name,
  active: row.active,
  archived: row.archived,
  version_id: row.version_id,
  active_version_id: row.active_version_id,
  hash: row.hash,
  changed_at: row.changed_at,
  first_seen_at: row.first_seen_at,
  last_seen_at: row.last_seen_at,
  gone_at: row.gone_at,
  open_findings: row.open_findings,
});
