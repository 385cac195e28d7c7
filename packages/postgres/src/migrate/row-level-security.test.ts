import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin, testRole } from '@svc/testing/database/master-key.ts';
import pg from 'pg';
import { clientConfig, DATABASE_ROLES, type DatabaseRole } from '../connection/connect.ts';

/** Valid values of checked columns; every other column is filled by its type. */
const FITTING: Readonly<Record<string, unknown>> = {
  'a2a_connections.direction': 'OUTBOUND',
  'a2a_connections.status': 'PENDING',
  'agents.status': 'ACTIVE',
  'blocked_destinations.kind': 'HOST',
  'break_glass_grants.mode': 'TWO_PEOPLE',
  'break_glass_grants.status': 'PENDING',
  'break_glass_settings.mode': 'TWO_PEOPLE',
  'emergency_executions.control': 'disable-tool',
  'emergency_executions.outcome': 'CHANGED',
  'incident_entries.kind': 'NOTE',
  'incident_rules.key': 'AGENT',
  'incident_rules.severity': 'LOW',
  'incidents.severity': 'LOW',
  'incidents.status': 'OPEN',
  'integrations.status': 'ACTIVE',
  'organizations.subscription': 'ACTIVE',
  'risk_events.status': 'OPEN',
  'api_keys.workspace_ids': ['workspace_id_a'],
  'invitations.workspace_ids': ['workspace_id_a'],
  'approvals.status': 'PENDING',
  'credential_tokens.state': 'CONNECTED',
  'credentials.scheme': 'BEARER',
  'tool_imports.origin': 'BODY',
  'tool_proposals.reason': 'It can be no tool.',
  'credentials.status': 'ACTIVE',
  'credentials.sealed_secret': '\\x00',
  'approval_votes.vote': 'DENY',
  'delegations.delegator_user_id': 'user_id_a',
  'delegations.depth': '0',
  'delegations.backing': 'HELD',
  'delegations.status': 'ACTIVE',
  'environments.type': 'STAGING',
  'environments.mode': 'ENFORCE',
  'policy_bindings.scope': 'ORGANIZATION',
  'policy_invariants.at_least': 'BLOCK',
  'policy_versions.rules': [],
  'policy_versions.status': 'DRAFT',
  'sso_connections.kind': 'OIDC',
  'sso_connections.client_id': 'a client',
  'sso_connections.email_trust': 'CLAIM',
  'sso_connections.status': 'ACTIVE',
  'environments.separation': 'STRICT',
  'credentials.extras': [],
  'tools.kind': 'SDK',
  'mails.state': 'WAITING',
  'mcp_servers.status': 'PENDING',
  'mcp_tools.status': 'DISCOVERED',
  'mcp_tools.kind': 'TOOL',
  'runtime_findings.severity': 'LOW',
  'runtime_findings.status': 'OPEN',
  'runtimes.admin_access': 'READ',
  'runtimes.enforcement': 'UNKNOWN',
  'runtimes.health': 'UNKNOWN',
  'runtimes.kind': 'MCP_CLIENT',
  'runtimes.status': 'ACTIVE',
  'trust_evidence.bound_by': 'AGENT_ID',
  'trust_evidence.format': 'NONE',
  'trust_evidence.kind': 'sbom',
  'trust_providers.kind': 'MANUAL',
  'verification_runs.state': 'QUEUED',
  'tools.risk_rating': 'LOW',
  'tools.status': 'ACTIVE',
  'organizations.base_currency': 'EUR',
  'policy_versions.currency': 'EUR',
  'exchange_rates.base_currency': 'EUR',
  'exchange_rates.quote_currency': 'USD',
  'exchange_rates.rate': '1.1',
  'exchange_rates.source': 'MANUAL',
};

/** Has a tenant column, and is read only when credentials are looked up. */
const NOT_FOR_TENANTS: ReadonlySet<string> = new Set(['sso_attempts', 'sso_assertions']);

type Column = { readonly table_name: string; readonly column_name: string; readonly data_type: string; readonly is_nullable: string };
type Row = Readonly<Record<string, unknown>>;

let database: FreshDatabase;
let owner: pg.Client;
const roles = {} as Record<DatabaseRole, pg.Client>;
const columns = new Map<string, Column[]>();
/** A row of tenant B in each tenant table, as JSON. */
const foreign = new Map<string, Row>();

const fillFor = ({ table_name, column_name, data_type, is_nullable }: Column, tenant: string): unknown => {
  if (column_name === 'organization_id') return `org_${tenant}`;
  // The agent that rows of other tables reference: the database looks it up if one transaction increases its epoch twice.
  if (table_name === 'agents' && column_name === 'id') return `agent_id_${tenant}`;
  const fitting = FITTING[`${table_name}.${column_name}`];
  if (fitting !== undefined) return fitting;
  if (is_nullable === 'YES' && !column_name.endsWith('workspace_id') && !column_name.endsWith('environment_id')) return null;
  if (data_type === 'bytea') return `\\x${Buffer.from(tenant).toString('hex')}`;
  if (data_type.startsWith('timestamp') || data_type === 'date') return '2030-01-01T00:00:00Z';
  if (data_type === 'bit') return '0'.repeat(64);
  if (data_type === 'boolean') return false;
  if (data_type === 'ARRAY') return [];
  if (data_type.startsWith('json')) return {};
  return data_type === 'text' ? `${column_name}_${tenant}` : 1;
};

const insert = (client: pg.Client, table: string, row: Row) => {
  const names = Object.keys(row).join(', ');
  return client.query(`insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`, [
    JSON.stringify(row),
  ]);
};

/** Runs as svc_app with a tenant chosen, like every transaction of the planes; rolled back afterwards. */
const asTenant = async <Result>(
  settings: { readonly organization?: string; readonly workspace?: string; readonly environment?: string },
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = roles.svc_app;
  await client.query('begin');
  await client.query(
    "select set_config('svc.organization_id', $1, true), set_config('svc.workspace_id', $2, true), set_config('svc.environment_id', $3, true)",
    [settings.organization ?? '', settings.workspace ?? '', settings.environment ?? ''],
  );
  try {
    return await work(client);
  } finally {
    await client.query('rollback');
  }
};
const asA = { organization: 'org_a' };
const deniedByPolicy = (table: string) => ({ code: '42501', message: new RegExp(`row-level security policy.*"${table}"`) });

const may = async (privilege: string, table: string): Promise<boolean> =>
  (await owner.query('select has_any_column_privilege($3, $1, $2) as may', [table, privilege, testRole('svc_app')])).rows[0].may;

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  for (const role of DATABASE_ROLES) {
    const settings = { url: database.url, role, ...testLogin(role), connectionsMax: 1, timeoutMs: 10_000 };
    roles[role] = new pg.Client(clientConfig(settings));
    await roles[role].connect();
  }
  const { rows } = await owner.query<Column>(
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
      where table_schema = 'public' and is_identity = 'NO' and (select not relispartition from pg_class where oid = to_regclass(table_name)) order by table_name, ordinal_position`,
  );
  for (const column of rows) columns.set(column.table_name, [...(columns.get(column.table_name) ?? []), column]);
  // Rows without their neighbours will do here, so foreign keys and triggers are off for this connection.
  await owner.query('set session_replication_role = replica');
  for (const [table, list] of columns) {
    if (!list.some(({ column_name }) => column_name === 'organization_id')) continue;
    for (const tenant of ['a', 'b']) {
      // Only the database sets the transaction of a row and its sequence number. The recorder sets the leaf of an event.
      const said = list.filter(
        ({ data_type, column_name }) => data_type !== 'xid8' && `${table}.${column_name}` !== 'audit_events.leaf_hash',
      );
      const row = Object.fromEntries(said.map((column) => [column.column_name, fillFor(column, tenant)]));
      await insert(owner, table, row);
      if (tenant === 'b') foreign.set(table, row);
    }
  }
  for (const tenant of ['a', 'b'])
    await owner.query(
      `insert into organizations (id, name) values ('org_${tenant}', 'Org');
       insert into users (id, email, name, password_hash) values ('user_id_${tenant}', '${tenant}@example.com', 'Person', 'hash')`,
    );
});
after(async () => {
  await Promise.all([owner.end(), ...Object.values(roles).map((client) => client.end())]);
  await database.drop();
});

describe('the database alone, for any query,', () => {
  test('keeps row-level security enabled and forced on every table that names a tenant', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    const without = rows.map(({ name }) => name).sort();
    assert.deepEqual(without, [
      'audit_partition_checks',
      'cli_requests',
      'conduct_progress',
      'feed_positions',
      'installation',
      'installation_keys',
      'password_resets',
      'platform_keys',
      'schema_migrations',
      'setup_links',
      'sign_in_failures',
      'used_passkey_challenges',
    ]);
    assert.ok(foreign.size >= 23);
    assert.deepEqual(
      without.filter((table) => foreign.has(table)),
      [],
    );
  });

  test('shows a tenant its own rows and no others, in every table', async () => {
    for (const table of foreign.keys()) {
      if (NOT_FOR_TENANTS.has(table)) {
        await assert.rejects(
          asTenant(asA, (client) => client.query(`select from ${table}`)),
          { code: '42501' },
          table,
        );
        continue;
      }
      // Built-in roles belong to no organization and are visible to all.
      const seen = await asTenant(asA, (client) =>
        client.query<{ organization_id: string }>(`select organization_id from ${table} where organization_id is not null`),
      );
      assert.deepEqual(
        seen.rows.map((row) => row.organization_id),
        ['org_a'],
        table,
      );
    }
    const organizations = await asTenant(asA, (client) => client.query('select id from organizations'));
    assert.deepEqual(organizations.rows, [{ id: 'org_a' }]);
    const users = await asTenant(asA, (client) => client.query('select id from users'));
    assert.deepEqual(users.rows, [{ id: 'user_id_a' }]);
  });

  test('shows nothing when no tenant was chosen', async () => {
    for (const table of [...foreign.keys(), 'organizations', 'users'].filter((each) => !NOT_FOR_TENANTS.has(each))) {
      assert.equal((await asTenant({}, (client) => client.query(`select from ${table}`))).rowCount, 0, table);
    }
  });

  test('accepts no row for another tenant', async () => {
    for (const [table, row] of foreign) {
      const denied = (await may('insert', table)) ? deniedByPolicy(table) : { code: '42501' };
      await assert.rejects(
        asTenant(asA, (client) => insert(client, table, row)),
        denied,
        table,
      );
    }
    const other = (client: pg.Client) => client.query("insert into organizations (id, name) values ('org_c', 'C')");
    await assert.rejects(asTenant(asA, other), deniedByPolicy('organizations'));
  });

  test('changes and deletes nothing of another tenant, and gives away nothing of its own', async () => {
    let [changed, deleted] = [0, 0];
    for (const table of foreign.keys()) {
      const may = async (privilege: string): Promise<boolean> =>
        (await owner.query('select has_table_privilege($3, $1, $2) as may', [table, privilege, testRole('svc_app')])).rows[0].may;
      if (await may('update')) {
        changed += 1;
        const aimed = `update ${table} set organization_id = organization_id where organization_id = 'org_b'`;
        assert.equal((await asTenant(asA, (client) => client.query(aimed))).rowCount, 0, table);
        const given = `update ${table} set organization_id = 'org_b'`;
        await assert.rejects(
          asTenant(asA, (client) => client.query(given)),
          deniedByPolicy(table),
          table,
        );
      }
      if (await may('delete')) {
        deleted += 1;
        await asTenant(asA, async (client) => {
          // Only rows of the tenant itself are deleted; those of others are not even read.
          assert.equal((await client.query(`delete from ${table} where organization_id = 'org_b'`)).rowCount, 0, table);
        });
      }
    }
    assert.ok(changed >= 15 && deleted >= 7, `${changed} and ${deleted} tables`);
  });

  test('shows a caller limited to a workspace or an environment nothing else', async () => {
    const narrowed = ['workspaces', 'environments', 'agents', 'tools', 'actions', 'approvals', 'api_keys', 'audit_events'];
    for (const table of narrowed) {
      const count = async (scope: object) =>
        (await asTenant({ ...asA, ...scope }, (client) => client.query(`select from ${table}`))).rowCount;
      assert.equal(await count({ workspace: 'another' }), 0, table);
      const own = table === 'workspaces' ? 'id_a' : 'workspace_id_a';
      assert.equal(await count({ workspace: own }), 1, table);
      assert.equal(await count({ workspace: `another,${own}` }), 1, table);
      assert.equal(await count({ workspace: 'none' }), 0, table);
      if (!['workspaces', 'api_keys'].includes(table)) assert.equal(await count({ environment: 'another' }), 0, table);
    }
  });
});

describe('the roles that the planes log in as', () => {
  test('are not superusers or owners of anything, and cannot become one', async () => {
    const { rows } = await owner.query(
      `select rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication,
              (select count(*)::int from pg_class where relowner = r.oid) + (select count(*)::int from pg_proc where proowner = r.oid)
                + (select count(*)::int from pg_namespace where nspowner = r.oid) + (select count(*)::int from pg_database where datdba = r.oid)
                + (select count(*)::int from pg_auth_members where member = r.oid) as holds
         from pg_roles r where rolname like $1 order by rolname`,
      [testRole('svc_app').replace(/app$/, '%')],
    );
    const nothing = { rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, holds: 0 };
    assert.deepEqual(
      rows,
      DATABASE_ROLES.map(testRole)
        .sort()
        .map((rolname) => ({ rolname, ...nothing })),
    );
  });

  test('create no table and no function, and disable no trigger', async () => {
    for (const role of DATABASE_ROLES) {
      for (const text of [
        'create table mine (n int)',
        'create function mine() returns int language sql as $$ select 1 $$',
        'set session_replication_role = replica',
        'alter table agents disable row level security',
        'drop policy agents_of_the_tenant on agents',
        'truncate audit_events',
      ])
        await assert.rejects(roles[role].query(text), { code: '42501' }, `${role}: ${text}`);
    }
  });

  test('change and delete no audit event, and no decision but its outcome', async () => {
    for (const role of DATABASE_ROLES) {
      const { rows } = await owner.query(
        "select has_any_column_privilege($1, 'audit_events', 'update') or has_table_privilege($1, 'audit_events', 'delete, truncate') as may, has_table_privilege($1, 'actions', 'delete, truncate') as forget",
        [testRole(role)],
      );
      assert.deepEqual(rows, [{ may: false, forget: false }], role);
    }
  });

  test('read only what their duty needs: no password hash for tenants, no decision for the recorder', async () => {
    const refused = [
      ['svc_app', 'select password_hash from users'],
      ['svc_app', 'select token_hash from setup_links'],
      ['svc_app', 'select from sign_in_failures'],
      ['svc_app', 'select from cli_requests'],
      ['svc_app', 'update cli_decisions set is_approved = true'],
      ['svc_identity', 'insert into cli_decisions default values'],
      ['svc_identity', 'select parameters from actions'],
      ['svc_identity', 'select from audit_events'],
      ['svc_identity', 'select name from agents'],
      ['svc_identity', 'update sessions set expires_at = now()'],
      ['svc_identity', 'update api_keys set revoked_at = null'],
      ['svc_recorder', 'select parameters from actions'],
      ['svc_recorder', 'select explanation, reason from actions'],
      ['svc_recorder', 'select request_hash from approvals'],
      ['svc_recorder', 'select from audit_events'],
      ['svc_recorder', 'select from users'],
      ['svc_recorder', "update actions set decision = 'ALLOW' where status = 'EXECUTING'"],
      ['svc_recorder', 'delete from agent_sessions'],
    ] as const;
    for (const [role, text] of refused) await assert.rejects(roles[role].query(text), { code: '42501' }, `${role}: ${text}`);
  });
});

test('leaves rows of a deleted organization in no table but its record and certificate, and all rows of others', async () => {
  await owner.query(
    `create table added_later (organization_id text not null, who text); select svc_guard('added_later', array['${testRole('svc_app')}']);
     insert into added_later values ('org_a', null), ('org_b', null); update delegations set delegator_user_id = 'user_id_b' where organization_id = 'org_b'`,
  );
  const tables = [...foreign.keys(), 'added_later'];
  const readRows = async (tenant: string): Promise<[string, string][]> => {
    const found: [string, string][] = [];
    for (const table of tables) {
      const { rows } = await owner.query(`select md5(to_jsonb(t)::text) as row from ${table} t where organization_id = $1`, [
        `org_${tenant}`,
      ]);
      if (rows.length > 0) found.push([table, rows[0].row]);
    }
    return found;
  };
  const others = await readRows('b');
  await owner.query(
    `update organizations set deletes_at = now() - interval '1 second', deletion_asked_at = now(), deletion_asked_by = 'x', deletion_reason = 'x' where id = 'org_a';
     update deletion_certificates set people = '{}'`,
  );
  const client = roles.svc_app;
  for (let called = ''; called !== 'organizations'; ) {
    await client.query("begin; select set_config('svc.organization_id', 'org_a', true)");
    const { rows } = await client.query("select * from svc_erase_organization('org_a', 7)");
    await client.query('commit');
    called = rows.at(-1)?.called;
  }
  assert.deepEqual(
    (await readRows('a')).map(([table]) => table),
    [
      'audit_anchored',
      'audit_anchorings',
      'audit_checkpoints',
      'audit_events',
      'audit_leaves',
      'audit_rejected_events',
      'audit_rejections',
      'audit_tiles',
      'audit_trees',
      'deletion_certificates',
    ],
  );
  assert.deepEqual(await readRows('b'), others);
  assert.deepEqual((await owner.query('select id from users')).rows, [{ id: 'user_id_b' }]);
});
