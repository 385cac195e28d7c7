import type { ActionRecord, DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { openPreparedConnection } from '@svc/postgres/recorder/prepared-connection.ts';
import { newRecordBatch } from '@svc/postgres/recorder/record-batch.ts';
import { testLogin, testRole } from '@svc/testing/database/master-key.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { processMicros } from '../processor-time.ts';

const TENANT = [
  "insert into organizations (id, name) values ('org_1', 'One')",
  "insert into workspaces (organization_id, id, name, slug) values ('org_1', 'wsp_1', 'w', 'w')",
  "insert into environments (organization_id, id, workspace_id, name, type) values ('org_1', 'env_1', 'wsp_1', 'e', 'STAGING')",
  "insert into agents (organization_id, id, workspace_id, environment_id, name) values ('org_1', 'agt_1', 'wsp_1', 'env_1', 'a')",
];

const decision = (): DecisionRecord => {
  const id = `act_${newUlid()}`;
  const none = { tool_id: null, principal_name: null, code: null, amount: null, currency: null, destination: null, approval_id: null };
  const action: ActionRecord = {
    ...none,
    ...{ organization_id: 'org_1', id, environment_id: 'env_1', workspace_id: 'wsp_1', agent_id: 'agt_1', agent_name: 'agent' },
    ...{ tool: 'refund.create', principal_type: 'AGENT', principal_id: 'agt_1', decision: 'ALLOW', status: 'ALLOWED', mode: 'ENFORCE' },
    ...{ reason: 'Allowed.', parameters_json: '{"order":"A-1"}', explanation_json: '{"stages":[]}', execution_json: null },
    ...{ request_id: `req_${newUlid()}`, trace_id: 'f'.repeat(32), idempotency_key: null, idempotency_hash: null },
    ...{ idempotency_hash_unkeyed: null, environment_epoch: 1, agent_epoch: 1, created_at: new Date().toISOString(), completed_at: null },
  };
  const events = (['action.requested', 'action.allowed'] as const).map((type) => ({
    ...{ id: `evt_${newUlid()}`, type, about: 'action' as const },
    data: { tool: 'refund.create', decision: 'ALLOW', mode: 'ENFORCE', agent_id: 'agt_1' },
  }));
  return { action, events, opens: null, consumes: null, claims: [] };
};

/** One that records decisions with two events each, `batch` in a statement; `cost` answers microseconds of the server's processor for an event. */
export const openRecording = async (url: string, owner: pg.Client) => {
  for (const text of TENANT) await owner.query(text);
  const connection = openPreparedConnection({
    url,
    role: 'svc_recorder',
    ...testLogin('svc_recorder'),
    connectionsMax: 1,
    timeoutMs: 60_000,
  });
  const record = newRecordBatch(connection, 60_000);
  const cost = async (count: number, batch: number): Promise<number> => {
    const decisions = Array.from({ length: count }, decision);
    await record(decisions.slice(0, 1));
    const { rows } = await owner.query('select pid from pg_stat_activity where usename = $1 and datname = current_database()', [
      testRole('svc_recorder'),
    ]);
    const before = processMicros(rows[0].pid);
    for (let at = 1; at < count; at += batch) await record(decisions.slice(at, at + batch));
    return (processMicros(rows[0].pid) - before) / (2 * (count - 1));
  };
  return { cost, close: () => connection.close() };
};
