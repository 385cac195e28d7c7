import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { ALL_CONTEXTS, UNNAMED } from '@svc/domain/risk/contexts/context-name.ts';
import type { FlowSource } from '@svc/domain/risk/contexts/flow-context.ts';
import type { AgentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import type pg from 'pg';
import { connect, type Database } from '../connection/connect.ts';
import { inTenant } from '../connection/in-tenant.ts';
import { deleteEndedContexts } from '../risk/ended-contexts.ts';
import { type ContextUse, touchContexts } from '../risk/fold-conduct.ts';
import { growContext } from '../risk/grow-context.ts';
import { openContexts } from './open-contexts.ts';

const { contextsPerAgentMax } = RISK_LIMITS;
const HOUR_MS = 3_600_000;

let database: FreshDatabase;
let owner: pg.Client;
let gateway: Database;
let clockMs = Date.now();

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  gateway = connect({ url: database.url, role: 'svc_gateway', ...testLogin('svc_gateway'), connectionsMax: 8, timeoutMs: 30_000 });
  await owner.query(`insert into organizations (id, name) values ('org_1', 'One');
    insert into workspaces (organization_id, id, name, slug) values ('org_1', 'wsp_1', 'W', 'w');
    insert into environments (organization_id, id, workspace_id, name, type) values ('org_1', 'env_1', 'wsp_1', 'E', 'STAGING')`);
});
after(async () => {
  await gateway?.destroy();
  await owner?.end();
  await database?.drop();
});

const newAgent = async (id: string): Promise<AgentSnapshot> => {
  await owner.query(
    `insert into agents (organization_id, id, workspace_id, environment_id, name) values ('org_1', $1, 'wsp_1', 'env_1', $1)`,
    [id],
  );
  return { organization_id: 'org_1', agent_id: id, epoch: 1 } as AgentSnapshot;
};

const newSource = (label: string, tool: string): FlowSource => ({
  ...{ label, tool, host: null, readers: null, hosts: [], action_id: 'act_1', at: new Date().toISOString() },
});

let ids = 0;
const grow = (agent_id: string, key: string, labels: readonly string[] = ['secret'], endedBefore: string | null = null, tool = 'read') => {
  ids += 1;
  const place = { organization_id: 'org_1', workspace_id: 'wsp_1', environment_id: 'env_1', agent_id };
  const added = { labels, sources: labels.map((label) => newSource(label, tool)), tool, stores: null, loads: null };
  const growth = { ...added, contextId: `ctx_${ids}`, key, endedBefore };
  return inTenant(gateway, { organization_id: 'org_1' }, (tx) =>
    growContext(tx, { ...place, created_at: new Date(clockMs).toISOString() }, growth),
  );
};

const readRows = async (agentId: string) =>
  (
    await owner.query<{ name: string; labels: string[] }>('select name, labels from agent_contexts where agent_id = $1 order by name', [
      agentId,
    ])
  ).rows;

/** Reads what counts, as a gateway that has nothing in memory does. */
const read = (agent: AgentSnapshot, key: string, hours = 24) => openContexts(gateway, () => new Date(clockMs))(agent, key, hours);

const foldThrough = (ms: number) =>
  owner.query(
    'insert into conduct_progress (folded_through) values ($1) on conflict (only_one) do update set folded_through = excluded.folded_through',
    [new Date(ms)],
  );

test('opens at most the maximum of 10,000 contexts of an agent, for concurrent requests too, and evicts none with labels', async () => {
  await newAgent('agt_many');
  const first = contextsPerAgentMax - 20;
  await owner.query(
    `insert into agent_contexts (organization_id, agent_id, id, name, workspace_id, environment_id, labels, started_at, last_used_at)
     select 'org_1', 'agt_many', 'ctx_many_' || i, 'many:' || i, 'wsp_1', 'env_1', '{secret}', now(), now() from generate_series(1, $1::int) i`,
    [first],
  );
  const opened = await Promise.all(Array.from({ length: 60 }, (_, index) => grow('agt_many', `race:${index}`)));
  assert.equal(opened.filter(Boolean).length, 20);
  for (let index = 0; index < countRepetitions({ short: 200, long: 10_000 }); index += 1)
    assert.equal(await grow('agt_many', `more:${index}`), false);
  const rows = await readRows('agt_many');
  assert.equal(rows.length, contextsPerAgentMax);
  assert.equal(rows.filter(({ name }) => name.startsWith('many:')).length, first);
  // Existing ones grow, and so does the one whose labels apply to all.
  assert.equal(await grow('agt_many', 'many:1', ['personal_data']), true);
  assert.equal(await grow('agt_many', ALL_CONTEXTS, ['personal_data']), true);
});

test('evicts the oldest context without labels for a new one', async () => {
  await newAgent('agt_reuse');
  await owner.query(
    `insert into agent_contexts (organization_id, agent_id, id, name, workspace_id, environment_id, labels, started_at, last_used_at)
     select 'org_1', 'agt_reuse', 'ctx_reuse_' || i, 'old:' || i, 'wsp_1', 'env_1', case when i in (7, 8) then '{}' else '{secret}'::text[] end, now(),
            now() - make_interval(secs => i) from generate_series(1, $1::int) i`,
    [contextsPerAgentMax],
  );
  assert.equal(await grow('agt_reuse', 'new'), true);
  const names = new Set((await readRows('agt_reuse')).map(({ name }) => name));
  assert.deepEqual([names.has('old:8'), names.has('old:7'), names.has('new'), names.size], [false, true, true, contextsPerAgentMax]);
});

test('joins the contexts that apply, with sources beyond the maximum only as overflowing', async () => {
  const agent = await newAgent('agt_joined');
  await grow('agt_joined', 'one', ['personal_data']);
  await grow('agt_joined', UNNAMED, ['internal']);
  await grow('agt_joined', ALL_CONTEXTS, ['untrusted_content']);
  const one = await read(agent, 'one');
  assert.deepEqual([one.own.labels, one.held?.labels], [['personal_data'], ['personal_data', 'untrusted_content']]);
  const other = await read(agent, 'other');
  assert.deepEqual([other.own.labels, other.held?.labels], [[], ['untrusted_content']]);
  for (let index = 0; index < 40; index += 1) await grow('agt_joined', `more:${index}`, ['secret'], null, `tool.${index}`);
  const all = await read(agent, ALL_CONTEXTS);
  assert.deepEqual(all.held?.labels, ['internal', 'personal_data', 'secret', 'untrusted_content']);
  assert.deepEqual([all.held?.is_overflowing, all.held?.sources.length, all.held?.tools_used.length], [true, 32, 41]);
});

test('ends a context after its last use and not before uses are aggregated, and then starts it empty', async () => {
  const agent = await newAgent('agt_ends');
  await grow('agt_ends', 'a', ['secret']);
  const readHeld = async () => (await read(agent, 'a')).held?.labels;
  clockMs += 48 * HOUR_MS;
  assert.deepEqual(await readHeld(), ['secret']);
  await foldThrough(clockMs - 30 * HOUR_MS);
  assert.deepEqual(await readHeld(), ['secret']);
  await foldThrough(clockMs);
  assert.equal(await readHeld(), undefined);
  assert.deepEqual((await read(agent, 'a', 720)).held?.labels, ['secret']);
  const { endedBefore } = await read(agent, 'a');
  await grow('agt_ends', 'a', ['personal_data'], endedBefore);
  assert.deepEqual(await readHeld(), ['personal_data']);
});

test('keeps a used context, and all of the agent for a use without one', async () => {
  const agent = await newAgent('agt_used');
  for (const key of ['a', 'b', ALL_CONTEXTS]) await grow('agt_used', key, ['secret']);
  const use = async (name: string | null): Promise<void> => {
    const uses: ContextUse[] = [{ organization_id: 'org_1', agent_id: 'agt_used', name, at: new Date(clockMs).toISOString() }];
    const reader = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 10_000 });
    await reader.transaction().execute((tx) => touchContexts(tx as unknown as Parameters<typeof touchContexts>[0], uses));
    await reader.destroy();
  };
  clockMs += 20 * HOUR_MS;
  await use('a');
  clockMs += 20 * HOUR_MS;
  await foldThrough(clockMs);
  assert.deepEqual((await read(agent, 'a')).held?.labels, ['secret']);
  assert.equal((await read(agent, 'b')).held, null);
  await use(null);
  clockMs += 20 * HOUR_MS;
  await foldThrough(clockMs);
  assert.deepEqual((await read(agent, 'b')).held?.labels, ['secret']);
  clockMs += 20 * HOUR_MS;
  await foldThrough(clockMs);
  const app = connect({ url: database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 10_000 });
  await inTenant(app, { organization_id: 'org_1' }, async (tx) => {
    while ((await deleteEndedContexts(tx, 'org_1', 500)) === 500);
  });
  await app.destroy();
  assert.deepEqual(await readRows('agt_used'), []);
});
