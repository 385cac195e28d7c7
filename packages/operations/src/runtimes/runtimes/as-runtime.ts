import type { Runtime, VerificationRun } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { enforcementAt, refuseByRuntime, requiredEnforcement } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { CountedRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { RunEvidenceRow, VerificationRunRow } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';

const isoTime = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString());

/** Returns a run as the API shows it. */
export const asRun = (row: Omit<VerificationRunRow, 'cursor'>, evidence?: readonly RunEvidenceRow[]): VerificationRun => ({
  id: row.id,
  runtime_id: row.runtime_id,
  trigger: row.trigger,
  state: row.state,
  step: row.step,
  requests: row.requests,
  workflows: row.workflows,
  findings: row.findings,
  started_by: row.started_by,
  created_at: new Date(row.created_at).toISOString(),
  started_at: isoTime(row.started_at),
  ended_at: isoTime(row.ended_at),
  failure: row.failure,
  evidence_root: row.evidence_root,
  before: row.status_before,
  after: row.status_after,
  ...(evidence === undefined
    ? {}
    : {
        evidence: evidence.map(({ name, holds, observed_at, source, detail, hash }) => ({
          name,
          holds,
          observed_at,
          source,
          detail,
          hash,
        })),
      }),
});

/** Returns the reason of a status that the service can no longer observe. */
const disconnectedReason = { at_most: 'UNKNOWN', why: 'The runtime is disconnected.' } as const;

/** Formats a runtime for the API at a time: evidence that is too old by then does not count. */
export const asRuntime = (row: CountedRuntime, now: Date): Runtime => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  product: row.product,
  workspace_id: row.workspace_id,
  environment_id: row.environment_id,
  agent_id: row.agent_id,
  base_url: row.base_url,
  status: row.status,
  fail_closed: row.fail_closed,
  admin_access: row.admin_access,
  settings: row.settings,
  credential_id: row.credential_id,
  connection: { health: row.health, detail: row.health_detail, tested_at: row.health_at, key: row.key_facts },
  enforcement: {
    status: enforcementAt(row, now),
    required: requiredEnforcement(row.settings),
    assessed_at: row.assessed_at,
    reasons: row.status === 'DISCONNECTED' ? [disconnectedReason] : row.enforcement_reasons,
    forecast: row.enforcement_forecast,
    refuses_agents: refuseByRuntime(row, now) !== undefined,
  },
  findings: row.findings,
  workflows: row.workflows,
  last_run: row.last_run && asRun(row.last_run),
  next_verification_at: row.next_verification_at,
  operated: row.operated,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
