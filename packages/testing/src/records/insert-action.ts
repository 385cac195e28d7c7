import { buildId } from '@svc/contract/tables/ids.ts';
import type pg from 'pg';
import { newUlid } from './new-ulid.ts';

type Where = { readonly organization_id: string; readonly workspace_id: string; readonly environment_id: string };
type Row = Readonly<Record<string, unknown>>;

const EXPLANATION = {
  decision: 'REQUIRE_APPROVAL',
  matched_rule: null,
  matched_rules: [],
  skipped_rules: 0,
  authority: {},
  risk: { signals: [] },
  stages: [],
};

const insert = async (client: pg.Client, table: string, row: Row): Promise<void> => {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await client.query(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row));
};

/** Inserts an action like the pipeline, as the owner of the database. Returns its id. */
export const insertAction = async (client: pg.Client, where: Where, overrides: Row = {}): Promise<string> => {
  const { organization_id, workspace_id, environment_id } = where;
  const id = buildId('action', newUlid());
  await insert(client, 'actions', {
    organization_id,
    workspace_id,
    environment_id,
    id,
    agent_id: 'agt_00000000000000000000000001',
    agent_name: 'An agent',
    tool_id: null,
    tool: 'refund.create',
    principal_type: 'AGENT',
    principal_id: 'agt_00000000000000000000000001',
    decision: 'ALLOW',
    status: 'ALLOWED',
    mode: 'ENFORCE',
    reason: 'Allowed here.',
    parameters: '{"order":"A1"}',
    explanation: JSON.stringify(EXPLANATION),
    request_id: buildId('request', newUlid()),
    trace_id: '0'.repeat(32),
    environment_epoch: 1,
    agent_epoch: 1,
    created_at: new Date(),
    ...overrides,
  });
  return (overrides.id as string | undefined) ?? id;
};

/** Inserts a held action, and its approval. */
export const insertHeldAction = async (
  client: pg.Client,
  where: Where,
  approval: Row = {},
  action: Row = {},
): Promise<{ readonly actionId: string; readonly approvalId: string }> => {
  const approvalId = buildId('approval', newUlid());
  const held = { decision: 'REQUIRE_APPROVAL', status: 'PENDING_APPROVAL', code: 'APPROVAL_REQUIRED', approval_id: approvalId };
  const actionId = await insertAction(client, where, { ...held, ...action });
  const { organization_id, workspace_id, environment_id } = where;
  const agent_id = action.agent_id ?? 'agt_00000000000000000000000001';
  await insert(client, 'approvals', {
    organization_id,
    workspace_id,
    environment_id,
    id: approvalId,
    action_id: actionId,
    agent_id,
    request_hash: Buffer.alloc(32, 7),
    requested_by_type: 'AGENT',
    requested_by_id: agent_id,
    approver_roles: ['approver'],
    quorum: 1,
    step_up: false,
    reason: 'A person looks.',
    requested_at: new Date(),
    expires_at: new Date(Date.now() + 3_600_000),
    ...approval,
  });
  return { actionId, approvalId };
};
