import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testRole } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';

const ROWS = 20_000;

let database: FreshDatabase;
let session: pg.Client;
before(async () => {
  database = await createFreshDatabase();
  session = await database.client();
  await session.query("insert into organizations (id, name) values ('org_1', 'One')");
  await session.query(
    `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type,
       subject_id, severity, request_id, trace_id, data)
     select 'org_1', 'evt_' || lpad(n::text, 26, '0'), 'action.allowed', now(), 'wsp_1', 'env_1', 'AGENT', 'agt_1', 'action', 'act_' || n % 10,
       'info', 'req_1', 't', '{}' from generate_series(1, $1) n`,
    [ROWS],
  );
  await session.query(
    `insert into actions (organization_id, id, environment_id, workspace_id, agent_id, agent_name, tool, principal_type, principal_id, decision,
       status, mode, reason, parameters, explanation, request_id, trace_id, environment_epoch, agent_epoch, created_at)
     select 'org_1', 'act_' || lpad(n::text, 26, '0'), 'env_1', 'wsp_1', 'agt_' || n % 100, 'a', 'tool', 'AGENT', 'agt_1', 'ALLOW', 'ALLOWED',
       'ENFORCE', 'r', '{}', '{}', 'req_1', 't', 1, 1, now() from generate_series(1, $1) n`,
    [ROWS],
  );
  await session.query(
    `insert into approvals (organization_id, id, action_id, agent_id, environment_id, workspace_id, status, request_hash, requested_by_type,
       requested_by_id, approver_roles, quorum, step_up, reason, requested_at, expires_at)
     select 'org_1', 'apr_' || lpad(n::text, 26, '0'), 'act_' || lpad(n::text, 26, '0'), 'agt_' || n % 100, 'env_1', 'wsp_1',
       case when n % 10 = 0 then 'PENDING' else 'CONSUMED' end, '', 'AGENT', 'agt_1', '{}', 1, false, 'r', now(), now()
      from generate_series(1, $1) n`,
    [ROWS],
  );
  await session.query('analyze audit_events, actions, approvals');
  await session.query(`set role ${testRole('svc_app')}`);
  await session.query("select set_config('svc.organization_id', 'org_1', false)");
});
after(async () => {
  await session.end();
  await database.drop();
});

const PAGES = {
  'audit_events, newest first': "audit_events where organization_id = 'org_1'",
  'audit_events of one subject': "audit_events where organization_id = 'org_1' and subject_id = 'act_7'",
  'actions, newest first': "actions where organization_id = 'org_1'",
  'approvals that wait': "approvals where organization_id = 'org_1' and status = 'PENDING'",
  'actions of one agent': "actions where organization_id = 'org_1' and agent_id = 'agt_7'",
};

for (const [what, where] of Object.entries(PAGES)) {
  test(`reads a page of ${what} by an index, without sorting everything`, async () => {
    const { rows } = await session.query(`explain select * from ${where} order by id desc limit 51`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Scan Backward/);
    assert.doesNotMatch(plan, /-> {2}(Incremental )?Sort|Seq Scan|Bitmap/);
  });
}
