import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

const RULES = [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', approval: { approver_role: 'admin' } }];

let planes: Planes;
let database: pg.Client;
let governed: Governed;
let [ann, ben, cem] = [] as unknown as [InsertedPerson, InsertedPerson, InsertedPerson];
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
  governed = await newGoverned(planes, { rules: RULES });
  const person = (role: 'admin' | 'approver') => insertPerson(database, governed.tenant.organization_id, role);
  [ann, ben, cem] = [await person('admin'), await person('admin'), await person('approver')];
});
after(async () => {
  await database.end();
  await planes.stop();
});

const step = (who: { token: string }, id: string, name: string, body: object = {}): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${id}/${name}`, { token: who.token, body });
const getCode = ({ status, json }: TestResponse): string | number => json.error?.code ?? status;
const ask = async (): Promise<string> => (await governed.act({})).json.error.details.approval_id;
const needTwo = (id: string) => database.query('update approvals set quorum = 2, role_quorums = array[2] where id = $1', [id]);
const card = async (id: string): Promise<TestResponse['json']> => (await governed.owner('GET', `/v1/approvals/${id}`)).json;

/** Creates a key of the person, and a key created with that key. */
const readKeys = async ({ token }: { token: string }): Promise<readonly { token: string }[]> => {
  const make = (by: string) =>
    newControlClient(planes.controlUrl, by).createApiKey({ body: { name: 'k', role_id: getBuiltInRole('admin').id } });
  const first = await make(token);
  return [first, await make(first.token)];
};

test('rejects a session or key of a person who reassigned a decision as the agent, and counts the vote in their place', async () => {
  const id = await ask();
  assert.equal((await step(ben, id, 'questions', { question: 'Why?' })).status, 200);
  assert.equal((await step(ann, id, 'delegate', { user_id: cem.id })).status, 200);
  for (const who of [ann, ...(await readKeys(ann))])
    assert.equal(getCode(await step(who, id, 'answer', { answer: 'Because.' })), 'CONFLICT');
  assert.equal((await card(id)).questions[0].answer, null);
  assert.equal((await step(cem, id, 'approve')).json.status, 'APPROVED');
});

test('rejects a session or key of a voter as the agent, and counts their vote', async () => {
  const id = await ask();
  await needTwo(id);
  assert.equal((await step(ann, id, 'approve')).json.approvals_given, 1);
  assert.equal((await step(ben, id, 'questions', { question: 'Why?' })).status, 200);
  for (const who of [ann, ...(await readKeys(ann))])
    assert.equal(getCode(await step(who, id, 'answer', { answer: 'Because.' })), 'CONFLICT');
  const [key] = await readKeys(governed.tenant);
  assert.ok(key);
  assert.equal((await step(key, id, 'answer', { answer: 'Because.' })).status, 200, 'whoever did neither answers by a key too');
  assert.equal((await step(ben, id, 'approve')).json.status, 'APPROVED');
});

/** Makes a key the author of the answer. */
const answeredBy = async (person: InsertedPerson, id: string): Promise<void> => {
  await readKeys(person);
  const answered = "answered_by_type = 'API_KEY', answered_by_id = (select min(id) from api_keys where created_by = $2), answer = 'x'";
  await database.query(`update approval_questions set ${answered}, answered_at = now() where approval_id = $1`, [id, person.id]);
};

test('rejects a vote in place of a person who acts for the agent', async () => {
  const first = await ask();
  const second = await ask();
  for (const id of [first, second]) {
    await step(ben, id, 'questions', { question: 'Why?' });
    await step(ann, id, 'delegate', { user_id: cem.id });
  }
  await needTwo(second);
  assert.equal((await step(cem, second, 'approve')).json.status, 'PENDING');
  for (const id of [first, second]) await answeredBy(ann, id);
  assert.equal(getCode(await step(cem, first, 'approve')), 'PERMISSION_DENIED');
  assert.equal((await step(ben, second, 'approve')).json.status, 'PENDING', 'one of the two was cast in the stead of who asks');
  assert.equal((await step(governed.tenant, second, 'approve')).json.status, 'APPROVED');
});

test('excludes people who act for the agent from the card, directly or by reassignment', async () => {
  const id = await ask();
  await step(ben, id, 'questions', { question: 'Why?' });
  await step(ann, id, 'delegate', { user_id: cem.id });
  await database.query('update approvals set quorum = 3, role_quorums = array[3] where id = $1', [id]);
  assert.equal((await card(id)).approvable, true, 'the owner, one in the stead of another, and one');
  await answeredBy(ann, id);
  assert.equal((await card(id)).approvable, false);
});

test('removes secrets, invisible characters and bidirectional controls from comments on an approval', async () => {
  const said = (text: string): string => `${text}\u202e\u3164\u{e0041}\u{e0100}${'\u0301'.repeat(50)}`;
  const clean = (text: string): string => `${text}${'\u0301'.repeat(4)}`;
  const read = async (id: string) => (await call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}`, { token: governed.token })).json;
  const [first, second] = [await ask(), await ask()];
  await needTwo(first);
  assert.equal((await step(ben, first, 'questions', { question: said('why') })).status, 200);
  assert.equal((await read(first)).question.question, clean('why'));
  const answer = { answer: said('so') };
  await call(planes.gatewayUrl, 'POST', `/gateway/v1/approvals/${first}/answer`, { token: governed.token, body: answer });
  await step(ann, first, 'delegate', { user_id: cem.id, comment: said('away') });
  await step(ben, first, 'approve', { comment: said('yes') });
  const { questions, handovers, votes } = await card(first);
  assert.deepEqual([questions[0].question, questions[0].answer], [clean('why'), clean('so')]);
  assert.deepEqual([handovers[0].comment, votes[0].comment], [clean('away'), clean('yes')]);
  await step(ben, second, 'deny', { reason: said('no') });
  await step(governed.tenant, first, 'cancel', { reason: said('back') });
  assert.equal((await read(second)).denial_reason, clean('no'));
  const { rows } = await database.query(
    "select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'approval.cancelled'",
    [first],
  );
  assert.equal(rows[0].data.reason, clean('back'));
  assert.ok((await card(second)).votes.every(({ comment }: { comment: string }) => comment === clean('no')));
});
