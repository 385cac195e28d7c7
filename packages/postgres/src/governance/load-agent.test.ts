import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { connect, type Database } from '../connection/connect.ts';
import { loadAgent } from './load-agent.ts';

let database: FreshDatabase;
let owner: pg.Client;
let app: Database;

const AGENTS = ['agt_a', 'agt_b', 'agt_c', 'agt_d'];

const insert = (table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row);
  return owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
};

const delegate = (id: string, to: string, from: { parent_id?: string; agent?: string } = {}, more: Record<string, unknown> = {}) =>
  insert('delegations', {
    organization_id: 'org_1',
    id,
    delegate_agent_id: to,
    ...(from.agent ? { parent_id: from.parent_id, delegator_agent_id: from.agent } : { delegator_user_id: 'usr_1' }),
    can_redelegate: true,
    max_depth: 5,
    path: '',
    depth: 0,
    workspace_ids: [],
    environment_ids: [],
    created_by_type: 'USER',
    created_by_id: 'usr_1',
    created_at: '2026-03-01T00:00:00Z',
    updated_at: '2026-03-01T00:00:00Z',
    ...more,
  });

const epochs = async (): Promise<Record<string, number>> => {
  const { rows } = await owner.query<{ agent_id: string; epoch: string }>('select agent_id, epoch from agent_epochs order by agent_id');
  return Object.fromEntries(rows.map(({ agent_id, epoch }) => [agent_id, Number(epoch)]));
};

/** The agents whose epochs a change moved. */
const movedBy = async (change: () => Promise<unknown>): Promise<string[]> => {
  const before = await epochs();
  await change();
  const now = await epochs();
  return Object.keys(now).filter((agent) => now[agent] !== before[agent]);
};

const load = async (agent: string) => {
  const snapshot = await loadAgent(app, 'org_1', agent);
  assert.ok(snapshot);
  return snapshot;
};

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  app = connect({ url: database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 2, timeoutMs: 10_000 });
  await insert('organizations', { id: 'org_1', name: 'One' });
  await insert('users', { id: 'usr_1', email: 'one@example.com', name: 'One', password_hash: 'x' });
  await insert('workspaces', { organization_id: 'org_1', id: 'wsp_1', name: 'W', slug: 'w' });
  await insert('environments', { organization_id: 'org_1', id: 'env_1', workspace_id: 'wsp_1', name: 'E', type: 'STAGING' });
  for (const id of AGENTS) {
    await insert('agents', { organization_id: 'org_1', id, workspace_id: 'wsp_1', environment_id: 'env_1', name: id });
    await insert('agent_capabilities', { organization_id: 'org_1', agent_id: id, capability: `of.${id}`, granted_by: 'usr_1' });
  }
  await delegate('del_1', 'agt_a', {}, { max_amount: 5_000, currency: 'USD', expires_at: '2030-01-01T00:00:00Z' });
  await delegate('del_2', 'agt_b', { parent_id: 'del_1', agent: 'agt_a' }, { max_depth: 4, expires_at: '2029-01-01T00:00:00Z' });
  await delegate('del_3', 'agt_c', { parent_id: 'del_2', agent: 'agt_b' }, { max_depth: 3, expires_at: '2029-01-01T00:00:00Z' });
  await delegate('del_4', 'agt_c', {}, { max_calls: 3 });
  await delegate('del_5', 'agt_c');
});

after(async () => {
  await app?.destroy();
  await owner?.end();
  await database?.drop();
});

describe('the snapshot of an agent', () => {
  test('contains each delegation to it with everything above it and the capabilities of each agent above', async () => {
    const { chains } = await load('agt_c');
    assert.deepEqual([...chains.keys()], ['del_3', 'del_4', 'del_5']);
    const found = chains.get('del_3');
    assert.ok(found && 'chain' in found);
    assert.deepEqual(
      found.chain.map((link) => [link.id, link.delegator, link.delegate.capabilities, link.delegate.status]),
      [
        ['del_1', { type: 'USER', id: 'usr_1' }, ['of.agt_a'], 'ACTIVE'],
        ['del_2', { type: 'AGENT', id: 'agt_a' }, ['of.agt_b'], 'ACTIVE'],
        ['del_3', { type: 'AGENT', id: 'agt_b' }, ['of.agt_c'], 'ACTIVE'],
      ],
    );
    assert.equal(found.chain[0].expires_at, '2030-01-01T00:00:00.000Z');
    assert.deepEqual(found.chain[0].ceiling, { max_amount: 5_000, currency: 'USD', max_calls: null, window_seconds: null });
  });

  test('prefers uncounted roots to counted ones, and treats no derived delegation as a root', async () => {
    const { root_chains } = await load('agt_c');
    assert.deepEqual(
      root_chains.map(({ id }) => id),
      ['del_5', 'del_4'],
    );
    assert.deepEqual((await load('agt_b')).root_chains, []);
  });

  test('is empty of delegations for an agent that has none', async () => {
    const { chains, root_chains } = await load('agt_d');
    assert.deepEqual([chains.size, root_chains.length], [0, 0]);
  });

  test('is outdated as soon as a delegation anywhere above changes, or the capabilities of an agent above', async () => {
    const below = ['agt_a', 'agt_b', 'agt_c'];
    assert.deepEqual(await movedBy(() => owner.query("update delegations set max_amount = 4000 where id = 'del_1'")), below);
    assert.deepEqual(await movedBy(() => owner.query("update delegations set max_amount = 10, currency = 'USD' where id = 'del_2'")), [
      'agt_b',
      'agt_c',
    ]);
    assert.deepEqual(await movedBy(() => owner.query("delete from agent_capabilities where agent_id = 'agt_a'")), below);
    assert.deepEqual(await movedBy(() => owner.query("update agents set status = 'SUSPENDED' where id = 'agt_b'")), ['agt_b', 'agt_c']);
    assert.deepEqual(
      await movedBy(() =>
        owner.query("update delegations set status = 'REVOKED', ended_at = now(), ended_reason = 'x' where id in ('del_1', 'del_2')"),
      ),
      below,
    );
  });

  test('keeps a recently ended delegation, so that a request that names it gets the reason, and omits older ones', async () => {
    const { chains } = await load('agt_b');
    const found = chains.get('del_2');
    assert.ok(found && 'chain' in found);
    assert.deepEqual(
      found.chain.map(({ status }) => status),
      ['REVOKED', 'REVOKED'],
    );
    await delegate('del_6', 'agt_d', {}, { status: 'EXPIRED', ended_at: '2020-01-01T00:00:00Z', ended_reason: 'ran out' });
    assert.equal((await load('agt_d')).chains.size, 0);
  });
});
