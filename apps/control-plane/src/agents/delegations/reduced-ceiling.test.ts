import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const getCode = ({ json, status }: TestResponse): string => json?.error?.code ?? (status === 200 ? 'allowed' : `${status}`);
const reduce = async (scene: Delegating, id: string, ceiling: object): Promise<TestResponse> => {
  const answer = await scene.owner('PATCH', `/v1/delegations/${id}`, { ceiling });
  assert.equal(answer.status, 200, answer.text);
  return answer;
};
/** Sends requests in order, alternating between two gateways; returns their results. */
const uses = async (scene: Delegating, agent: number, delegation_id: string, count: number, body: object = {}): Promise<string[]> => {
  const codes: string[] = [];
  for (let n = 0; n < count; n += 1) codes.push(getCode(await scene.actAs(agent, { delegation_id, ...body }, n % 2)));
  return codes;
};
const all = (count: number, code: string): string[] => Array.from({ length: count }, () => code);

test('a new call limit counts earlier calls by the delegate and everyone below, and none of another delegation', async () => {
  const scene = await newDelegating(planes, 2);
  const [root, beside] = [await scene.root(0), await scene.root(0)];
  const child = await scene.child(0, 1, root);
  assert.deepEqual(await uses(scene, 0, beside, 3), all(3, 'allowed'));
  assert.deepEqual(await uses(scene, 0, root, 2), all(2, 'allowed'));
  assert.deepEqual(await uses(scene, 1, child, 3), all(3, 'allowed'));
  await reduce(scene, root, { max_calls: 7 });
  assert.deepEqual(await uses(scene, 1, child, 3), ['allowed', 'allowed', 'AUTHORITY_EXCEEDED']);
  assert.deepEqual(await uses(scene, 0, root, 1), ['AUTHORITY_EXCEEDED']);
  await reduce(scene, beside, { max_calls: 2 });
  assert.deepEqual(await uses(scene, 0, beside, 1), ['AUTHORITY_EXCEEDED']);
  const { data } = (await scene.owner('GET', '/v1/audit-events?type=delegation.reduced')).json;
  assert.deepEqual(
    data.map((event: { data: { used_before: unknown } }) => event.data.used_before),
    [
      { calls: 3, amount: null },
      { calls: 5, amount: null },
    ],
  );
});

test('a new amount limit counts amounts of the past window, in its currency, and frees them as they leave it', async () => {
  const scene = await newDelegating(planes, 1, { tool: { amount_from: '/amount', currency_from: '/currency' } });
  const rate = { base_currency: 'EUR', quote_currency: 'USD', rate: '2' };
  assert.equal((await scene.owner('POST', '/v1/fx-rates', rate)).status, 201);
  const root = await scene.root(0);
  const pay = (amount: number, currency: string) => ({ parameters: { amount, currency } });
  assert.deepEqual(await uses(scene, 0, root, 2, pay(100, 'EUR')), all(2, 'allowed'));
  await reduce(scene, root, { max_amount: 500, currency: 'USD', window_seconds: 3_600 });
  assert.deepEqual(await uses(scene, 0, root, 1, pay(101, 'USD')), ['AUTHORITY_EXCEEDED']);
  assert.deepEqual(await uses(scene, 0, root, 2, pay(50, 'USD')), all(2, 'allowed'));
  const full = await scene.actAs(0, { delegation_id: root, ...pay(1, 'USD') });
  const { frees_at } = full.json.error.details;
  assert.ok(Math.abs(Date.parse(frees_at) - Date.now() - 3_600_000) < 120_000, frees_at);
});

test('refused calls use nothing, and an existing limit continues from its count', async () => {
  const scene = await newDelegating(planes, 1);
  const root = await scene.root(0, { ceiling: { max_calls: 4 } });
  assert.deepEqual(await uses(scene, 0, root, 2), all(2, 'allowed'));
  await reduce(scene, root, { max_calls: 3 });
  assert.deepEqual(await uses(scene, 0, root, 2), ['allowed', 'AUTHORITY_EXCEEDED']);
  const blocked = await newDelegating(planes, 1, { rules: [{ id: 'no', effect: 'BLOCK', reason: 'Never.' }] });
  const given = await blocked.root(0);
  assert.deepEqual(await uses(blocked, 0, given, 2), all(2, 'ACTION_BLOCKED'));
  await reduce(blocked, given, { max_calls: 1 });
  const { data } = (await blocked.owner('GET', '/v1/audit-events?type=delegation.reduced')).json;
  assert.deepEqual(data[0].data.used_before, { calls: 0, amount: null });
});

test('a window that exceeds the kept uses also counts those of the record, once each', async () => {
  const DAY = 86_400;
  const scene = await newDelegating(planes, 1, { tool: { amount_from: '/amount', currency_from: '/currency' } });
  const root = await scene.root(0, { ceiling: { max_calls: 5, max_amount: 500, currency: 'USD', window_seconds: 31 * DAY } });
  const pay = (amount: number) => ({ parameters: { amount, currency: 'USD' } });
  assert.deepEqual(await uses(scene, 0, root, 2, pay(100)), all(2, 'allowed'));
  // Sets the state 40 days later, when the rows of those uses are gone.
  const database = await planes.database.client();
  const of = [scene.tenant.organization_id];
  await database.query("update actions set created_at = created_at - interval '40 days' where organization_id = $1", of);
  await database.query('delete from counter_uses where organization_id = $1', of);
  await database.query("update counters set last_used_at = last_used_at - interval '40 days' where organization_id = $1", of);
  assert.deepEqual(await uses(scene, 0, root, 1, pay(100)), ['allowed']);
  await reduce(scene, root, { window_seconds: 60 * DAY });
  assert.deepEqual(await uses(scene, 0, root, 1, pay(201)), ['AUTHORITY_EXCEEDED'], '300 were used');
  assert.deepEqual(await uses(scene, 0, root, 3, pay(1)), ['allowed', 'allowed', 'AUTHORITY_EXCEEDED']);
  const full = await scene.actAs(0, { delegation_id: root, ...pay(1) });
  const { frees_at } = full.json.error.details;
  assert.ok(Math.abs(Date.parse(frees_at) - Date.now() - 20 * DAY * 1000) < 120_000, frees_at);
  const { rows } = await database.query('select counter, total::int from counters where organization_id = $1 order by total', of);
  const kept = await database.query(
    "select total::int, used_at < now() - interval '1 day' as is_old from counter_uses where organization_id = $1 and counter like '%#calls' order by total",
    of,
  );
  await database.end();
  assert.deepEqual(
    kept.rows.map(({ total, is_old }) => [total, is_old]),
    [
      [1, true],
      [2, true],
      [3, false],
      [4, false],
      [5, false],
    ],
  );
  assert.deepEqual(
    rows.map(({ total }) => total),
    [5, 302],
  );
});
