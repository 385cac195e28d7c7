import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

let planes: StartedPlanes;
let db: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
  db = await planes.database.client();
});
after(async () => {
  await db.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const agentAt = ({ agents }: Delegating, n: number): string => agents[n]?.id ?? '';
const HELD = { rules: [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person decides.' }] };

/** Inserts as many active delegations between two agents as many requests would create, newer than any existing one. */
const handOnMany = async ({ tenant, agents }: Delegating, from: number, to: number, count: number): Promise<void> => {
  const ids = Array.from({ length: count }, () => buildId('delegation', newUlid()));
  await db.query(
    `insert into delegations (organization_id, id, path, depth, delegator_agent_id, delegate_agent_id, workspace_ids, environment_ids,
       created_by_type, created_by_id, created_at, updated_at)
     select $1, id, '', 0, $2, $3, '{}', '{}', 'AGENT', $2, now(), now() from unnest($4::text[]) id`,
    [tenant.organization_id, agents[from]?.id, agents[to]?.id, ids],
  );
};

describe('other agents that delegate as much as they can to one', () => {
  test('cannot displace a delegation of a person to it, or prevent that person from narrowing it', async () => {
    const scene = await newDelegating(planes, 3);
    await scene.root(1, { scope: { capabilities: ['read'] } });
    assert.equal(getCode(await scene.actAs(1, {})), 'AUTHORITY_EXCEEDED');
    await handOnMany(scene, 0, 1, 1_100);
    assert.equal(getCode(await scene.actAs(1, {})), 'AUTHORITY_EXCEEDED');
    await handOnMany(scene, 0, 2, 1_000);
    assert.equal((await scene.actAs(2, {})).status, 200);
    await scene.root(2, { scope: { capabilities: ['read'] } });
    assert.equal(getCode(await scene.actAs(2, {})), 'AUTHORITY_EXCEEDED');
    assert.equal(getCode(await scene.handOn(0, { delegate_agent_id: agentAt(scene, 2) })), 'UNPROCESSABLE');
  });
});

describe('an agent that may not act', () => {
  test('cannot delegate: its passport expired, it is paused, or it is revoked', async () => {
    const scene = await newDelegating(planes, 4);
    await db.query("update passports set expires_at = now() - interval '1 second' where agent_id = $1", [agentAt(scene, 0)]);
    const body = { delegate_agent_id: agentAt(scene, 3) };
    assert.equal(getCode(await scene.actAs(0, {})), 'PASSPORT_INVALID');
    assert.equal(getCode(await scene.handOn(0, body)), 'PASSPORT_INVALID');
    await scene.owner('POST', `/v1/agents/${agentAt(scene, 1)}/pause`, {});
    assert.equal(getCode(await scene.handOn(1, body)), 'AGENT_NOT_OPERATIONAL');
    await scene.owner('POST', `/v1/agents/${agentAt(scene, 2)}/revoke`, { reason: 'test' });
    assert.equal(getCode(await scene.handOn(2, body)), 'AGENT_IDENTITY_REVOKED');
    const { rows } = await db.query('select id from delegations where delegate_agent_id = $1', [agentAt(scene, 3)]);
    assert.deepEqual(rows, []);
  });
});

describe('a key of one workspace', () => {
  test('cannot start authority that agents could carry into another one', async () => {
    const scene = await newDelegating(planes, 1);
    const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token: scene.tenant.token, body });
    const workspace = await post('/v1/workspaces', { name: 'Elsewhere' });
    const wanting = { workspace_id: workspace.id, name: 'Guarded', type: 'STAGING', requires_delegation: true };
    const tenant = { ...scene.tenant, workspace_id: workspace.id, environment_id: (await post('/v1/environments', wanting)).id };
    const guarded = await newAgent(tenant, { capabilities: ['pay'] });
    const tool = { name: 'pay', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' };
    await post(`/v1/tools/${(await post('/v1/tools', tool)).id}/agents`, { agent_id: guarded.id });
    const token = await mintToken(planes.gatewayUrl, guarded);
    const role_id = getBuiltInRole('admin').id;
    const key = await post('/v1/api-keys', { name: 'limited', role_id, workspace_id: scene.tenant.workspace_id });
    for (const scope of [undefined, {}, { environments: null }]) {
      const body = { delegate_agent_id: agentAt(scene, 0), can_redelegate: true, max_depth: 1, ...(scope ? { scope } : {}) };
      const root = await call(planes.controlUrl, 'POST', '/v1/delegations', { token: key.token, body });
      assert.deepEqual([root.status, root.json.scope.environments], [201, [scene.tenant.environment_id]], root.text);
      const handed = await scene.handOn(0, { delegate_agent_id: guarded.id, parent_id: root.json.id });
      assert.equal(getCode(await scene.act({ delegation_id: handed.json.id }, { token })), 'AUTHORITY_EXCEEDED');
      assert.equal((await scene.actAs(0, { delegation_id: root.json.id })).status, 200);
    }
    const named = { delegate_agent_id: agentAt(scene, 0), scope: { environments: [tenant.environment_id] } };
    assert.equal(getCode(await call(planes.controlUrl, 'POST', '/v1/delegations', { token: key.token, body: named })), 'NOT_FOUND');
  });
});

describe('a delegator', () => {
  test('cannot approve requests under their delegation, named or not, by the agent or by one below it', async () => {
    const scene = await newDelegating(planes, 2, HELD);
    const other = await insertPerson(db, scene.tenant.organization_id, 'owner');
    const root = await scene.root(0);
    const child = await scene.child(0, 1, root);
    for (const [agent, body] of [
      [0, {}],
      [0, { delegation_id: root }],
      [1, { delegation_id: child }],
    ] as const) {
      const held = await scene.actAs(agent, body);
      const { approval_id } = held.json.error.details;
      assert.equal(getCode(await scene.owner('POST', `/v1/approvals/${approval_id}/approve`, {})), 'PERMISSION_DENIED');
      assert.equal(getCode(await scene.actAs(agent, { ...body, approval_id })), 'APPROVAL_REQUIRED');
      const approved = await call(planes.controlUrl, 'POST', `/v1/approvals/${approval_id}/approve`, { token: other.token, body: {} });
      assert.equal(approved.status, 200, approved.text);
      assert.equal((await scene.actAs(agent, { ...body, approval_id })).status, 200);
    }
  });
});

/** Waits until a session of the database sleeps. */
const untilAsleep = async (): Promise<void> => {
  for (let look = 0; look < 6_000; look += 1) {
    const { rows } = await db.query("select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()");
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nobody came to wait');
};

test('an approval that is opened concurrently with the revocation of its agent does not outlive it', async () => {
  const scene = await newDelegating(planes, 1, HELD);
  await db.query(`create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
    create trigger linger after insert on audit_events for each row when (new.type = 'approval.requested') execute function linger()`);
  try {
    const asked = scene.actAs(0, {});
    await untilAsleep();
    const revoked = await scene.owner('POST', `/v1/agents/${agentAt(scene, 0)}/revoke`, { reason: 'race' });
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal(getCode(await asked), 'APPROVAL_REQUIRED');
  } finally {
    await db.query('drop function linger() cascade');
  }
  const { rows } = await db.query(
    'select p.status, a.status as action from approvals p join actions a on a.id = p.action_id where p.agent_id = $1',
    [agentAt(scene, 0)],
  );
  assert.deepEqual(rows, [{ status: 'CANCELLED', action: 'CANCELLED' }]);
});

describe('malformed values of a delegation', () => {
  const SOME = { capabilities: ['pay', 'read'], tools: ['pay'], destinations: ['api.example.com', '*.good.example.com:8443'] };
  const MONEY = { max_amount: 100, currency: 'JPY', max_calls: 10, window_seconds: 60 };
  const WIDER = {
    'no list of capabilities': { scope: { capabilities: null } },
    'a capability more': { scope: { capabilities: ['pay', 'write'] } },
    'no list of tools': { scope: { tools: null } },
    'a tool more': { scope: { tools: ['pay', 'write'] } },
    'every host below': { scope: { destinations: ['*.example.com'] } },
    'the host above a wildcard': { scope: { destinations: ['good.example.com:8443'] } },
    'a wildcard without its port': { scope: { destinations: ['*.good.example.com'] } },
    'the port of another entry': { scope: { destinations: ['api.example.com:8443'] } },
    'a name that ends like it': { scope: { destinations: ['xapi.example.com'] } },
    'no list of destinations': { scope: { destinations: null } },
    'no ceiling': { ceiling: null },
    'no amount': { ceiling: { max_amount: null, currency: null } },
    'no window': { ceiling: { window_seconds: null } },
    'a shorter window': { ceiling: { window_seconds: 59 } },
    'a call more': { ceiling: { max_calls: 11 } },
    'one more': { ceiling: { max_amount: 101 } },
    'a currency without a rate': { ceiling: { max_amount: 1, currency: 'BHD' } },
    'no end': { expires_at: null },
    'a later end': { expires_at: '2999-01-01T00:00:00.001Z' },
  };

  test('never exceed the parent, in a child or in a change', async () => {
    const scene = await newDelegating(planes, 2);
    const root = await scene.root(0, { scope: SOME, ceiling: MONEY, expires_at: '2999-01-01T00:00:00.000Z' });
    for (const [what, asked] of Object.entries(WIDER)) {
      const made = await scene.handOn(0, { delegate_agent_id: agentAt(scene, 1), parent_id: root, ...asked });
      assert.equal(getCode(made), 'DELEGATION_ESCALATION', `${what}: ${made.text}`);
      const changed = await scene.owner('PATCH', `/v1/delegations/${root}`, asked);
      assert.equal(getCode(changed), 'DELEGATION_ESCALATION', `${what}: ${changed.text}`);
    }
    const same = { destinations: ['API.example.com.', 'x.GOOD.example.com:8443', 'ａ.good.example.com:8443'] };
    await scene.child(0, 1, root, { scope: same, ceiling: { max_amount: 99, window_seconds: 61 } });
  });

  test('that are no text, address or time are refused as such', async () => {
    const scene = await newDelegating(planes, 2);
    const bodies: object[] = [
      { scope: { tools: ['a\u0000b'] } },
      { scope: { tools: ['Pay now'] } },
      { scope: { tools: ['Рay'] } },
      { scope: { capabilities: ['Pay'] } },
      { scope: { tools: ['\ud800'] } },
      { scope: { capabilities: ['раy'] } },
      { scope: { destinations: ['a\u0000.example.com'] } },
      { scope: { destinations: ['*'] } },
      { scope: { destinations: ['[::1%25eth0]'] } },
      { scope: { destinations: ['https://a.example.com'] } },
      { scope: null },
      { scope: { workspaces: [] } },
      { ceiling: { max_amount: 1 } },
      { ceiling: { currency: 'USD' } },
      { ceiling: { max_amount: -1, currency: 'USD' } },
      { ceiling: { max_amount: 1.5, currency: 'USD' } },
      { ceiling: { max_amount: 9_007_199_254_740_992, currency: 'USD' } },
      { ceiling: { max_amount: 1, currency: 'usd' } },
      { ceiling: { max_calls: 1, window_seconds: 0 } },
      { expires_at: '9999-12-31T23:59:60.000Z' },
      { expires_at: '0000-01-01T00:00:00.000Z' },
      { max_depth: 16 },
    ];
    for (const asked of bodies) {
      const made = await scene.delegate({ delegate_agent_id: agentAt(scene, 0), ...asked });
      assert.equal(getCode(made), 'VALIDATION_FAILED', `${JSON.stringify(asked)}: ${made.text}`);
    }
    const rate = { base_currency: 'USD', quote_currency: 'JPY', rate: '1', effective_at: '0000-01-01T00:00:00.000Z' };
    assert.ok((await scene.owner('POST', '/v1/fx-rates', rate)).status < 500);
  });

  test('for an empty list leave nothing, and are delegated as nothing', async () => {
    const scene = await newDelegating(planes, 2, { tool: { destination_allowlist: ['api.example.com'] } });
    const ask = { destination: 'api.example.com' };
    for (const scope of [{ capabilities: [] }, { tools: [] }, { environments: [] }, { destinations: [] }]) {
      const root = await scene.root(0, { scope });
      const child = await scene.child(0, 1, root);
      assert.equal(getCode(await scene.actAs(0, { ...ask, delegation_id: root })), 'AUTHORITY_EXCEEDED', JSON.stringify(scope));
      assert.equal(getCode(await scene.actAs(1, { ...ask, delegation_id: child })), 'AUTHORITY_EXCEEDED', JSON.stringify(scope));
    }
  });
});

describe('a ceiling in a currency of another exponent', () => {
  const PAYING = { tool: { amount_from: '/amount', currency_from: '/currency' } };
  const pay = (amount: number, currency: string, rest: object = {}) => ({ parameters: { amount, currency }, ...rest });

  test('is met to the last unit, follows its rate, and covers nothing without one', async () => {
    const scene = await newDelegating(planes, 2, PAYING);
    const rate = async (quote_currency: string, rate: string, rest: object = {}): Promise<string> =>
      (await scene.owner('POST', '/v1/fx-rates', { base_currency: 'USD', quote_currency, rate, ...rest })).json.id;
    const root = await scene.root(0, { ceiling: { max_amount: 1_000, currency: 'JPY' } });
    assert.equal(getCode(await scene.actAs(0, pay(1, 'USD', { delegation_id: root }))), 'UNPROCESSABLE');
    const yen = await rate('JPY', '150');
    await rate('JPY', '0.01', { effective_at: new Date(Date.now() + 60_000).toISOString() });
    const dinar = await rate('BHD', '0.375');
    assert.equal((await scene.actAs(0, pay(666, 'USD'))).status, 200);
    assert.equal(getCode(await scene.actAs(0, pay(667, 'USD'))), 'AUTHORITY_EXCEEDED');
    // 2.500 BHD are 6.66... USD and so exactly 1,000 JPY.
    assert.equal((await scene.actAs(0, pay(2_500, 'BHD'), 1)).status, 200);
    assert.equal(getCode(await scene.actAs(0, pay(2_501, 'BHD'), 1)), 'AUTHORITY_EXCEEDED');
    const below = { delegate_agent_id: agentAt(scene, 1), parent_id: root };
    assert.equal(getCode(await scene.handOn(0, { ...below, ceiling: { max_amount: 2_501, currency: 'BHD' } })), 'DELEGATION_ESCALATION');
    const child = await scene.child(0, 1, root, { ceiling: { max_amount: 2_500, currency: 'BHD' } });
    assert.equal((await scene.actAs(1, pay(1_000, 'JPY', { delegation_id: child }))).status, 200);
    assert.equal(getCode(await scene.actAs(1, pay(1_001, 'JPY', { delegation_id: child }))), 'AUTHORITY_EXCEEDED');
    // The child's own ceiling is worth more from now on, and the root's is unchanged.
    await rate('BHD', '0.0375');
    assert.equal(getCode(await scene.actAs(1, pay(1_001, 'JPY', { delegation_id: child }))), 'AUTHORITY_EXCEEDED');
    await scene.owner('DELETE', `/v1/fx-rates/${yen}`);
    assert.equal(getCode(await scene.actAs(0, pay(1, 'USD'))), 'UNPROCESSABLE');
    assert.equal(getCode(await scene.actAs(1, pay(1, 'BHD', { delegation_id: child }))), 'UNPROCESSABLE');
    assert.ok((await scene.owner('DELETE', `/v1/fx-rates/${dinar}`)).status < 500);
  });

  test('in a window is never exceeded: named and unnamed, two agents, two gateways, repeated keys, approvals, and one killed gateway', async () => {
    const when = { field: 'parameters.hold', op: 'is_true' };
    const rules = [
      { id: 'allow', effect: 'ALLOW', reason: 'Allowed.' },
      { id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person decides.', when },
    ];
    const scene = await newDelegating(planes, 2, { ...PAYING, rules });
    const { json: rate } = await scene.owner('POST', '/v1/fx-rates', { base_currency: 'USD', quote_currency: 'JPY', rate: '150' });
    assert.ok(rate.id);
    const root = await scene.root(0, { ceiling: { max_amount: 1_000, currency: 'JPY', window_seconds: 3_600 } });
    const child = await scene.child(0, 1, root);
    const approver = await insertPerson(db, scene.tenant.organization_id, 'owner');
    const approvals: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const held = await scene.actAs(0, { parameters: { amount: 67, currency: 'USD', hold: true, n } });
      const { approval_id } = held.json.error.details;
      await call(planes.controlUrl, 'POST', `/v1/approvals/${approval_id}/approve`, { token: approver.token, body: {} });
      approvals.push(approval_id);
    }
    // Each is 0.67 USD, so 100.5 JPY, and counts for 101: nine of them fit.
    const sent = Array.from({ length: 40 }, async (_, n) => {
      const [agent, gateway] = [n % 2, (n >> 1) % 2];
      if (n === 20) planes.gateways[1]?.kill('SIGKILL');
      if (n % 10 === 9) {
        const [place, approval_id] = [(n - 9) / 10, approvals[(n - 9) / 10]];
        return await scene.actAs(0, { parameters: { amount: 67, currency: 'USD', hold: true, n: place }, approval_id }, gateway);
      }
      const body = pay(67, 'USD', agent === 1 ? { delegation_id: child } : {});
      return await scene.act(body, { token: scene.agents[agent]?.token ?? '', gateway, key: `spend-${n >> 2}-${agent}` });
    });
    await Promise.allSettled(sent);
    for (let n = 0; n < 12; n += 1) await scene.actAs(n % 2, pay(67, 'USD', n % 2 === 1 ? { delegation_id: child } : {}));
    const { rows } = await db.query(
      "select count(*)::int as n from actions where organization_id = $1 and code is null and status in ('ALLOWED', 'COMPLETED')",
      [scene.tenant.organization_id],
    );
    const counted = await db.query('select total::int as total from counters where counter like $1', [`%${root}%`]);
    assert.deepEqual([rows[0].n, counted.rows], [9, [{ total: 909 }]]);
    assert.equal(getCode(await scene.actAs(0, pay(1, 'JPY'))), '200');
    assert.equal((await scene.actAs(0, pay(90, 'JPY'))).status, 200);
    assert.equal(getCode(await scene.actAs(0, pay(1, 'JPY'))), 'AUTHORITY_EXCEEDED');
  });
});
