import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const when = (field: string, op: string, value?: unknown) => ({ field, op, ...(value === undefined ? {} : { value }) });
const rule = (id: string, effect: string, condition: object) => ({ id, effect, reason: `${id}.`, when: condition });
const noTest = [{ name: 'nothing is known', given: {}, then: { effect: 'BLOCK', rule: null } }];

type Explained = { explanation: { matched_rules: { conditions: { field: string; actual?: unknown; outcome: string }[] }[] } };

/** Returns the value of each field as the rules saw it, for any decision. */
const seenIn = (json: Explained & { error?: { details: { decision: Explained } } }): Record<string, unknown> => {
  const { explanation } = json.error?.details.decision ?? json;
  return Object.fromEntries(explanation.matched_rules.flatMap(({ conditions }) => conditions.map(({ field, actual }) => [field, actual])));
};

const setTimeZone = async ({ tenant }: Governed, zone: string): Promise<void> => {
  const database = await planes.database.client();
  await database.query('update organizations set time_zone = $1 where id = $2', [zone, tenant.organization_id]);
  await database.end();
};

const getClock = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at);

test('rules about time use the time zone of the organization, and a change of it at once', async () => {
  const fields = ['time.hour', 'time.clock', 'time.weekday', 'time.date'].map((field) => when(field, 'exists'));
  const governed = await newGoverned(planes, { rules: [rule('any-time', 'ALLOW', { all: fields })], tests: noTest });
  for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
    await setTimeZone(governed, zone);
    const before = new Date();
    const { status, json } = await governed.act({});
    assert.equal(status, 200);
    const seen = seenIn(json as never);
    const told = `${seen['time.date']} ${seen['time.clock']}`;
    assert.ok([getClock(zone, before), getClock(zone, new Date())].includes(told), `${zone}: ${told}`);
    assert.equal(seen['time.hour'], Number(String(seen['time.clock']).slice(0, 2)));
  }
});

test('both planes give rules the origin of a request', async () => {
  const local = rule('local', 'ALLOW', when('request.source_ip', 'cidr', ['127.0.0.0/8', '::1/128']));
  const governed = await newGoverned(planes, { rules: [local], tests: noTest });
  const acted = await governed.act({});
  assert.equal(acted.status, 200);
  assert.match(String(seenIn(acted.json as never)['request.source_ip']), /^(127\.0\.0\.1|::1)$/);
  const evaluated = await governed.owner('POST', '/v1/actions/evaluate', { agent_id: governed.agent.id, tool: 'pay', dry_run: true });
  assert.equal(evaluated.json.decision, 'ALLOW');
  const simulated = await governed.owner('POST', '/v1/policies/simulate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.equal(simulated.json.decision, 'BLOCK');
  assert.deepEqual(simulated.json.explanation.unknown_fields, ['request.source_ip']);
});

test('a rule can allow an approved action, once', async () => {
  const governed = await newGoverned(planes, {
    rules: [
      rule('approved', 'ALLOW', when('approval.present', 'is_true')),
      rule('ask', 'REQUIRE_APPROVAL', when('approval.present', 'is_false')),
    ],
    tests: noTest,
  });
  const held = await governed.act({ parameters: { order: '1' } });
  assert.equal(held.json.error.code, 'APPROVAL_REQUIRED');
  const { approval_id } = held.json.error.details;
  const early = await governed.act({ parameters: { order: '1' }, approval_id });
  assert.equal(seenIn(early.json as never)['approval.present'], false);
  const approved = await call(planes.controlUrl, 'POST', `/v1/approvals/${approval_id}/approve`, {
    token: governed.tenant.token,
    body: {},
  });
  assert.equal(approved.status, 200);
  const other = await governed.act({ parameters: { order: '2' }, approval_id });
  assert.equal(other.json.error.code, 'APPROVAL_NOT_GRANTED');
  const used = await governed.act({ parameters: { order: '1' }, approval_id });
  assert.equal(used.status, 200);
  assert.equal(used.json.explanation.matched_rule.id, 'approved');
  const again = await governed.act({ parameters: { order: '1' }, approval_id });
  assert.equal(again.json.error.code, 'APPROVAL_NOT_GRANTED');
});

/** Puts a new version of a policy in force. */
const activateAnew = async ({ owner }: Governed, policyId: string, rules: readonly object[]): Promise<void> => {
  assert.equal((await owner('PATCH', `/v1/policies/${policyId}`, { rules })).status, 200);
  const { json } = await owner('GET', `/v1/policies/${policyId}/versions`);
  const [newest] = json.toSorted(
    (one: { version_number: number }, other: { version_number: number }) => other.version_number - one.version_number,
  );
  const body = { version_id: newest.version_id, reason: 'stricter', accept_warnings: true };
  assert.equal((await owner('POST', `/v1/policies/${policyId}/activate`, body)).status, 200);
};

test('an approval is valid only for its request and the current terms of the rules, including required presence', async () => {
  const asking = (approval: object) => [
    { ...rule('ask', 'REQUIRE_APPROVAL', when('approval.present', 'is_false')), approval: { approver_role: 'admin', ...approval } },
    rule('approved', 'ALLOW', when('approval.present', 'is_true')),
  ];
  const governed = await newGoverned(planes, { rules: asking({ quorum: 1 }), tests: noTest });
  const { owner, act, tenant, policyId } = governed;
  const database = await planes.database.client();
  const people = [];
  for (let count = 0; count < 2; count += 1)
    people.push(await insertPerson(database, tenant.organization_id, 'admin', { steppedUp: true }));
  await database.end();
  const approvedBy = async (order: string, approvers: readonly { readonly token: string }[]): Promise<string> => {
    const { approval_id } = (await act({ parameters: { order } })).json.error.details;
    for (const { token } of approvers)
      assert.equal((await call(planes.controlUrl, 'POST', `/v1/approvals/${approval_id}/approve`, { token, body: {} })).status, 200);
    return approval_id;
  };
  const weak = [await approvedBy('1', people.slice(0, 1)), await approvedBy('2', people.slice(0, 1))];
  await activateAnew(governed, policyId, asking({ quorum: 2, step_up: true }));
  const refused = await act({ parameters: { order: '1' }, approval_id: weak[0] });
  assert.equal(refused.json.error?.code, 'APPROVAL_NOT_GRANTED', refused.text.slice(0, 300));
  assert.match(refused.json.error.message, /require more/);
  const strong = await approvedBy('3', people);
  assert.equal((await act({ parameters: { order: '3' }, approval_id: strong })).status, 200);
  await activateAnew(governed, policyId, asking({ quorum: 1 }));
  assert.equal((await act({ parameters: { order: '2' }, approval_id: weak[1] })).status, 200);
  assert.equal((await owner('GET', `/v1/approvals/${weak[0]}`)).json.status, 'APPROVED');
});
