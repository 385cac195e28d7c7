import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitForAfterSweep } from '@svc/testing/time/after-sweep.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import pino from 'pino';
import { escalateApprovals } from '../../jobs/escalate-approvals.ts';
import { type AnyJob, runJob } from '../../jobs/job.ts';
import { remindApprovers } from '../../jobs/notifications/remind-approvers.ts';

const HELD = [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];
const SOMEBODY = 'usr_00000000000000000000000000';

let planes: Planes;
let database: pg.Client;
let governed: Governed;
let ann: InsertedPerson;
let ben: InsertedPerson;
let admin: InsertedPerson;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
  governed = await newGoverned(planes, { rules: HELD });
  [ann, ben, admin] = [await person(), await person(), await person('admin')];
});
after(async () => {
  await database.end();
  await planes.stop();
});

const person = (role: 'approver' | 'admin' | 'security' | 'viewer' = 'approver') =>
  insertPerson(database, governed.tenant.organization_id, role);
const ask = async (among: Governed = governed): Promise<string> => (await among.act({})).json.error.details.approval_id;
const hold = (approval: object = {}) => insertHeldAction(database, governed.tenant, { ...approval });
const step = (who: { token: string }, id: string, name: string, body: object = {}): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${id}/${name}`, { token: who.token, body });
const own = (id: string, name: string, body: object = {}, token = governed.token): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', `/gateway/v1/approvals/${id}/${name}`, { token, body });
const card = async (id: string): Promise<TestResponse['json']> => (await governed.owner('GET', `/v1/approvals/${id}`)).json;
const getCode = ({ status, json }: TestResponse): string | number => json.error?.code ?? status;
const readEvents = async (id: string): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (await database.query("select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id", [id]))
    .rows;
const readTypes = async (id: string): Promise<string[]> => (await readEvents(id)).map(({ type }) => type);

/** Runs a job twice concurrently, like two planes. */
const runTwice = async (job: AnyJob, now = new Date()): Promise<void> => {
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 20_000 });
  const deps = { database: as('svc_app'), identity: as('svc_identity'), log: pino({ level: 'silent' }), clock: () => now };
  await Promise.all([0, 1].map(() => runJob(deps, job)));
  await waitForAfterSweep(database, job.name, governed.tenant.organization_id);
  await runJob(deps, job);
  await Promise.all([deps.database.destroy(), deps.identity.destroy()]);
};

const group = (more: object) => JSON.stringify([{ people: [], escalates_to: null, escalates_at: null, escalated: false, ...more }]);

test('people that a rule names approve in addition to its role, or instead of any if it names none, as long as they are members', async () => {
  const among = await newGoverned(planes);
  const { organization_id } = among.tenant;
  const [named, other, approver] = [
    await insertPerson(database, organization_id, 'admin'),
    await insertPerson(database, organization_id, 'admin'),
    await insertPerson(database, organization_id, 'approver'),
  ];
  const rule = { ...HELD[0], approval: { approvers: [named.id] } };
  await activateRules(among.tenant, 'named', [rule]);
  const id = await ask(among);
  assert.equal(getCode(await step(other, id, 'approve')), 'PERMISSION_DENIED');
  assert.equal(getCode(await step(approver, id, 'approve')), 'PERMISSION_DENIED');
  assert.equal((await among.owner('GET', `/v1/approvals/${id}`)).json.approvable, true);
  assert.equal((await step(named, id, 'approve')).json.status, 'APPROVED');
  assert.equal((await among.act({ approval_id: id })).status, 200);

  const both = { approver_role: 'approver', quorum: 2, approvers: [named.id] };
  const held = await insertHeldAction(database, among.tenant, { quorum: 2, approver_groups: group({ people: [named.id] }) });
  assert.equal((await step(approver, held.approvalId, 'approve')).json.status, 'PENDING');
  const before = (await among.owner('GET', `/v1/approvals/${held.approvalId}`)).json;
  await database.query('delete from members where user_id = $1', [named.id]);
  assert.equal(getCode(await step(named, held.approvalId, 'approve')), 'UNAUTHENTICATED');
  const after = (await among.owner('GET', `/v1/approvals/${held.approvalId}`)).json;
  assert.deepEqual([before.approvable, after.approvable], [true, true], 'the owner is still there to make two');

  const save = async (approval: object): Promise<TestResponse> => {
    const rules = [{ ...HELD[0], approval }];
    const tests = [{ name: 't', given: {}, then: { effect: 'REQUIRE_APPROVAL' } }];
    const { id: policy, versions } = (await among.owner('POST', '/v1/policies', { name: JSON.stringify(approval), rules, tests })).json;
    return among.owner('POST', `/v1/policies/${policy}/activate`, { version_id: versions[0].version_id, reason: 'test' });
  };
  const readPointers = async (approval: object) =>
    (await save(approval)).json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(await readPointers({ approvers: [other.id, SOMEBODY] }), ['/rules/0/approval/approvers/1']);
  assert.deepEqual(await readPointers(both), ['/rules/0/approval/approvers/0'], 'who left is told apart');
  assert.deepEqual(await readPointers({ approvers: [other.id], quorum: 3 }), ['/rules/0/approval/quorum']);
  assert.equal((await save({ approvers: [other.id], quorum: 2 })).status, 200);
});

test('handOverApproval: an approver reassigns the decision to an eligible person, loses their own vote, and the vote counts while both may approve', async () => {
  const id = await ask();
  const viewer = await person('viewer');
  for (const to of [viewer.id, ann.id, SOMEBODY])
    assert.equal(getCode(await step(ann, id, 'delegate', { user_id: to })), 'UNPROCESSABLE', to);
  assert.equal(
    getCode(await step(admin, id, 'delegate', { user_id: ben.id })),
    'PERMISSION_DENIED',
    'who is not asked has nothing to hand over',
  );
  assert.equal(getCode(await step(admin, id, 'approve')), 'PERMISSION_DENIED');
  const parallel = await Promise.all(Array.from({ length: 8 }, () => step(ann, id, 'delegate', { user_id: admin.id, comment: 'Away.' })));
  assert.deepEqual(
    parallel
      .map(getCode)
      .toSorted()
      .reverse()
      .slice(0, 8)
      .filter((code) => code === 200).length,
    1,
  );
  assert.equal(getCode(await step(ann, id, 'approve')), 'CONFLICT');
  const handedOn = await step(admin, id, 'delegate', { user_id: ben.id });
  assert.deepEqual(
    [getCode(handedOn), /cannot be reassigned again/.test(handedOn.json.error.message)],
    ['PERMISSION_DENIED', true],
    handedOn.text,
  );
  assert.equal((await step(admin, id, 'approve')).json.status, 'APPROVED');
  assert.deepEqual(await readTypes(id), ['approval.requested', 'approval.delegated', 'approval.vote_cast', 'approval.approved']);
  const [, told, vote] = await readEvents(id);
  assert.deepEqual([told?.data.from_user_id, told?.data.to_user_id, vote?.data.instead_of], [ann.id, admin.id, [ann.id]]);
  assert.deepEqual(
    (await card(id)).handovers.map((each: { comment: string }) => each.comment),
    ['Away.'],
  );

  const leaver = await person();
  const second = await ask();
  assert.equal((await step(leaver, second, 'delegate', { user_id: admin.id })).status, 200);
  await database.query("update members set role_id = 'rol_00000000000000000000000007' where user_id = $1", [leaver.id]);
  assert.equal(getCode(await step(admin, second, 'approve')), 'PERMISSION_DENIED');
});

test('a decision cannot be reassigned to its requester or to a voter, and two reassignments to one person are one vote', async () => {
  const { user } = governed.tenant;
  const { approvalId: id } = await hold({ quorum: 2, requested_by_type: 'USER', requested_by_id: user.id });
  assert.equal(getCode(await step(ann, id, 'delegate', { user_id: user.id })), 'UNPROCESSABLE');
  for (const each of [ann, ben]) assert.equal((await step(each, id, 'delegate', { user_id: admin.id })).status, 200);
  const voted = (await step(admin, id, 'approve')).json;
  assert.deepEqual([voted.status, voted.approvals_given], ['PENDING', 1]);
  const { approvalId: other } = await hold({ quorum: 2 });
  assert.equal((await step(ben, other, 'approve')).status, 200);
  assert.equal(getCode(await step(ann, other, 'delegate', { user_id: ben.id })), 'UNPROCESSABLE', 'nor on what they voted on');
});

test('askAboutApproval and answerAboutApproval: a question goes to the agent and its answer to the card, masked and marked as a claim; one is open at a time and answered once', async () => {
  const id = await ask();
  assert.equal(getCode(await step(admin, id, 'questions', { question: 'Why?' })), 'PERMISSION_DENIED');
  const asked = await Promise.all([ann, ben].map((who) => step(who, id, 'questions', { question: 'Which customer?' })));
  assert.deepEqual(asked.map(getCode).toSorted(), [200, 'CONFLICT']);
  const read = async () => (await call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}`, { token: governed.token })).json;
  assert.deepEqual([(await read()).question.question, (await read()).question.question_number], ['Which customer?', 1]);
  const secret = `sk_live_${'a1B2'.repeat(8)}`;
  const answers = await Promise.all(Array.from({ length: 16 }, () => own(id, 'answer', { answer: `ACME\u202e, by ${secret}\u0007` })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter((answer) => getCode(answer) === 'CONFLICT').length, 15);
  const [question] = (await card(id)).questions;
  assert.deepEqual([question.answer, question.is_untrusted, question.answered_by.type], ['ACME, by [masked]', true, 'AGENT']);
  assert.equal((await read()).question, null);
  assert.deepEqual(await readTypes(id), ['approval.requested', 'approval.info_requested', 'approval.info_requested']);
  const told = await readEvents(id);
  assert.ok(!JSON.stringify(told).includes(secret));
  assert.deepEqual([told.at(-1)?.data.change, told.at(-1)?.data.is_untrusted], ['answered', true]);

  assert.equal((await step(ann, id, 'questions', { question: 'And who answers for it?' })).status, 200);
  assert.equal((await step(governed.tenant, id, 'answer', { answer: 'I do.', question_number: 2 })).status, 200);
  assert.equal(getCode(await step(governed.tenant, id, 'approve')), 'PERMISSION_DENIED', 'who answers for the agent does not decide');
  assert.equal((await step(ben, id, 'approve')).json.status, 'APPROVED');
  assert.equal(getCode(await step(ann, id, 'questions', { question: 'Late?' })), 'INVALID_STATE_TRANSITION');
});

/** Holds an approval until `end`, while another request waits for it. */
const whileHeld = async (id: string, begin: () => Promise<TestResponse>, end: () => Promise<unknown>): Promise<TestResponse> => {
  await database.query('begin');
  await database.query('select from approvals where id = $1 for update', [id]);
  const { rows } = await database.query('select pg_backend_pid() as pid');
  let isAnswered = false;
  const waiting = begin().finally(() => {
    isAnswered = true;
  });
  const watcher = await planes.database.client();
  const waits = async () =>
    (await watcher.query('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [rows[0].pid])).rowCount;
  await waitUntil('it waits for the approval', async () => isAnswered || (await waits()) !== 0);
  await watcher.end();
  await end();
  await database.query('commit');
  return waiting;
};

test('a person who answers for the agent by their own key cannot decide, with any limited view of the organization', async () => {
  const { organization_id, workspace_id } = governed.tenant;
  const eve = await insertPerson(database, organization_id, 'approver', { workspaces: [workspace_id] });
  const key = `key_${newUlid()}`;
  await database.query(
    `insert into api_keys (organization_id, id, name, role_id, token_hash, created_by, expires_at, workspace_ids)
     select $1, $2, 'elsewhere', $3, sha256($2::text::bytea), $4, now() + interval '1 day', array['wsp_' || right($2, 26)]`,
    [organization_id, key, getBuiltInRole('admin').id, eve.id],
  );
  const id = await ask();
  assert.equal((await step(ann, id, 'questions', { question: 'Why?' })).status, 200);
  const answering = async (): Promise<void> => {
    await database.query('update approvals set open_question = null where id = $1', [id]);
    const answered = "answered_by_type = 'API_KEY', answered_by_id = $2, answer = 'Because.', answered_at = now()";
    await database.query(`update approval_questions set ${answered} where approval_id = $1`, [id, key]);
  };
  const vote = await whileHeld(id, () => step(eve, id, 'approve'), answering);
  assert.equal(getCode(vote), 'PERMISSION_DENIED', vote.text);
  const { status, votes, questions } = await card(id);
  assert.deepEqual([status, votes, questions[0].answer], ['PENDING', [], 'Because.']);
  assert.equal((await step(ben, id, 'approve')).json.status, 'APPROVED');
});

test('cancelApproval: only the requesting agent or its managers withdraw it, and it cannot be decided afterwards', async () => {
  const [first, second] = [await ask(), await ask()];
  const stranger = await mintToken(planes.gatewayUrl, await newAgent(governed.tenant));
  assert.equal(getCode(await own(first, 'cancel', {}, stranger)), 'NOT_FOUND');
  assert.equal(getCode(await step(ann, first, 'cancel', { reason: 'x' })), 'PERMISSION_DENIED');
  assert.equal((await own(first, 'cancel', { reason: 'Not needed.' })).json.status, 'CANCELLED');
  assert.equal(getCode(await own(first, 'cancel')), 'INVALID_STATE_TRANSITION');
  assert.equal(getCode(await step(ann, first, 'approve')), 'INVALID_STATE_TRANSITION');
  assert.equal((await step(ann, second, 'approve')).json.status, 'APPROVED');
  assert.equal((await step(governed.tenant, second, 'cancel', { reason: 'Changed.' })).json.status, 'CANCELLED');
  assert.equal(getCode(await governed.act({ approval_id: second })), 'APPROVAL_NOT_GRANTED');
});

test('concurrent vote and withdrawal leave one outcome, which the action shares', async () => {
  for (let round = 0; round < countRepetitions({ short: 4, long: 12 }); round += 1) {
    const id = await ask();
    const [vote, withdrawal] = await Promise.all([step(ann, id, 'approve'), own(id, 'cancel')]);
    const { rows } = await database.query(
      'select p.status, a.status as action from approvals p join actions a on a.id = p.action_id where p.id = $1',
      [id],
    );
    assert.equal(withdrawal.status, 200, withdrawal.text);
    assert.ok([200, 'INVALID_STATE_TRANSITION'].includes(getCode(vote)), vote.text);
    assert.deepEqual([rows[0].status, rows[0].action], ['CANCELLED', 'CANCELLED']);
    const types = await readTypes(id);
    assert.equal(types.includes('approval.approved'), vote.status === 200);
    assert.equal(types.at(-1), 'approval.cancelled');
  }
});

test('an undecided approval is escalated to another role once; both vote from then on, and the quorum stays', async () => {
  const security = await person('security');
  const due = { escalates_to: 'security', escalates_at: new Date(Date.now() - 5_000).toISOString() };
  const { approvalId: id } = await hold({ quorum: 2, approver_groups: group(due) });
  assert.equal(getCode(await step(security, id, 'approve')), 'PERMISSION_DENIED');
  await database.query('update approvals set escalates_at = $2 where id = $1', [id, due.escalates_at]);
  await runTwice(escalateApprovals);
  assert.deepEqual(await readTypes(id), ['approval.escalated']);
  assert.deepEqual((await readEvents(id))[0]?.data.escalated_to, ['security']);
  const [asked] = (await card(id)).approver_groups;
  assert.equal(asked.escalated, true);
  assert.equal((await step(security, id, 'approve')).json.status, 'PENDING');
  assert.equal((await step(ann, id, 'approve')).json.status, 'APPROVED');
});

test('concurrent escalation and approval do not disturb each other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const at = new Date(Date.now() - 1_000).toISOString();
    const { approvalId: id } = await hold({ approver_groups: group({ escalates_to: 'security', escalates_at: at }), escalates_at: at });
    const [answer] = await Promise.all([step(ann, id, 'approve'), runTwice(escalateApprovals)]);
    assert.equal(answer.json.status, 'APPROVED', answer.text);
    const types = await readTypes(id);
    assert.ok(types.filter((type) => type === 'approval.escalated').length <= 1);
    assert.equal(types.at(-1), 'approval.approved', 'nothing goes on once it is decided');
  }
});

test('a rule states when and to whom it escalates, and the approval has its values', async () => {
  const among = await newGoverned(planes, {
    rules: [{ ...HELD[0], approval: { quorum: 1, escalate_after_seconds: 600, escalate_to_role: 'security' } }],
  });
  const id = await ask(among);
  const [asked] = (await among.owner('GET', `/v1/approvals/${id}`)).json.approver_groups;
  assert.deepEqual([asked.escalates_to, asked.escalated, asked.people], ['security', false, []]);
  const { rows } = await database.query('select escalates_at - requested_at as after from approvals where id = $1', [id]);
  assert.equal(rows[0].after.minutes, 10);
});

test('people are reminded once of an undecided approval that expires soon', async () => {
  const now = Date.now();
  const [soon, later] = [
    await hold({ requested_at: new Date(now - 3_000_000), expires_at: new Date(now + 600_000) }),
    await hold({ requested_at: new Date(now - 600_000), expires_at: new Date(now + 3_000_000) }),
  ];
  await runTwice(remindApprovers);
  await runTwice(remindApprovers);
  const noticed = async ({ approvalId }: { approvalId: string }) =>
    (await database.query('select about from notices where subject_id = $1', [approvalId])).rows.map(({ about }) => about);
  assert.deepEqual(await noticed(soon), [`${soon.approvalId} reminder`]);
  assert.deepEqual(await noticed(later), []);
});

test('nothing is decided for an agent past its end date or ended; for a suspended one votes count', async () => {
  const among = await newGoverned(planes, { rules: HELD });
  const approver = await insertPerson(database, among.tenant.organization_id, 'approver');
  const other = await insertPerson(database, among.tenant.organization_id, 'approver');
  const id = await ask(among);
  const own = await ask(among);
  const readStatus = async () => (await among.owner('GET', `/v1/approvals/${id}`)).json.agent_status;
  const steps = [
    ['approve', {}],
    ['deny', { reason: 'No.' }],
    ['edit', { parameters: {} }],
    ['delegate', { user_id: other.id }],
    ['questions', { question: 'Why?' }],
  ] as const;
  const assertRefused = async (from: string) => {
    for (const [name, body] of steps) {
      const { error } = (await step(approver, id, name, body)).json;
      assert.deepEqual([error?.code, error?.details.from], ['INVALID_STATE_TRANSITION', from], name);
    }
    const votes = await database.query('select count(*)::int as n from approval_votes where approval_id = $1', [id]);
    assert.equal(votes.rows[0].n, 0);
  };
  const job = await planes.database.client();
  try {
    await job.query("update agents set expires_at = now() + interval '1 second' where id = $1", [among.agent.id]);
    // A lock on the agent keeps the job from recording its end.
    await job.query('begin');
    await job.query('select from agents where id = $1 for update', [among.agent.id]);
    const { rows } = await job.query('select status, expires_at from agents where id = $1', [among.agent.id]);
    assert.equal(rows[0].status, 'ACTIVE');
    await waitUntil('its end has come', async () => (await readStatus()) === 'EXPIRED');
    await assertRefused('EXPIRED');
    for (const status of ['DECOMMISSIONED', 'REVOKED']) {
      await job.query('update agents set status = $2, expires_at = null where id = $1', [among.agent.id, status]);
      await job.query('commit; begin');
      await assertRefused(status);
    }
    await job.query("update agents set status = 'SUSPENDED' where id = $1", [among.agent.id]);
    await job.query('commit');
  } finally {
    await job.end();
  }
  assert.equal(await readStatus(), 'SUSPENDED');
  assert.equal((await step(approver, id, 'approve')).json.status, 'APPROVED');
  assert.equal((await step(approver, own, 'deny', { reason: 'No.' })).json.status, 'DENIED');
});

test('a vote or reassignment counts for a member whose membership another clock dated slightly later', async () => {
  const { approvalId } = await hold({ quorum: 2 });
  const late = await person();
  for (const table of ['members', 'sessions'])
    await database.query(`update ${table} set created_at = now() + interval '3 seconds' where user_id = $1`, [late.id]);
  assert.equal((await step(late, approvalId, 'approve')).json.status, 'PENDING');
  assert.equal((await step(ben, approvalId, 'approve')).json.status, 'APPROVED');
  const handedOn = (await hold()).approvalId;
  const viewer = await person('viewer');
  assert.equal(getCode(await step(late, handedOn, 'delegate', { user_id: admin.id })), 200);
  assert.equal(getCode(await step(viewer, handedOn, 'approve')), 'PERMISSION_DENIED');
  assert.equal((await step(admin, handedOn, 'approve')).json.status, 'APPROVED');
});
