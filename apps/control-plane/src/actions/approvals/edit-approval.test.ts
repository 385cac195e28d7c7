import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

const SCHEMA = {
  type: 'object',
  properties: {
    amount: { type: 'integer', minimum: 0 },
    to: { type: 'array', items: { type: 'string' }, minItems: 1 },
    note: { type: 'string' },
  },
  required: ['amount', 'to'],
  additionalProperties: false,
};
const ASKED = { amount: 500, to: ['a@example.com', 'b@example.com'], note: 'Refund.' };
const NARROW = { amount: 300, to: ['b@example.com'], note: 'Refund.' };
const onAmount = (op: string, value: number) => ({ field: 'amount', op, value });
const RULES = [
  { id: 'odd', effect: 'BLOCK', when: onAmount('eq', 13), reason: 'Never thirteen.' },
  { id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', approval: { quorum: 1 } },
];

let planes: Planes;
let database: pg.Client;
let governed: Governed;
let [ann, ben, cem] = [] as unknown as InsertedPerson[] as [InsertedPerson, InsertedPerson, InsertedPerson];
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
  const tests = [{ name: 'held', given: {}, then: { effect: 'REQUIRE_APPROVAL' } }];
  const tool = { parameters_schema: SCHEMA, amount_from: '/amount', narrowable: ['/to'] };
  governed = await newGoverned(planes, { rules: RULES, tests, tool });
  [ann, ben, cem] = [await person(), await person(), await person()];
});
after(async () => {
  await database.end();
  await planes.stop();
});

const person = () => insertPerson(database, governed.tenant.organization_id, 'approver');
const ask = async (): Promise<{ id: string; action: string }> => {
  const held = await governed.act({ parameters: ASKED });
  const { approval_id, decision } = held.json.error.details;
  return { id: approval_id, action: decision.action_id };
};
const step = (who: { token: string }, id: string, name: string, body: object = {}): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${id}/${name}`, { token: who.token, body });
const own = (id: string, query = ''): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}${query}`, { token: governed.token });
const getCode = ({ status, json }: TestResponse): string | number => json.error?.code ?? status;
const needTwo = (id: string) => database.query('update approvals set quorum = 2, role_quorums = array[2] where id = $1', [id]);
const stored = async (id: string) =>
  (await database.query('select status, wording from approvals where id = $1', [id])).rows[0] as { status: string; wording: number };

test('editApproval: an approver edits and approves a request: the agent may send exactly that, once, and both versions are recorded', async () => {
  const { id, action } = await ask();
  const edited = await step(ann, id, 'edit', { parameters: NARROW, comment: 'One is enough.' });
  assert.deepEqual([edited.json.status, edited.json.wording], ['APPROVED', 2], edited.text);
  const told = (await own(id)).json;
  assert.deepEqual(told.approved_request, { parameters: NARROW, amount: 300 });
  assert.equal(getCode(await governed.act({ approval_id: id, parameters: ASKED })), 'APPROVAL_NOT_GRANTED');
  assert.equal(getCode(await governed.act({ approval_id: id, parameters: { ...NARROW, amount: 299 } })), 'APPROVAL_NOT_GRANTED');
  const used = await governed.act({ approval_id: id, parameters: told.approved_request.parameters });
  assert.deepEqual([used.status, used.json.action_id], [200, action], used.text);
  assert.equal(getCode(await governed.act({ approval_id: id, parameters: NARROW })), 'APPROVAL_NOT_GRANTED');

  const record = (await governed.owner('GET', `/v1/actions/${action}`)).json;
  assert.deepEqual([record.parameters, record.amount], [NARROW, 300]);
  const card = (await governed.owner('GET', `/v1/approvals/${id}`)).json;
  assert.deepEqual(
    card.wordings.map((each: Record<string, unknown>) => [each.wording, each.parameters, each.amount, each.edited_by]),
    [
      [1, ASKED, 500, null],
      [2, NARROW, 300, ann.id],
    ],
  );
  const { rows } = await database.query(
    "select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
    [id],
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['approval.requested', 'approval.edited', 'approval.vote_cast', 'approval.approved'],
  );
  assert.deepEqual([rows[1].data.before.parameters, rows[1].data.after.parameters], [ASKED, NARROW]);
});

test('an edited request that waits for others is listed with its new parameters and amount', async () => {
  const { id } = await ask();
  await needTwo(id);
  const edited = await step(ann, id, 'edit', { parameters: NARROW });
  const listed = (await governed.owner('GET', '/v1/approvals?status=PENDING')).json.find((each: { id: string }) => each.id === id);
  const card = (await governed.owner('GET', `/v1/approvals/${id}`)).json;
  for (const told of [edited.json, listed, card])
    assert.deepEqual([told.status, told.amount, JSON.parse(told.parameters_excerpt)], ['PENDING', NARROW.amount, NARROW]);
});

test('an edit that widens, replaces or does not reduce the request, or that the tool or rules refuse, changes nothing', async () => {
  const { id } = await ask();
  const edit = (parameters: object, more: object = {}) => step(ann, id, 'edit', { parameters, ...more });
  const pointers = async (parameters: object, atMost = 1): Promise<unknown> => {
    const answer = await edit(parameters);
    assert.equal(getCode(answer), 'VALIDATION_FAILED', answer.text);
    return answer.json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer).slice(0, atMost);
  };
  assert.deepEqual(await pointers({ ...ASKED, amount: 501 }, 9), ['/parameters/amount'], 'told at its place, and once');
  assert.deepEqual(await pointers({ ...ASKED, amount: -1 }), ['/parameters/amount']);
  assert.deepEqual(await pointers({ ...ASKED, to: ['c@example.com'] }), ['/parameters/to']);
  assert.deepEqual(await pointers({ ...ASKED, to: ['b@example.com', 'a@example.com'] }), ['/parameters/to/0']);
  assert.deepEqual(await pointers({ ...ASKED, note: 'Another.' }), ['/parameters/note']);
  assert.deepEqual(await pointers({ ...ASKED, cc: 'd' }), ['/parameters/cc']);
  assert.deepEqual(await pointers({ amount: 1, note: 'Refund.' }), ['/parameters/to'], 'the tool says what it needs');
  assert.deepEqual(await pointers({ ...ASKED, to: [] }), ['/parameters/to']);
  assert.equal(getCode(await edit(ASKED)), 'UNPROCESSABLE');
  const refused = await edit({ ...ASKED, amount: 13 });
  assert.deepEqual([getCode(refused), refused.json.error.details.code], ['UNPROCESSABLE', 'ACTION_BLOCKED'], refused.text);
  assert.equal(
    getCode(await step(await insertPerson(database, governed.tenant.organization_id, 'admin'), id, 'edit', { parameters: NARROW })),
    'PERMISSION_DENIED',
  );
  assert.deepEqual(await stored(id), { status: 'PENDING', wording: 1 });
});

test('only parameters that the tool names, and its amount, can be edited, and a number that identifies something cannot', async () => {
  const number = { type: 'integer' };
  const schema = { type: 'object', properties: { to_account: number, amount: number, dry_run: { type: 'boolean' } } };
  const asking = { to_account: 88213, amount: 5000, dry_run: true };
  const { environment_id } = governed.tenant;
  const declared = { name: 'pay.out', environment_id, required_capability: 'pay', kind: 'SDK', parameters_schema: schema };
  const tool = (await governed.owner('POST', '/v1/tools', { ...declared, amount_from: '/amount' })).json;
  await governed.owner('POST', `/v1/tools/${tool.id}/agents`, { agent_id: governed.agent.id });
  const hold = async () => (await governed.act({ tool: 'pay.out', parameters: asking })).json.error.details.approval_id as string;
  const first = await hold();
  for (const [edited, named] of [
    [{ ...asking, to_account: 12 }, '/to_account'],
    [{ to_account: 88213, amount: 5000 }, '/dry_run'],
  ] as const) {
    const refused = await step(ann, first, 'edit', { parameters: edited });
    const [fault] = refused.json.error.details.faults;
    assert.deepEqual([getCode(refused), fault.pointer], ['VALIDATION_FAILED', `/parameters${named}`]);
    assert.ok(fault.message.includes(`declares ${named} in narrowable`), fault.message);
  }
  assert.deepEqual(await stored(first), { status: 'PENDING', wording: 1 });
  const lowered = { ...asking, amount: 20 };
  assert.equal((await step(ann, first, 'edit', { parameters: lowered })).json.status, 'APPROVED');
  const second = await hold();
  await governed.owner('PATCH', `/v1/tools/${tool.id}`, { narrowable: ['/dry_run'] });
  const withdrawn = await step(ann, second, 'edit', { parameters: { to_account: 88213, amount: 5000 } });
  assert.notEqual(withdrawn.status, 200, 'what is named later serves no request of before');
  const third = await hold();
  assert.equal((await step(ann, third, 'edit', { parameters: { to_account: 88213, amount: 5000 } })).json.status, 'APPROVED');
});

test('if approving requires a recent step-up, so does editing: without one nothing is written or approved', async () => {
  const { id } = await ask();
  await database.query('update approvals set step_up = true where id = $1', [id]);
  assert.equal(getCode(await step(ann, id, 'edit', { parameters: NARROW })), 'STEP_UP_REQUIRED');
  assert.deepEqual([await stored(id), (await own(id)).json.approved_request], [{ status: 'PENDING', wording: 1 }, null]);
  const proved = await insertPerson(database, governed.tenant.organization_id, 'approver', { steppedUp: true });
  const edited = await step(proved, id, 'edit', { parameters: NARROW });
  assert.deepEqual([edited.json.status, edited.json.wording], ['APPROVED', 2], edited.text);
});

test('votes apply to one version: an edit discards earlier votes, and a version that a voter did not name is not approved', async () => {
  const { id } = await ask();
  await needTwo(id);
  assert.equal((await step(ann, id, 'approve')).json.approvals_given, 1);
  const edited = (await step(ben, id, 'edit', { parameters: NARROW })).json;
  assert.deepEqual([edited.status, edited.wording, edited.approvals_given], ['PENDING', 2, 1]);
  assert.equal((await own(id)).json.approved_request, null, 'the agent learns of it once it is approved');
  const stale = await step(cem, id, 'approve');
  assert.deepEqual([getCode(stale), stale.json.error.details.wording], ['VERSION_CONFLICT', 2]);
  assert.equal(getCode(await step(ben, id, 'approve', { wording: 2 })), 'CONFLICT');
  const second = (await step(ann, id, 'approve', { wording: 2 })).json;
  assert.deepEqual([second.status, second.approvals_given], ['APPROVED', 2], 'who voted on what was asked may vote on what it became');
  assert.equal((await governed.act({ approval_id: id, parameters: NARROW })).status, 200);
});

test('only one of two concurrent edits is made, and a concurrent vote never applies to an unseen version', async () => {
  const twice = await ask();
  await needTwo(twice.id);
  const edits = await Promise.all([ann, ben].map((who, n) => step(who, twice.id, 'edit', { parameters: { ...NARROW, amount: 300 - n } })));
  assert.deepEqual(edits.map(getCode).toSorted(), [200, 'VERSION_CONFLICT']);
  for (let round = 0; round < 8; round += 1) {
    const { id } = await ask();
    await needTwo(id);
    await step(ann, id, 'approve');
    const [edit, vote] = await Promise.all([step(ben, id, 'edit', { parameters: NARROW }), step(cem, id, 'approve')]);
    const left = await stored(id);
    if (edit.status === 200) assert.deepEqual([left, getCode(vote)], [{ status: 'PENDING', wording: 2 }, 'VERSION_CONFLICT']);
    else assert.deepEqual([left, getCode(edit), vote.status], [{ status: 'APPROVED', wording: 1 }, 'INVALID_STATE_TRANSITION', 200]);
  }
});

test('a request with masked parts cannot be edited, and an edited one is evaluated again when it runs', async () => {
  const { id } = await ask();
  assert.equal((await step(ann, id, 'edit', { parameters: NARROW })).json.status, 'APPROVED');
  await activateRules(
    governed.tenant,
    'later',
    [{ id: 'stop', effect: 'BLOCK', when: onAmount('eq', 300), reason: 'Not any more.' }],
    [{ name: 'stops', given: { amount: 300, currency: 'USD' }, then: { effect: 'BLOCK' } }],
  );
  assert.equal(getCode(await governed.act({ approval_id: id, parameters: NARROW })), 'ACTION_BLOCKED');
  await activateRules(
    governed.tenant,
    'hide',
    [{ id: 'hide', effect: 'MASK', mask: { parameters: ['note'] }, reason: 'Hidden.' }],
    [{ name: 'hides', given: {}, then: { effect: 'BLOCK' } }],
  );
  const masked = await ask();
  const answer = await step(ann, masked.id, 'edit', { parameters: { amount: 200, to: ASKED.to } });
  assert.equal(getCode(answer), 'UNPROCESSABLE', answer.text);
  assert.equal((await step(ann, masked.id, 'approve')).json.status, 'APPROVED');
});
