import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { advanceTime } from '@svc/testing/time/advance-time.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let scene: Delegating;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  scene = await newDelegating(planes, 5);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

type Seen = { readonly type: string; readonly subject_id: string; readonly data: Record<string, unknown>; readonly environment_id: string };
const readEvents = async (subjects: readonly string[]): Promise<Seen[]> =>
  (await owner.query('select type, subject_id, data, environment_id from audit_events where subject_id = any($1) order by id', [subjects]))
    .rows;
const readStatuses = async (ids: readonly string[]): Promise<string[]> => {
  const { rows } = await owner.query('select id, status from delegations where id = any($1)', [ids]);
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
};
const getCode = (answer: TestResponse): string => answer.json?.error?.code ?? `${answer.status}`;
const advance = (seconds: number) => advanceTime(owner, scene.tenant.organization_id, seconds);
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const reduce = (id: string, body: object) => scene.owner('PATCH', `/v1/delegations/${id}`, body);
const revoke = (id: string) => scene.owner('POST', `/v1/delegations/${id}/revoke`, { reason: 'no longer needed' });

/** Creates a root delegation with two chains below it; returns the ids from the root down. */
const tree = async (body: object = {}): Promise<string[]> => {
  const root = await scene.root(0, body);
  const one = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 3 });
  const two = await scene.child(1, 2, one, { can_redelegate: true, max_depth: 2 });
  const other = await scene.child(0, 3, root);
  return [root, one, two, other];
};

describe('reduceDelegation: a reduction', () => {
  test('narrows in every dimension, increments the version, and returns before and after', async () => {
    const expires_at = inMs(7_200_000);
    const id = await scene.root(0, {
      scope: { capabilities: ['pay', 'read'] },
      ceiling: { max_amount: 100, currency: 'USD', max_calls: 9 },
      expires_at,
    });
    const sooner = inMs(3_600_000);
    const reduced = await reduce(id, {
      scope: { capabilities: ['pay'], tools: ['pay'], destinations: ['a.example'] },
      ceiling: { max_amount: 50, max_calls: 3 },
      expires_at: sooner,
      max_depth: 1,
      version: 1,
    });
    assert.equal(reduced.status, 200, reduced.text);
    const { scope, ceiling, version, max_depth } = reduced.json;
    assert.deepEqual(scope, { capabilities: ['pay'], tools: ['pay'], environments: null, destinations: ['a.example'] });
    assert.deepEqual(ceiling, { max_amount: 50, currency: 'USD', max_calls: 3, window_seconds: null });
    assert.deepEqual([reduced.json.expires_at, version, max_depth], [sooner, 2, 1]);
    const event = (await readEvents([id])).at(-1);
    assert.equal(event?.type, 'delegation.reduced');
    assert.deepEqual((event?.data.before as Record<string, unknown> | undefined)?.expires_at, expires_at);
    assert.deepEqual(Object.keys(event?.data.after as object).toSorted(), ['ceiling', 'expires_at', 'max_depth', 'scope']);
  });

  test('that would widen is refused in each dimension and recorded; the delegation stays unchanged', async () => {
    const id = await scene.root(0, {
      scope: { capabilities: ['pay'], tools: ['pay'], destinations: ['a.example'] },
      ceiling: { max_amount: 50, currency: 'USD', max_calls: 3 },
      expires_at: inMs(3_600_000),
      can_redelegate: false,
      max_depth: 0,
    });
    const wider: readonly (readonly [object, string])[] = [
      [{ scope: { capabilities: ['pay', 'read'] } }, 'scope.capabilities'],
      [{ scope: { tools: null } }, 'scope.tools'],
      [{ scope: { destinations: ['*.a.example'] } }, 'scope.destinations'],
      [{ ceiling: { max_amount: 51 } }, 'ceiling.max_amount'],
      [{ ceiling: { max_calls: null } }, 'ceiling.max_calls'],
      [{ ceiling: null }, 'ceiling.max_calls'],
      [{ expires_at: inMs(7_200_000) }, 'expires_at'],
      [{ can_redelegate: true }, 'can_redelegate'],
      [{ max_depth: 1 }, 'max_depth'],
    ];
    for (const [body, field] of wider) {
      const refused = await reduce(id, body);
      assert.equal(getCode(refused), 'DELEGATION_ESCALATION', refused.text);
      assert.ok(
        refused.json.error.details.fields.some((one: { field: string }) => one.field === field),
        refused.text,
      );
      assert.equal((await readEvents([id])).at(-1)?.type, 'delegation.escalation_blocked');
    }
    const { json } = await scene.owner('GET', `/v1/delegations?delegate_agent_id=${scene.agents[0]?.id}&limit=1`);
    assert.deepEqual([json[0].id, json[0].version], [id, 1]);
  });

  test('on an outdated version is refused', async () => {
    const id = await scene.root(0);
    assert.equal((await reduce(id, { max_depth: 2, version: 1 })).status, 200);
    const stale = await reduce(id, { max_depth: 1, version: 1 });
    assert.deepEqual([getCode(stale), stale.json.error.details.version], ['VERSION_CONFLICT', 2]);
  });

  test('to the current state changes and records nothing', async () => {
    const id = await scene.root(0);
    const same = await reduce(id, { max_depth: 5 });
    assert.deepEqual([same.status, same.json.version], [200, 1]);
    assert.equal((await readEvents([id])).length, 1);
  });

  test('of an ended delegation is refused', async () => {
    const id = await scene.root(0);
    await revoke(id);
    const refused = await reduce(id, { max_depth: 1 });
    assert.deepEqual([getCode(refused), refused.json.error.details.from], ['INVALID_STATE_TRANSITION', 'REVOKED']);
  });
});

describe('revokeDelegation: a revocation', () => {
  test('ends everything below, each with its own event and its cause', async () => {
    const ids = await tree();
    const [root = '', one = '', two = '', other = ''] = ids;
    const revoked = await revoke(root);
    assert.deepEqual([revoked.status, revoked.json.status, revoked.json.ended_reason], [200, 'REVOKED', 'no longer needed']);
    assert.deepEqual(await readStatuses(ids), ['REVOKED', 'REVOKED', 'REVOKED', 'REVOKED']);
    const events = (await readEvents(ids)).filter(({ type }) => type === 'delegation.revoked');
    assert.deepEqual(events.map(({ subject_id }) => subject_id).toSorted(), ids.toSorted());
    assert.deepEqual(
      events
        .filter(({ data }) => data.because === root)
        .map(({ subject_id }) => subject_id)
        .toSorted(),
      [one, two, other].toSorted(),
    );
    assert.ok(
      events.every(({ environment_id, data }) => environment_id === scene.tenant.environment_id && data.reason === 'no longer needed'),
    );
    assert.equal(getCode(await revoke(root)), 'INVALID_STATE_TRANSITION');
    assert.equal(getCode(await revoke(two)), 'INVALID_STATE_TRANSITION');
  });

  test('in the middle ends what depends on it and nothing next to or above it', async () => {
    const ids = await tree();
    await revoke(ids[1] ?? '');
    assert.deepEqual(await readStatuses(ids), ['ACTIVE', 'REVOKED', 'REVOKED', 'ACTIVE']);
  });

  test('of an agent ends what it received and what it delegated further, with all below, in one transaction', async () => {
    const own = await newDelegating(planes, 4);
    const root = await own.root(0);
    const given = await own.child(0, 1, root, { can_redelegate: true, max_depth: 3 });
    const onward = await own.child(1, 2, given, { can_redelegate: true, max_depth: 2 });
    const last = await own.child(2, 3, onward);
    const beside = await own.child(0, 3, root);
    const id = own.agents[1]?.id;
    const revoked = await own.owner('POST', `/v1/agents/${id}/revoke`, { reason: 'compromised' });
    assert.equal(revoked.status, 200, revoked.text);
    assert.deepEqual(await readStatuses([root, given, onward, last, beside]), ['ACTIVE', 'REVOKED', 'REVOKED', 'REVOKED', 'ACTIVE']);
    const events = (await readEvents([given, onward, last])).filter(({ type }) => type === 'delegation.revoked');
    assert.deepEqual(events.map(({ subject_id }) => subject_id).toSorted(), [given, onward, last].toSorted());
    assert.deepEqual(
      events.map(({ data }) => data.because),
      [id, id, onward],
    );
    assert.equal(getCode(await own.actAs(3, { delegation_id: last })), 'DELEGATION_INVALID');
  });
});

describe('an expiry', () => {
  test('takes effect by the clock, before any job runs, and is then recorded with everything below', async () => {
    const ids = await tree({ expires_at: inMs(60_000) });
    assert.equal((await scene.actAs(2, { delegation_id: ids[2] })).status, 200);
    await advance(61);
    const [root = '', one = '', two = ''] = ids;
    assert.equal(getCode(await scene.actAs(2, { delegation_id: two })), 'DELEGATION_EXPIRED');
    const refused = await scene.handOn(0, { delegate_agent_id: scene.agents[3]?.id, parent_id: root });
    assert.equal(getCode(refused), 'DELEGATION_EXPIRED');
    assert.equal((await scene.owner('GET', `/v1/delegations?parent_id=${root}`)).json[1].status, 'EXPIRED');
    await waitUntil('the job writes the expiry down', async () => !(await readStatuses(ids)).includes('ACTIVE'));
    assert.deepEqual(await readStatuses(ids), ['EXPIRED', 'EXPIRED', 'EXPIRED', 'EXPIRED']);
    const events = (await readEvents([root, one, two])).filter(({ type }) => type === 'delegation.expired');
    assert.equal(events.length, 3);
    assert.equal(getCode(await scene.actAs(2, { delegation_id: two })), 'DELEGATION_EXPIRED');
  });

  test('that was reduced above shortens longer ones below', async () => {
    const [root = '', one = ''] = await tree({ expires_at: inMs(3_600_000) });
    assert.equal((await reduce(root, { expires_at: inMs(60_000) })).status, 200);
    await advance(61);
    await waitUntil('the job writes the expiry down', async () => !(await readStatuses([one])).includes('ACTIVE'));
    assert.deepEqual(await readStatuses([root, one]), ['EXPIRED', 'EXPIRED']);
  });
});

test('the end date of an agent limits what it delegated: no one below acts beyond it, and removing it restores them', async () => {
  const parent = scene.agents[0]?.id;
  const root = await scene.root(0);
  const handed = await scene.child(0, 1, root);
  const act = () => scene.actAs(1, { delegation_id: handed });
  const end = (expires_at: string | null) => scene.owner('PATCH', `/v1/agents/${parent}`, { expires_at });
  assert.equal(getCode(await act()), '200');
  assert.equal((await end(inMs(60_000))).status, 200);
  assert.equal(getCode(await act()), '200');
  const { rows } = await owner.query('select epoch from agent_epochs where agent_id = $1', [scene.agents[1]?.id]);
  assert.equal((await end(inMs(50_000))).status, 200);
  const after = await owner.query('select epoch from agent_epochs where agent_id = $1', [scene.agents[1]?.id]);
  assert.notEqual(after.rows[0].epoch, rows[0].epoch, 'those below are decided on a state that holds it');
  await advance(61);
  assert.equal(getCode(await act()), 'DELEGATION_INVALID');
});
