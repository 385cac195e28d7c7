import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin, testRole } from '@svc/testing/database/master-key.ts';
import { call } from '@svc/testing/people/client.ts';
import { startRestartableGateway } from '@svc/testing/planes/restartable-gateway.ts';
import pg from 'pg';
import { clientConfig } from '../connection/connect.ts';

let database: FreshDatabase;
let owner: pg.Client;
let gateway: pg.Client;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const login = testLogin('svc_gateway');
  gateway = new pg.Client(clientConfig({ url: database.url, role: 'svc_gateway', ...login, connectionsMax: 1, timeoutMs: 10_000 }));
  await gateway.connect();
});
after(async () => {
  await Promise.all([gateway.end(), owner.end()]);
  await database.drop();
});

/** The tables a decision reads and writes, and the key that signs tokens. */
const READ = [
  ...[
    'a2a_assertions',
    'a2a_connections',
    'a2a_push_configs',
    'a2a_tasks',
    'agent_conduct',
    'agent_contexts',
    'agent_listings',
    'blocked_destinations',
  ],
  ...[
    'conduct_progress',
    'dpop_proofs',
    'mcp_servers',
    'mcp_tools',
    'risk_mutes',
    'risk_notices',
    'risk_settings',
    'runtimes',
    'schema_migrations',
  ],
  ...['runtime_heartbeats', 'runtime_hook_refusals'],
  ...['actions', 'agent_capabilities', 'agent_epochs', 'agent_keys', 'agents', 'approvals', 'counter_uses', 'counters', 'credentials'],
  ...['approval_handovers', 'approval_questions', 'approval_votes', 'approval_wordings', 'covered_records'],
  ...[
    'credential_tokens',
    'data_keys',
    'delegations',
    'ended_agent_sessions',
    'environment_epochs',
    'environments',
    'exchange_rates',
    'idempotency_keys',
    'kept_labels',
    'organizations',
    'passports',
  ],
  ...[
    'platform_keys',
    'policies',
    'policy_bindings',
    'policy_versions',
    'tool_agents',
    'tools',
    'trust_evidence',
    'trust_providers',
    'workspaces',
  ],
];
/** Read whole for the digest of an approval, within the tenant by a policy of the gateway's own. */
const READ_FOR_DIGESTS = ['approval_handovers', 'approval_votes'];
const WITHOUT_TENANTS = ['conduct_progress', 'platform_keys', 'schema_migrations'];
const INSERTED = [
  ...['a2a_assertions', 'a2a_push_configs', 'a2a_tasks', 'actions', 'agent_contexts'],
  ...[
    'approvals',
    'audit_events',
    'counter_uses',
    'counters',
    'covered_records',
    'delegations',
    'dpop_proofs',
    'ended_agent_sessions',
    'idempotency_keys',
    'kept_labels',
    'risk_notices',
  ],
  ...['runtime_heartbeats', 'runtime_hook_refusals'],
];
const UPDATED = {
  a2a_push_configs: ['approval_id', 'attempts', 'due_at', 'sealed_target', 'seen', 'task_id', 'told_state', 'told_task_id'],
  a2a_tasks: ['context_id', 'state', 'updated_at'],
  actions: [
    'agent_epoch',
    'amount',
    'code',
    'completed_at',
    'currency',
    'decision',
    'declaration_version',
    'destination',
    'digest_revision',
    'digest_salt',
    'environment_epoch',
    'execution',
    'explanation',
    'given_back_at',
    'held_until',
    'idempotency_hash',
    'idempotency_key',
    'mode',
    'parameters',
    'reason',
    'request_hmac',
    'status',
  ],
  agent_epochs: ['epoch'],
  agent_contexts: ['id', 'is_overflowing', 'labels', 'last_used_at', 'name', 'sources', 'started_at', 'tools_used'],
  agents: ['updated_at'],
  approval_questions: ['answer', 'answered_at', 'answered_by_id', 'answered_by_type'],
  approvals: [
    ...['consumed_at', 'consumed_by_hash', 'consumed_by_key', 'consumed_request_id', 'consumed_trace_id', 'decided_at'],
    ...['open_question', 'restored_at', 'status', 'used_by_action_id'],
  ],
  counter_uses: ['total'],
  counters: ['last_used_at', 'total'],
  covered_records: ['event_id', 'revision'],
  credential_tokens: [
    ...['access_ends_at', 'failure', 'failures', 'granted_scope', 'lease_began_at', 'lease_id', 'leased_until', 'previous_access_ends_at'],
    ...['previous_access_version', 'refreshed_at', 'retry_at', 'sealed_access_token', 'sealed_previous_access_token'],
    ...['sealed_refresh_token', 'state', 'version'],
  ],
  delegations: ['updated_at'],
  dpop_proofs: ['expires_at'],
  idempotency_keys: ['body', 'status'],
  kept_labels: ['is_overflowing', 'labels', 'sources', 'stored_at'],
  runtime_heartbeats: ['at', 'hook_sha256', 'levers', 'node_sha256', 'nonce', 'previous_nonce', 'probe', 'product_version', 'proven'],
  risk_notices: ['count', 'evidence', 'last_action_id', 'last_at', 'points', 'score', 'sentence'],
};

const allTables = async (): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname",
  );
  return rows.map(({ name }) => name);
};

test('denies a gateway every table that no decision needs, people and credentials first of all', async () => {
  const others = (await allTables()).filter((table) => !READ.includes(table));
  for (const table of ['users', 'members', 'sessions', 'api_keys', 'sign_in_failures', 'setup_links', 'audit_events', 'policy_invariants'])
    assert.ok(others.includes(table), table);
  for (const table of others) await assert.rejects(gateway.query(`select from ${table}`), { code: '42501' }, table);
  for (const table of READ)
    await gateway.query(`select organization_id from ${table} limit 1`).catch((error) => assert.equal(error.code, '42703', table));
  for (const hidden of [
    'select name from workspaces',
    'select token from passports',
    'select tests from policy_versions',
    'select created_by from credentials',
  ])
    await assert.rejects(gateway.query(hidden), { code: '42501' }, hidden);
});

test('lets a gateway write the results of decisions, and not their inputs', async () => {
  const { rows } = await owner.query<{ name: string; inserts: boolean; deletes: boolean; updates: string[] | null }>(
    `select c.relname as name, has_any_column_privilege($1, c.oid, 'insert') as inserts,
            has_table_privilege($1, c.oid, 'delete') or has_table_privilege($1, c.oid, 'truncate') as deletes,
            (select array_agg(a.attname::text order by a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
               and has_column_privilege($1, c.oid, a.attnum, 'update')) as updates
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
    [testRole('svc_gateway')],
  );
  assert.deepEqual(
    rows.filter(({ inserts }) => inserts).map(({ name }) => name),
    INSERTED,
  );
  assert.deepEqual(
    rows.filter(({ deletes }) => deletes).map(({ name }) => name),
    ['a2a_assertions', 'a2a_push_configs', 'a2a_tasks', 'counter_uses', 'dpop_proofs', 'runtime_heartbeats', 'runtime_hook_refusals'],
  );
  assert.deepEqual(Object.fromEntries(rows.flatMap(({ name, updates }) => (updates === null ? [] : [[name, updates]]))), UPDATED);
});

test('narrows a gateway by everything that narrows the control plane to a tenant, a workspace or an environment', async () => {
  const { rows } = await owner.query(
    `select tablename || '.' || policyname as policy from pg_policies
      where $2::name = any (roles) and not $3::name = any (roles) and tablename = any ($1)`,
    [READ.filter((table) => !READ_FOR_DIGESTS.includes(table)), testRole('svc_app'), testRole('svc_gateway')],
  );
  assert.deepEqual(rows, []);
  const { rows: own } = await owner.query('select distinct tablename as name from pg_policies where policyname like $1 order by 1', [
    '%_digested',
  ]);
  assert.deepEqual(
    own.map(({ name }) => name),
    READ_FOR_DIGESTS,
  );
  for (const table of READ.filter((name) => !WITHOUT_TENANTS.includes(name))) {
    const { rows: secured } = await owner.query('select relforcerowsecurity as forced from pg_class where relname = $1', [table]);
    assert.deepEqual(secured, [{ forced: true }], table);
  }
});

test('logs a gateway in only by its own roles', async () => {
  const running = await startRestartableGateway(database);
  try {
    await call(running.url, 'GET', '/health/ready');
    await call(running.url, 'POST', '/gateway/v1/token', { body: { assertion: 'eyJhbGciOiJFZERTQSJ9.e30.AA' } });
    const { rows } = await owner.query<{ name: string }>(
      'select distinct usename::text as name from pg_stat_activity where datname = current_database() and pid <> all ($1) order by 1',
      [
        [
          (await owner.query('select pg_backend_pid() as pid')).rows[0].pid,
          (await gateway.query('select pg_backend_pid() as pid')).rows[0].pid,
        ],
      ],
    );
    const names = rows.map(({ name }) => name);
    assert.ok(names.includes(testRole('svc_gateway')));
    assert.deepEqual(
      names.filter((name) => ![testRole('svc_gateway'), testRole('svc_recorder')].includes(name)),
      [],
    );
  } finally {
    await running.stop();
  }
});
