import type { RecordKind } from './record-kind.ts';

const DECIDED = [
  'action.allowed',
  'action.approval_required',
  'action.blocked',
  'action.limited',
  'action.masked',
  'action.observed',
  'action.simulated',
  'approval.approved',
] as const;

const getString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const DECISION = {
  agent_epoch: 'bigint',
  agent_id: 'text',
  agent_name: 'text',
  amount: 'bigint',
  approval_id: 'text',
  created_at: 'timestamptz',
  currency: 'text',
  decision: 'text',
  declaration_version: 'bigint',
  destination: 'text',
  environment_epoch: 'bigint',
  environment_id: 'text',
  explanation: 'json',
  mode: 'text',
  parameters: 'json',
  principal_id: 'text',
  principal_type: 'text',
  reason: 'text',
  request_hmac: 'bytea',
  request_id: 'text',
  tool: 'text',
  tool_id: 'text',
  trace_id: 'text',
  workspace_id: 'text',
} as const;

/** Since the first version. */
const OUTCOME = {
  code: 'text',
  completed_at: 'timestamptz',
  digest_revision: 'bigint',
  execution: 'json',
  status: 'text',
} as const;

/**
 * A decided action. Covered by neither part: `idempotency_key` and `idempotency_hash`, which are forgotten after their time, and `held_until`, the
 * lease of the gateway that executes it.
 */
export const ACTION = {
  type: 'action',
  table: 'actions',
  key: ['id'],
  parts: [
    {
      digest: 'decision_digest',
      version: 2,
      versions: {
        1: DECISION,
        2: DECISION,
      },
      writtenWith: DECIDED,
    },
    {
      digest: 'outcome_digest',
      version: 2,
      versions: {
        1: OUTCOME,
        2: {
          code: 'text',
          completed_at: 'timestamptz',
          digest_revision: 'bigint',
          execution: 'json',
          given_back_at: 'timestamptz',
          status: 'text',
        },
      },
      writtenWith: [...DECIDED, 'action.completed', 'action.failed', 'approval.denied', 'approval.expired', 'approval.cancelled'],
    },
  ],
  recordIdOf: ({ subject, data }) => (subject.type === 'action' ? subject.id : getString((data as { action_id?: unknown }).action_id)),
  subjects: ['id', 'approval_id'],
} as const satisfies RecordKind;
