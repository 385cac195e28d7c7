import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const getCode = (answer: TestResponse): string => answer.json?.error?.code ?? `${answer.status}`;
const times = <Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
const reduce = (scene: Delegating, id: string, body: object) => scene.owner('PATCH', `/v1/delegations/${id}`, body);
const revoke = (scene: Delegating, id: string) => scene.owner('POST', `/v1/delegations/${id}/revoke`, { reason: 'race' });
const readDelegation = async (id: string) => (await owner.query('select * from delegations where id = $1', [id])).rows[0];

const NAMES = ['pay', 'read', 'write'];

describe('two concurrent reductions of one delegation', () => {
  const race = async (named: { version?: number }): Promise<string[]> => {
    const scene = await newDelegating(planes, 1);
    const codes: string[] = [];
    for (let round = 0; round < countRepetitions({ short: 8, long: 25 }); round += 1) {
      const id = await scene.root(0, { scope: { capabilities: NAMES }, ceiling: { max_amount: 100, currency: 'USD' } });
      const answers = await Promise.all([
        reduce(scene, id, { ...named, scope: { capabilities: ['pay', 'read'] }, ceiling: { max_amount: 80 } }),
        reduce(scene, id, { ...named, scope: { capabilities: ['pay', 'write'] }, ceiling: { max_amount: 50 } }),
      ]);
      codes.push(...answers.map(getCode));
      const { capabilities, max_amount, version } = await readDelegation(id);
      assert.equal(version, 1 + answers.filter(({ status }) => status === 200).length);
      assert.ok(answers.some(({ status }) => status === 200));
      for (const { json } of answers.filter(({ status }) => status === 200)) {
        assert.ok(capabilities.every((name: string) => json.scope.capabilities.includes(name)));
        assert.ok(Number(max_amount) <= json.ceiling.max_amount);
      }
    }
    return [...new Set(codes)].toSorted();
  };

  test('on one version: one is made, the other is refused because the version changed', async () => {
    assert.deepEqual(await race({ version: 1 }), ['200', 'VERSION_CONFLICT']);
  });

  test('on no version: one is made, the other reports it, or exceeds what is left', async () => {
    const told = ['200', 'DELEGATION_ESCALATION', 'VERSION_CONFLICT'];
    assert.ok((await race({})).every((code) => told.includes(code)));
  });

  test('of different members are both made', async () => {
    const scene = await newDelegating(planes, 1);
    for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
      const id = await scene.root(0, { scope: { capabilities: NAMES } });
      const answers = await Promise.all([reduce(scene, id, { scope: { capabilities: ['pay'] } }), reduce(scene, id, { max_depth: 1 })]);
      assert.deepEqual(answers.map(getCode), ['200', '200']);
      const { capabilities, max_depth, version } = await readDelegation(id);
      assert.deepEqual([capabilities, max_depth, version], [['pay'], 1, 3]);
    }
  });

  test('32 of them end in a state that each successful one allows', async () => {
    const scene = await newDelegating(planes, 1);
    const id = await scene.root(0, { ceiling: { max_calls: 1_000 } });
    const answers = await times(32, (n) => reduce(scene, id, { ceiling: { max_calls: 900 - 7 * ((n * 13) % 32) } }));
    const done = answers.filter(({ status }) => status === 200).map(({ json }) => json.ceiling.max_calls);
    const { max_calls, version } = await readDelegation(id);
    assert.equal(Number(max_calls), Math.min(...done));
    assert.equal(version, 1 + done.length);
  });
});

describe('a child created concurrently with its parent’s change', () => {
  test('never has more than its reduced parent', async () => {
    const scene = await newDelegating(planes, 2);
    let [made, refused] = [0, 0];
    for (let round = 0; round < 6; round += 1) {
      const root = await scene.root(0, { scope: { capabilities: NAMES } });
      const body = { delegate_agent_id: scene.agents[1]?.id, parent_id: root, scope: { capabilities: ['read'] } };
      const children = times(15, () => scene.handOn(0, body));
      const reduced = await reduce(scene, root, { scope: { capabilities: ['pay'] } });
      assert.equal(reduced.status, 200, reduced.text);
      const late = await scene.handOn(0, body);
      assert.equal(getCode(late), 'DELEGATION_ESCALATION');
      const { delegations } = (await scene.owner('GET', `/v1/agents/${scene.agents[1]?.id}/authority`)).json;
      for (const answer of await children) {
        if (answer.status !== 201) assert.equal(getCode(answer), 'DELEGATION_ESCALATION', answer.text);
        else {
          made += 1;
          const derived = delegations.find((one: { delegation_id: string }) => one.delegation_id === answer.json.id);
          assert.deepEqual(derived?.bounds.capabilities ?? [], []);
        }
        refused += answer.status === 201 ? 0 : 1;
      }
      await revoke(scene, root);
    }
    assert.ok(made + refused === 90);
  });

  test('is not created below a revoked parent, or ends with it', async () => {
    const scene = await newDelegating(planes, 3);
    for (let round = 0; round < 6; round += 1) {
      const root = await scene.root(0);
      const middle = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 3 });
      const children = times(24, () => scene.handOn(1, { delegate_agent_id: scene.agents[2]?.id, parent_id: middle }));
      assert.equal((await revoke(scene, root)).status, 200);
      for (const answer of await children) if (answer.status !== 201) assert.equal(getCode(answer), 'DELEGATION_INVALID', answer.text);
      const { rows } = await owner.query("select count(*)::int as left from delegations where path like $1 and status = 'ACTIVE'", [
        `${root}%`,
      ]);
      assert.equal(rows[0].left, 0);
    }
  });
});

test('no delegation from or to an agent outlives it, if it is created concurrently with the revocation of the agent', async () => {
  const scene = await newDelegating(planes, 4);
  const root = await scene.root(0);
  const given = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 3 });
  const [to, gone] = [scene.agents[2]?.id, scene.agents[1]?.id];
  const onward = times(10, () => scene.delegate({ delegate_agent_id: to, parent_id: given }));
  const inward = times(10, () => scene.delegate({ delegate_agent_id: gone }));
  const revoked = await scene.owner('POST', `/v1/agents/${gone}/revoke`, { reason: 'race' });
  assert.equal(revoked.status, 200, revoked.text);
  for (const answer of [...(await onward), ...(await inward)])
    assert.ok(['201', 'DELEGATION_INVALID'].includes(getCode(answer)), answer.text);
  const { rows } = await owner.query(
    "select count(*)::int as left from delegations where (delegate_agent_id = $1 or delegator_agent_id = $1) and status = 'ACTIVE'",
    [gone],
  );
  assert.equal(rows[0].left, 0);
});

test('no two of many changes of crossing chains deadlock', async () => {
  const scene = await newDelegating(planes, 4);
  const chains = await times(4, async (n) => {
    const at = (k: number) => (n + k) % 4;
    const root = await scene.root(at(0));
    const one = await scene.child(at(0), at(1), root, { can_redelegate: true, max_depth: 3 });
    const two = await scene.child(at(1), at(2), one, { can_redelegate: true, max_depth: 2 });
    return [root, one, two, await scene.child(at(2), at(3), two)];
  });
  const answers = await times(64, async (n) => {
    const chain = chains[n % 4] ?? [];
    const agent = scene.agents[(n >> 2) % 4]?.id;
    if (n % 5 === 0) return await scene.owner('POST', `/v1/agents/${agent}/${n % 2 ? 'pause' : 'resume'}`, {});
    if (n % 5 === 1) return await scene.owner('POST', `/v1/agents/${agent}/capabilities`, { capability: `more.${n}` });
    if (n % 7 === 2) return await revoke(scene, chain[n % 3] ?? '');
    return await reduce(scene, chain[n % 4] ?? '', { ceiling: { max_calls: 1_000 - n } });
  });
  const broken = answers.filter(({ status }) => status >= 500);
  assert.equal(broken.length, 0, broken[0]?.text);
});

test('ten delegations below one together never use more calls than it has, concurrently and over two gateways', async () => {
  const scene = await newDelegating(planes, 11);
  const root = await scene.root(0, { ceiling: { max_calls: 10 } });
  const children = await times(10, (n) => scene.child(0, n + 1, root, { ceiling: { max_calls: 5 } }));
  const answers = await times(32, (n) => scene.actAs((n % 10) + 1, { delegation_id: children[n % 10] }, n % 2));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  for (const answer of answers.filter(({ status }) => status !== 200)) assert.equal(getCode(answer), 'AUTHORITY_EXCEEDED', answer.text);
});
