import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

type Seen = { readonly startedAt: number; readonly endedAt: number; readonly answer: TestResponse };

const CONNECTIONS = 12;
const REQUESTS_MIN = 40;
const PATIENCE_MS = 30_000;

const until = async (isEnough: () => boolean): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isEnough() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Acts without pause under the last link of a chain, on both gateways, while a link above changes. */
const assertObeyed = async (scene: Delegating, last: string, change: () => Promise<TestResponse>, code: string): Promise<void> => {
  const seen: Seen[] = [];
  let running = true;
  const worker = async (n: number): Promise<void> => {
    while (running) {
      const startedAt = performance.now();
      const answer = await scene.actAs(3, { delegation_id: last, parameters: { n } }, n % 2);
      seen.push({ startedAt, endedAt: performance.now(), answer });
    }
  };
  const workers = Array.from({ length: CONNECTIONS }, (_, n) => worker(n));
  await until(() => seen.length >= REQUESTS_MIN);
  const beganAt = performance.now();
  const changed = await change();
  const answeredAt = performance.now();
  assert.equal(changed.status, 200, changed.text);
  await until(() => seen.filter((one) => one.startedAt > answeredAt).length >= REQUESTS_MIN);
  running = false;
  await Promise.all(workers);
  const earlier = seen.filter((one) => one.endedAt < beganAt);
  const later = seen.filter((one) => one.startedAt > answeredAt);
  assert.ok(earlier.length >= REQUESTS_MIN && later.length >= REQUESTS_MIN, `${earlier.length} before, ${later.length} after`);
  assert.ok(
    earlier.every(({ answer }) => answer.status === 200),
    earlier.find(({ answer }) => answer.status !== 200)?.answer.text,
  );
  const wrong = later.filter(({ answer }) => answer.json?.error?.code !== code);
  assert.equal(wrong.length, 0, `${wrong.length} of ${later.length} after the answer: ${wrong[0]?.answer.text.slice(0, 300)}`);
};

const readChain = async (scene: Delegating): Promise<readonly [string, string, string]> => {
  const root = await scene.root(0);
  const middle = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 3 });
  const near = await scene.child(1, 2, middle, { can_redelegate: true, max_depth: 2 });
  return [root, middle, await scene.child(2, 3, near)];
};

describe('no request under a chain that begins after the response is allowed, on any gateway, with notifications cut, after', () => {
  test('its root was revoked', async () => {
    const scene = await newDelegating(planes, 4);
    const [root, , last] = await readChain(scene);
    await assertObeyed(scene, last, () => scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' }), 'DELEGATION_INVALID');
  });

  test('a link in it was reduced', async () => {
    const scene = await newDelegating(planes, 4);
    const [, middle, last] = await readChain(scene);
    const reduce = () => scene.owner('PATCH', `/v1/delegations/${middle}`, { scope: { capabilities: ['read'] } });
    await assertObeyed(scene, last, reduce, 'AUTHORITY_EXCEEDED');
  });

  test('an agent in it was paused, lost a capability, or was revoked', async () => {
    const scene = await newDelegating(planes, 4);
    const [, , last] = await readChain(scene);
    const path = `/v1/agents/${scene.agents[1]?.id}`;
    await assertObeyed(scene, last, () => scene.owner('POST', `${path}/pause`, {}), 'DELEGATION_INVALID');
    assert.equal((await scene.owner('POST', `${path}/resume`, {})).status, 200);
    await assertObeyed(scene, last, () => scene.owner('DELETE', `${path}/capabilities/pay`), 'AUTHORITY_EXCEEDED');
    assert.equal((await scene.owner('POST', `${path}/capabilities`, { capability: 'pay' })).status, 201);
    await assertObeyed(scene, last, () => scene.owner('POST', `${path}/revoke`, { reason: 'test' }), 'DELEGATION_INVALID');
  });

  test('the agent that delegated its own grants got a delegation of a person instead', async () => {
    const scene = await newDelegating(planes, 4);
    const { json } = await scene.handOn(0, { delegate_agent_id: scene.agents[3]?.id, scope: { capabilities: ['pay'] } });
    const narrow = async () => {
      const made = await scene.delegate({ delegate_agent_id: scene.agents[0]?.id, scope: { capabilities: ['read'] } });
      return { ...made, status: made.status === 201 ? 200 : made.status };
    };
    await assertObeyed(scene, json.id, narrow, 'DELEGATION_INVALID');
  });
});

test('revoking a delegation with very many below is answered and effective at once, and all of them state it soon after', async () => {
  const scene = await newDelegating(planes, 4);
  const root = await scene.root(0, { max_depth: 3 });
  const last = await scene.child(0, 3, root);
  const owner = await planes.database.client();
  await owner.query(
    `insert into delegations (organization_id, id, parent_id, delegator_agent_id, delegate_agent_id, path, depth, workspace_ids, environment_ids,
       created_by_type, created_by_id, created_at, updated_at)
     select organization_id, 'del_' || lpad(n::text, 26, '0'), $1, $2, $3, '', 0, '{}', '{}', 'AGENT', $2, now(), now()
       from delegations, generate_series(1, 2500) n where id = $1`,
    [root, scene.agents[0]?.id, scene.agents[2]?.id],
  );
  const revoked = await scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' });
  assert.equal(revoked.status, 200, revoked.text);
  assert.equal((await scene.actAs(3, { delegation_id: last })).json?.error?.code, 'DELEGATION_INVALID');
  const { rows } = await owner.query(
    `select count(*) filter (where status = 'ACTIVE')::int as active, count(*)::int as all, count(*) filter (where ends_below)::int as open,
            (select count(*)::int from audit_events e join delegations d on d.id = e.subject_id and d.path like $1
              where e.type = 'delegation.revoked') as told
       from delegations where path like $1`,
    [`${root}%`],
  );
  assert.deepEqual(rows, [{ active: 0, all: 2_502, open: 0, told: 2_502 }]);
  await owner.end();
});
