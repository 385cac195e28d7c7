import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertBreakGlass } from '@svc/testing/records/insert-break-glass.ts';
import { insertContext } from '@svc/testing/records/insert-context.ts';
import { insertNotification } from '@svc/testing/records/insert-notification.ts';
import { insertMember } from '@svc/testing/records/insert-person.ts';
import { insertRiskEvent } from '@svc/testing/records/insert-risk-event.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import { insertTrust } from '@svc/testing/records/insert-trust.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { newOneOfEach } from './one-of-each.ts';
import { buildPath, CONTROL_ROWS, type NamedRow, newSetting, type RowTestSetting, RULES, TESTS } from './setting.ts';

const takes = ([, row]: NamedRow, name: string): boolean =>
  Object.hasOwn((row.query as { properties?: object } | undefined)?.properties ?? {}, name);
const PARTED = CONTROL_ROWS.filter((row) => takes(row, 'offset'));
const PAGED = CONTROL_ROWS.filter((row) => takes(row, 'cursor'));

let setting: RowTestSetting;
let owner: pg.Client;

/** Copies a row as the owner of the database, with `differing` members. */
const copyRow = async (table: string, where: string, differing: string, id: string, n: number): Promise<void> => {
  const { rowCount } = await owner.query(
    `insert into ${table} select (json_populate_record(t, ${differing})).* from ${table} t, (values ($2::int)) as v (n) where ${where} = $1`,
    [id, n],
  );
  assert.equal(rowCount, 1, table);
};

/** Inserts what peers, runtimes and the worker write. */
const fillWritten = async ({ planes, tenant, agent, resources }: RowTestSetting, n: number): Promise<void> => {
  await insertRiskEvent(planes.database, agent.id, `More ${n}`);
  await insertBreakGlass(planes.database, tenant.organization_id, `More ${n}`);
  await insertTrust(planes.database, agent.id, `More ${n}`);
  await insertContext(planes.database, agent.id, `More ${n}`, `more-${n}`);
  await copyRow('mcp_tools', 'id', "json_build_object('id', left(id, -1) || n, 'name', 'listed-' || n)", resources.mcpToolId, n);
  await copyRow('runtime_workflows', 'workflow_id', "json_build_object('workflow_id', 'workflow-' || n)", resources.workflowId, n);
};

/** Inserts what lists show of people and their organizations. */
const fillPeople = async ({ planes, tenant }: RowTestSetting, n: number): Promise<void> => {
  const { organization_id, user } = tenant;
  const other = await newTenant(planes);
  await insertMember(owner, { organizationId: other.organization_id, userId: user.id, roleId: getBuiltInRole('viewer').id });
  await insertSso(planes.database, organization_id, user.id);
  await owner.query(
    `insert into sessions (organization_id, id, user_id, token_hash, expires_at) values ($1, $2, $3, $4, now() + interval '1 hour')`,
    [organization_id, buildId('session', newUlid()), user.id, Buffer.alloc(32, n)],
  );
};

/** Creates at least three of everything that a list shows. */
const fill = async (all: RowTestSetting): Promise<void> => {
  const { tenant, agent, resources } = all;
  const { token, workspace_id, environment_id } = tenant;
  const send = (method: string, path: string, body: object) => mustCall(tenant.controlUrl, method, path, { token, body });
  for (const n of [1, 2]) {
    const other = await newAgent(tenant, { name: `other-${n}` });
    await send('POST', '/v1/workspaces', { name: `Workspace ${n}` });
    await send('POST', '/v1/environments', { name: `Environment ${n}`, workspace_id, type: 'DEVELOPMENT' });
    await send('POST', '/v1/members/invitations', { email: `more-${n}@example.com`, role_id: resources.roleId });
    await send('POST', '/v1/tools', { name: `tool-${n}`, environment_id, required_capability: 'x', kind: 'SDK' });
    await send('PATCH', `/v1/tools/${resources.toolId}`, { destination_allowlist: [`${n}.example.com`], accept_warnings: true });
    await send('POST', '/v1/policies', { name: `Policy ${n}`, rules: RULES, tests: TESTS });
    await send('PATCH', `/v1/policies/${resources.policyId}`, { rules: RULES, tests: TESTS });
    await send('POST', '/v1/policies/invariants', { name: `Invariant ${n}`, at_least: 'REQUIRE_APPROVAL' });
    await send('POST', '/v1/delegations', { delegate_agent_id: other.id });
    await send('POST', '/v1/fx-rates', { base_currency: 'GBP', quote_currency: 'USD', rate: `1.${n}` });
    await insertHeldAction(owner, tenant, {}, { agent_id: agent.id });
    await newOneOfEach(tenant, `More ${n}`);
    await send('POST', `/v1/webhooks/${resources.subscriptionId}/test`, {});
    await send('POST', `/v1/incidents/${resources.incidentId}/entries`, { note: `Note ${n}` });
    await insertNotification(owner, { organizationId: tenant.organization_id, userId: tenant.user.id });
    await fillPeople(all, n);
    await fillWritten(all, n);
  }
  const { organization_id } = tenant;
  await owner.query(
    "insert into audit_checkpoints (organization_id, size, root_hash, note) select $1, n, '\\x00', 'note' from generate_series(1, 3) n",
    [organization_id],
  );
  await owner.query(
    `insert into mcp_listings (organization_id, workspace_id, environment_id, server_id, hash, definitions, taken_by_type, taken_by_id,
       first_taken_at, last_taken_at)
     select organization_id, workspace_id, environment_id, id, n::text, '[]', 'user', $2, now(), now() + n * interval '1 second'
       from mcp_servers, generate_series(1, 3) n where id = $1`,
    [resources.serverId, tenant.user.id],
  );
  await owner.query(
    `insert into verification_runs (organization_id, id, workspace_id, environment_id, runtime_id, trigger, state, step, due_at, started_by,
       created_at)
     select organization_id, 'run_' || n, workspace_id, environment_id, id, 'REQUEST', 'COMPLETED', 'done', now(), $2, now() + n * interval '1 second'
       from runtimes, generate_series(1, 3) n where id = $1`,
    [resources.runtimeId, tenant.user.id],
  );
};

before(async () => {
  setting = await newSetting();
  owner = await setting.planes.database.client();
  await fill(setting);
});
after(async () => {
  await owner.end();
  await setting.planes.stop();
});

const read = (path: string): Promise<TestResponse> => call(setting.planes.controlUrl, 'GET', path, { token: setting.owner });

/** Returns the link to the next part, parsed like any link-aware client does. */
const nextOf = (answer: TestResponse): string | undefined => /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];

const shownIn = ({ json }: TestResponse): string[] => {
  const items = Array.isArray(json) ? json : (json.items ?? json.data ?? json.edges);
  return items.map(
    (item: { id?: string; key?: string; workflow_id?: string; hash?: string; version_id?: string; version_number?: number }) =>
      item.id ??
      item.key ??
      item.workflow_id ??
      item.version_id ??
      (item.version_number === undefined ? item.hash : String(item.version_number)),
  );
};

/** Follows the links from the first part to the last. */
const walk = async (path: string): Promise<{ ids: string[]; answers: TestResponse[] }> => {
  const answers: TestResponse[] = [];
  for (let next: string | undefined = path; next !== undefined; next = nextOf(answers.at(-1) as TestResponse)) {
    answers.push(await read(next));
    assert.ok(answers.length < 500, 'the links lead on and on');
  }
  return { ids: answers.flatMap(shownIn), answers };
};

describe('a list states that there is more', () => {
  for (const row of PARTED) {
    test(`${row[0]}: its links lead through all of it, and it states the total`, async () => {
      const path = buildPath(row[1], setting.resources);
      const whole = await read(path);
      const { ids, answers } = await walk(`${path}?limit=1`);
      assert.ok(ids.length >= 3, `${row[0]} shows ${ids.length}`);
      assert.deepEqual(ids, shownIn(whole));
      assert.equal(nextOf(whole), undefined);
      for (const answer of [whole, ...answers]) assert.equal(answer.headers.get('x-total-count'), String(ids.length));
      const beyond = await read(`${path}?offset=1000`);
      assert.deepEqual([shownIn(beyond), beyond.headers.get('x-total-count'), nextOf(beyond)], [[], String(ids.length), undefined]);
    });
  }

  for (const row of PAGED) {
    test(`${row[0]}: the link holds the cursor of its page`, async () => {
      const path = buildPath(row[1], setting.resources);
      const first = await read(`${path}?limit=2`);
      assert.equal(new URL(nextOf(first) ?? '', setting.planes.controlUrl).searchParams.get('cursor'), first.json.page.next_cursor);
      const { ids } = await walk(`${path}?limit=2`);
      assert.ok(ids.length >= 3, `${row[0]} shows ${ids.length}`);
      assert.equal(new Set(ids).size, ids.length);
    });
  }

  test('a filter with any value stays in the link', async () => {
    const path = `/v1/tools?q=${encodeURIComponent('tool')}&limit=1`;
    const { ids } = await walk(path);
    assert.equal(ids.length, 2);
    assert.match((await read('/v1/tools?q=%3E%20%22o&limit=1')).text, /"items":\[\]/);
  });
});

test('a very long list is counted up to a limit, and its links lead to its end', async () => {
  const { countedMax } = LIMITS.pages;
  const tenant = await newTenant(setting.planes);
  const { approvalId, actionId } = await insertHeldAction(owner, tenant);
  const copied = async (table: string, id: string, also: string): Promise<void> => {
    const { rows } = await owner.query(
      `select string_agg(quote_ident(column_name), ', ') as all, string_agg(case when column_name in ('id'${also}) then
         'left(' || column_name || ', 4) || lpad(n::text, 26, ''0'')' else quote_ident(column_name) end, ', ') as copies
         from information_schema.columns where table_name = $1`,
      [table],
    );
    const { all, copies } = rows[0];
    const source = `select ${copies} from ${table}, generate_series(1, ${countedMax + 20}) as n where id = $1`;
    await owner.query(`insert into ${table} (${all}) ${source}`, [id]);
  };
  await copied('actions', actionId, '');
  await copied('approvals', approvalId, ", 'action_id'");
  await owner.query('analyze approvals');
  const list = (query: string) => call(setting.planes.controlUrl, 'GET', `/v1/approvals?${query}`, { token: tenant.token });
  const count = async (query: string) => (await list(query)).headers.get('x-total-count');
  assert.equal(await count('limit=1'), String(countedMax + 1));
  assert.equal(await count('limit=1&offset=10000'), String(countedMax + 1));
  assert.equal(await count('limit=1&order=oldest&status=DENIED'), '0');
  const last = await list(`limit=200&offset=${countedMax}`);
  assert.deepEqual([last.json.length, nextOf(last)], [21, undefined]);
});
