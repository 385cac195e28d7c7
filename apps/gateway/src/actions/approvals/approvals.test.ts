import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const RULES = [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];

test('getOwnApproval returns the status to the requesting agent only', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const {
    approval_id,
    poll_after_seconds,
    decision: { action_id },
  } = (await governed.act({})).json.error.details;
  const read = (token: string) => call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${approval_id}`, { token });
  const pending = (await read(governed.token)).json;
  assert.deepEqual([pending.status, pending.action_id, pending.reason], ['PENDING', action_id, 'A person looks.']);
  assert.ok(poll_after_seconds > 0);
  const deny = await governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'Not today.' });
  assert.equal(deny.status, 200, deny.text);
  const denied = (await read(governed.token)).json;
  assert.deepEqual([denied.status, denied.denial_reason], ['DENIED', 'Not today.']);
  assert.equal((await governed.act({ approval_id })).json.error.code, 'APPROVAL_NOT_GRANTED');
  assert.equal((await read((await newGoverned(planes)).token)).json.error.code, 'NOT_FOUND');
});

test('a retry with the same key after a denial states that a person denied it, and which approval that was', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const ask = () => governed.act({}, { key: 'asked-again' });
  const { approval_id } = (await ask()).json.error.details;
  await governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'Not today.' });
  const { error } = (await ask()).json;
  assert.deepEqual([error.code, error.details.approval_id], ['APPROVAL_NOT_GRANTED', approval_id]);
  assert.match(error.message, /^A person denied the approval/);
});

test('a refused attempt with an approval is recorded separately and keeps the approval', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const held = (await governed.act({ parameters: { order: 1 } })).json.error.details;
  await governed.owner('POST', `/v1/approvals/${held.approval_id}/approve`, {});
  const other = await governed.act({ parameters: { order: 2 }, approval_id: held.approval_id });
  assert.equal(other.json.error.code, 'APPROVAL_NOT_GRANTED');
  assert.notEqual(other.json.error.details.decision.action_id, held.decision.action_id);
  const used = await governed.act({ parameters: { order: 1 }, approval_id: held.approval_id });
  assert.deepEqual([used.status, used.json.action_id, used.json.code], [200, held.decision.action_id, null]);
  const card = (await governed.owner('GET', `/v1/approvals/${held.approval_id}`)).json;
  assert.equal(card.status, 'CONSUMED');
});

test('a request that continues by an approval names it and its givers in record and event, and both requests find the action', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const held = await governed.act({ parameters: { order: 1 } });
  const { approval_id, decision } = held.json.error.details;
  await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, { comment: 'Fine.' });
  const used = await governed.act({ parameters: { order: 1 }, approval_id });
  assert.equal(used.status, 200, used.text);
  const ids = (answer: TestResponse) => ['request', 'trace'].map((which) => answer.headers.get(`x-${which}-id`));

  const action = (await governed.owner('GET', `/v1/actions/${decision.action_id}`)).json;
  assert.deepEqual([action.request_id, action.trace_id], ids(held));
  assert.deepEqual([action.approval.id, action.approval.request_id, action.approval.trace_id], [approval_id, ...ids(used)]);
  assert.ok(action.approval.used_at > action.created_at);
  const { user } = governed.tenant;
  const givers = action.approval.given_by.map((one: Record<string, string>) => [one.user_id, one.user_name, one.comment]);
  assert.deepEqual(givers, [[user.id, user.name, 'Fine.']]);
  const own = await call(planes.gatewayUrl, 'GET', `/gateway/v1/actions/${decision.action_id}`, { token: governed.token });
  assert.deepEqual([own.json.approval.request_id, own.json.approval.given_by], [ids(used)[0], undefined]);

  for (const answer of [held, used]) {
    const found = (await governed.owner('GET', `/v1/actions?request_id=${ids(answer)[0]}`)).json.data;
    assert.deepEqual(
      found.map(({ id }: { id: string }) => id),
      [decision.action_id],
    );
  }
  const [event] = (await governed.owner('GET', `/v1/audit-events?request_id=${ids(used)[0]}`)).json.data;
  assert.deepEqual([event.type, event.data.approval_id, event.data.approved_by], ['action.allowed', approval_id, [user.id]]);
});

test('a retry while an approval is pending opens no second one', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const { approval_id } = (await governed.act({})).json.error.details;
  const again = await governed.act({ approval_id });
  assert.deepEqual([again.json.error.code, again.json.error.details.approval_id], ['APPROVAL_REQUIRED', approval_id]);
  assert.equal((await governed.owner('GET', '/v1/approvals')).json.length, 1);
});

const { pendingPerAgentMax, pendingPerOrganizationMax } = LIMITS.approvals;

test('limits pending requests per agent and organization, and actions without approval continue', async (t) => {
  const isLarge = { when: { field: 'amount', op: 'gt', value: 100 } };
  const allow = { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' };
  const [governed, neighbour] = [
    await newGoverned(planes, {
      rules: [{ ...RULES[0], ...isLarge }, allow],
      tests: [{ name: 'allows', given: { amount: 1, currency: 'USD' }, then: { effect: 'ALLOW' } }],
    }),
    await newGoverned(planes, { rules: RULES }),
  ];
  const large = { amount: 500, currency: 'USD' };
  const ask = () => governed.act(large, { key: `k${Math.random()}` });
  const first = await governed.act(large, { key: 'first' });
  const { approval_id } = first.json.error.details;
  const database = await planes.database.client();
  t.after(() => database.end());
  /** Copies of the first, of which only the number matters. */
  const wait = (from: number, to: number, agent: string, minutes = 60) =>
    database.query(
      `with numbered as (select lpad(n::text, 26, '0') as id from generate_series($2::int, $3::int) n), held as (
         insert into actions select (jsonb_populate_record(a, jsonb_build_object('id', 'act_' || n.id, 'idempotency_key', null))).*
           from approvals p join actions a on a.id = p.action_id, numbered n where p.id = $1)
       insert into approvals select (jsonb_populate_record(p, jsonb_build_object('id', 'apr_' || n.id, 'action_id', 'act_' || n.id,
         'agent_id', $4::text, 'status', 'PENDING', 'decided_at', null, 'expires_at', now() + $5 * interval '1 minute'))).* from approvals p, numbered n where p.id = $1`,
      [approval_id, from, to, agent, minutes],
    );
  const codes = async () => [(await ask()).json.error.code, (await governed.act({ amount: 1, currency: 'USD' })).status];
  await wait(1, pendingPerAgentMax - 2, governed.agent.id);
  await wait(90_001, 90_009, governed.agent.id, -1);
  assert.deepEqual(await codes(), ['APPROVAL_REQUIRED', 200], 'what ran out waits no more');
  const full = await ask();
  assert.deepEqual([full.status, full.json.error.code, full.headers.get('retry-after')], [429, 'RATE_LIMITED', '60']);
  assert.match(full.json.error.message, /maximum number of pending approvals/);
  assert.deepEqual(await codes(), ['RATE_LIMITED', 200]);
  assert.equal((await governed.act({ ...large, approval_id })).json.error.code, 'APPROVAL_REQUIRED', 'and what waits already is told so');
  assert.equal((await governed.act(large, { key: 'first' })).json.error.details.approval_id, approval_id);
  const evaluated = await governed.owner('POST', '/v1/actions/evaluate', { agent_id: governed.agent.id, tool: governed.tool.id, ...large });
  assert.equal(evaluated.json.error.code, 'RATE_LIMITED', evaluated.text);
  await governed.owner('POST', `/v1/approvals/${approval_id}/cancel`, { reason: 'Room.' });
  assert.deepEqual(await codes(), ['APPROVAL_REQUIRED', 200]);

  await database.query('update approvals set agent_id = $2 where organization_id = $1', [governed.tenant.organization_id, 'agt_elsewhere']);
  await wait(100_000, 100_000 + pendingPerOrganizationMax, 'agt_elsewhere');
  const whole = await ask();
  assert.match(whole.json.error.message, /The organization has the maximum number of pending approvals/, whole.text);
  assert.equal((await neighbour.act({})).json.error.code, 'APPROVAL_REQUIRED');
});

test('one of several concurrent uses of approvals with one idempotency key succeeds, across both gateways', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const orders = [1, 2, 3, 4];
  for (let round = 0; round < 5; round += 1) {
    const parameters = orders.map((order) => ({ round, order }));
    const held = await Promise.all(parameters.map((each) => governed.act({ parameters: each })));
    const ids: string[] = held.map(({ json }) => json.error.details.approval_id);
    await Promise.all(ids.map((id) => governed.owner('POST', `/v1/approvals/${id}/approve`, {})));
    const use = (approval_id: string, n: number) =>
      governed.act({ parameters: parameters[n], approval_id }, { key: `one-key-${round}`, gateway: n % 2 });
    const codes = (await Promise.all(ids.map(use))).map(({ status, json }) => json.error?.code ?? status);
    assert.deepEqual(codes.toSorted(), [200, ...orders.slice(1).map(() => 'IDEMPOTENCY_KEY_REUSED')]);
    const cards = await Promise.all(ids.map((id) => governed.owner('GET', `/v1/approvals/${id}`)));
    assert.equal(cards.filter(({ json }) => json.status === 'APPROVED').length, orders.length - 1, 'the others stay whole');
  }
});
