import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();
let ann: InsertedPerson;
let ben: InsertedPerson;

s.before(async () => {
  ann = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
  ben = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
});

const send = (method: string, path: string, token: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, headers, ...(body === undefined ? {} : { body }) });
const approve = (id: string, who: { token: string }, body?: object) => send('POST', `/v1/approvals/${id}/approve`, who.token, body);
const deny = (id: string, who: { token: string }, reason = 'no') => send('POST', `/v1/approvals/${id}/deny`, who.token, { reason });
const hold = (approval: object = {}, action: object = {}) => insertHeldAction(s.owner, s.tenant, { ...approval }, { ...action });

const stored = async ({ approvalId, actionId }: { approvalId: string; actionId: string }) => {
  const one = async (text: string, id: string) => (await s.owner.query(text, [id])).rows;
  const [approval] = await one('select status, denial_reason, decided_at from approvals where id = $1', approvalId);
  const [action] = await one('select status, code, completed_at from actions where id = $1', actionId);
  const events = await one(
    "select type, actor_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
    approvalId,
  );
  const votes = await one('select user_id, vote from approval_votes where approval_id = $1', approvalId);
  return { approval, action, events, votes };
};
const getCode = (answer: TestResponse): string | number => answer.json.error?.code ?? answer.status;

type Votes = { readonly votes: readonly { readonly user_id: string; readonly vote: string; readonly comment: string | null }[] };
const told = ({ votes }: Votes): unknown[][] => votes.map(({ user_id, vote, comment }) => [user_id, vote, comment]);

test('approveApproval resumes the held action, and records it in the audit log', async () => {
  const held = await hold();
  const answer = await approve(held.approvalId, ann, { comment: 'Fine.' });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.json.status, answer.json.approvals_given, answer.json.id], ['APPROVED', 1, held.approvalId]);
  const { approval, action, events, votes } = await stored(held);
  assert.deepEqual([approval.status, action.status, action.completed_at], ['APPROVED', 'APPROVED', null]);
  assert.ok(approval.decided_at);
  assert.deepEqual(votes, [{ user_id: ann.id, vote: 'APPROVE' }]);
  assert.deepEqual(events.map(({ type, actor_id, data }) => [type, actor_id, data.action_id, data.vote, data.comment]).slice(0, 1), [
    ['approval.vote_cast', ann.id, held.actionId, 'APPROVE', 'Fine.'],
  ]);
  assert.deepEqual(
    events.slice(1).map(({ type, actor_id, data }) => [type, actor_id, data.action_id, data.after.status, data.approved_by, told(data)]),
    [['approval.approved', ann.id, held.actionId, 'APPROVED', [ann.id], [[ann.id, 'APPROVE', 'Fine.']]]],
    'that a person voted and that it was approved are two facts',
  );
});

test('denyApproval blocks the held action permanently, regardless of earlier approvals', async () => {
  const held = await hold({ quorum: 2 });
  assert.equal((await approve(held.approvalId, ann)).json.status, 'PENDING');
  const answer = await deny(held.approvalId, ben, 'Not today.');
  assert.deepEqual([answer.status, answer.json.status], [200, 'DENIED']);
  const { approval, action, events } = await stored(held);
  assert.deepEqual([approval.status, approval.denial_reason], ['DENIED', 'Not today.']);
  assert.deepEqual([action.status, action.code], ['BLOCKED', 'APPROVAL_NOT_GRANTED']);
  assert.ok(action.completed_at);
  assert.deepEqual(
    events.map(({ type, data }) => [type, ...(data.after ? [data.after.status, told(data)] : [data.vote])]),
    [
      ['approval.vote_cast', 'APPROVE'],
      ['approval.vote_cast', 'DENY'],
      [
        'approval.denied',
        'DENIED',
        [
          [ann.id, 'APPROVE', null],
          [ben.id, 'DENY', 'Not today.'],
        ],
      ],
    ],
  );
  assert.equal(getCode(await approve(held.approvalId, ben)), 'INVALID_STATE_TRANSITION');
});

test('an API key cannot approve or deny, regardless of its role', async () => {
  const held = await hold();
  const key = await send('POST', '/v1/api-keys', s.tenant.token, { name: 'a key', role_id: 'rol_00000000000000000000000002' });
  assert.equal(key.status, 201, key.text);
  assert.equal(getCode(await approve(held.approvalId, key.json)), 'PERMISSION_DENIED');
  assert.equal(getCode(await deny(held.approvalId, key.json)), 'PERMISSION_DENIED');
  assert.deepEqual((await stored(held)).votes, []);
});

test('only the required role or an owner can decide', async () => {
  const held = await hold({ approver_roles: ['security'] });
  assert.equal(getCode(await approve(held.approvalId, ann)), 'PERMISSION_DENIED');
  assert.equal(getCode(await deny(held.approvalId, ann)), 'PERMISSION_DENIED');
  assert.equal((await approve(held.approvalId, s.tenant)).json.status, 'APPROVED');
});

test('a requester cannot approve their own request through an API key, a derived key or a narrower scope', async () => {
  const insertKey = (id: string, createdBy: string) =>
    s.owner.query(
      `insert into api_keys (organization_id, id, name, role_id, token_hash, created_by, expires_at)
       values ($1, $2, $2, 'rol_x', $3, $4, now() + interval '1 day')`,
      [s.tenant.organization_id, id, Buffer.from(id), createdBy],
    );
  await insertKey('apk_first', ann.id);
  await insertKey('apk_second', 'apk_first');
  for (const requester of [ann.id, 'apk_first', 'apk_second']) {
    const held = await hold({ requested_by_type: requester === ann.id ? 'USER' : 'API_KEY', requested_by_id: requester });
    for (const headers of [{}, { 'x-svc-workspace': s.tenant.workspace_id }, { 'x-svc-environment': s.tenant.environment_id }]) {
      const answer = await send('POST', `/v1/approvals/${held.approvalId}/approve`, ann.token, {}, headers as Record<string, string>);
      assert.equal(getCode(answer), 'PERMISSION_DENIED', requester);
    }
    assert.equal((await approve(held.approvalId, ben)).json.status, 'APPROVED');
  }
});

test('an approval that requires a step-up is approved only after a recent one', async () => {
  const held = await hold({ step_up: true, approver_roles: ['approver'] });
  assert.equal(getCode(await approve(held.approvalId, s.tenant)), 'STEP_UP_REQUIRED');
  await stepUp(s.planes.controlUrl, s.tenant);
  assert.equal((await approve(held.approvalId, s.tenant)).json.status, 'APPROVED');
  const stepped = await insertPerson(s.owner, s.tenant.organization_id, 'approver', { steppedUp: true });
  assert.equal((await approve((await hold({ step_up: true })).approvalId, stepped)).json.status, 'APPROVED');
  assert.equal((await deny((await hold({ step_up: true })).approvalId, ann)).json.status, 'DENIED');
});

test('a second vote of the same person is a conflict', async () => {
  const held = await hold({ quorum: 2 });
  assert.equal((await approve(held.approvalId, ann)).status, 200);
  assert.equal(getCode(await approve(held.approvalId, ann)), 'CONFLICT');
  assert.equal(getCode(await deny(held.approvalId, ann)), 'CONFLICT');
  assert.equal((await stored(held)).approval.status, 'PENDING');
});

test('a quorum needs different people, and each required role among them', async () => {
  const security = await insertPerson(s.owner, s.tenant.organization_id, 'security');
  const held = await hold({ quorum: 2, approver_roles: ['approver', 'security'] });
  assert.deepEqual((await approve(held.approvalId, ann)).json.status, 'PENDING');
  const second = (await approve(held.approvalId, ben)).json;
  assert.deepEqual([second.status, second.approvals_given], ['PENDING', 2]);
  assert.equal((await approve(held.approvalId, security)).json.status, 'APPROVED');
  const { events } = await stored(held);
  const people = [ann.id, ben.id, security.id];
  assert.deepEqual(
    events.map(({ type, actor_id }) => [type, actor_id]),
    [...people.map((id) => ['approval.vote_cast', id]), ['approval.approved', security.id]],
    'nothing is told as approved before it is',
  );
  const { decided, after: states, approved_by, votes } = events.at(-1)?.data ?? {};
  assert.deepEqual([decided, states, approved_by], [true, { status: 'APPROVED', approvals_given: 3 }, people]);
  assert.deepEqual(
    told({ votes }).map(([who]) => who),
    people,
  );
});

test('a vote does not count if its voter lost the role before the quorum was complete', async () => {
  const leaver = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
  const held = await hold({ quorum: 2 });
  await approve(held.approvalId, leaver);
  await s.owner.query("update members set role_id = 'rol_00000000000000000000000007' where user_id = $1", [leaver.id]);
  assert.equal((await approve(held.approvalId, ann)).json.status, 'PENDING');
  assert.equal((await approve(held.approvalId, ben)).json.status, 'APPROVED');
  const { events } = await stored(held);
  assert.deepEqual(
    events.filter(({ data }) => data.decided).map(({ type, data }) => [type, data.approved_by, told(data).map(([who]) => who)]),
    [['approval.approved', [ann.id, ben.id], [leaver.id, ann.id, ben.id]]],
    'the vote is told, and not among those who gave the approval',
  );
});

test('an expired approval cannot be approved or denied', async () => {
  const held = await hold({ expires_at: new Date(Date.now() - 1) });
  assert.equal(getCode(await approve(held.approvalId, ann)), 'APPROVAL_EXPIRED');
  assert.equal(getCode(await deny(held.approvalId, ann)), 'APPROVAL_EXPIRED');
});

test('32 concurrent approvals: exactly the quorum counts, and the action resumes once', async () => {
  const people: InsertedPerson[] = [];
  while (people.length < 32) people.push(await insertPerson(s.owner, s.tenant.organization_id, 'approver'));
  for (const quorum of [1, 5, 32]) {
    const held = await hold({ quorum });
    const answers = await Promise.all(people.map((person) => approve(held.approvalId, person)));
    const codes = answers.map(getCode);
    assert.equal(codes.filter((code) => code === 200).length, quorum);
    assert.equal(codes.filter((code) => code === 'INVALID_STATE_TRANSITION').length, 32 - quorum);
    const { approval, action, events, votes } = await stored(held);
    assert.deepEqual([approval.status, action.status, votes.length, events.length], ['APPROVED', 'APPROVED', quorum, quorum + 1]);
    const deciding = events.filter(({ data }) => data.decided);
    assert.deepEqual(
      deciding.map(({ data }) => [data.approved_by.length, told(data).length]),
      [[quorum, quorum]],
    );
  }
});

test('32 concurrent approvals by one person count as one vote', async () => {
  const held = await hold({ quorum: 2 });
  const codes = (await Promise.all(Array.from({ length: 32 }, () => approve(held.approvalId, ann)))).map(getCode);
  assert.deepEqual([codes.filter((code) => code === 200).length, codes.filter((code) => code === 'CONFLICT').length], [1, 31]);
  assert.equal((await stored(held)).votes.length, 1);
});

test('concurrent approval and denial leave one outcome, which the action shares', async () => {
  for (let round = 0; round < countRepetitions({ short: 6, long: 20 }); round += 1) {
    const held = await hold();
    const [yes, no] = await Promise.all([approve(held.approvalId, ann), deny(held.approvalId, ben)]);
    const { approval, action, votes, events } = await stored(held);
    assert.deepEqual([votes.length, events.length], [1, 2]);
    const approved = yes.status === 200;
    assert.deepEqual([getCode(yes), getCode(no)], approved ? [200, 'INVALID_STATE_TRANSITION'] : ['INVALID_STATE_TRANSITION', 200]);
    assert.deepEqual([approval.status, action.status], approved ? ['APPROVED', 'APPROVED'] : ['DENIED', 'BLOCKED']);
  }
});

test('getApproval returns the card: the request as it would run, why it was held, and who voted', async () => {
  const held = await hold(
    { quorum: 2, reason: 'Refunds need a person.' },
    { amount: 75_000, currency: 'EUR', destination: 'api.example.com:443' },
  );
  await approve(held.approvalId, ann, { comment: 'Fine.' });
  const card = (await send('GET', `/v1/approvals/${held.approvalId}`, ann.token)).json;
  assert.deepEqual(
    [card.parameters, card.amount, card.currency, card.destination, card.reason],
    [{ order: 'A1' }, 75_000, 'EUR', 'api.example.com:443', 'Refunds need a person.'],
  );
  assert.deepEqual([card.request_hash, card.requested_by], ['07'.repeat(32), { type: 'AGENT', id: 'agt_00000000000000000000000001' }]);
  assert.equal(card.explanation.decision, 'REQUIRE_APPROVAL');
  const [vote] = card.votes;
  assert.deepEqual([vote.user_id, vote.user_name, vote.vote, vote.comment], [ann.id, ann.name, 'APPROVE', 'Fine.']);
  assert.match(vote.voted_at, /^\d{4}-.*Z$/);
});

test('listApprovals shows the newest first, and on request the oldest, by status, agent and environment', async () => {
  const agent_id = 'agt_00000000000000000000000LST';
  const first = await hold({}, { agent_id });
  const second = await hold({}, { agent_id });
  await deny(first.approvalId, ann);
  const list = async (query: string) =>
    (await send('GET', `/v1/approvals?${query}`, ann.token)).json.map((approval: { id: string }) => approval.id);
  assert.deepEqual(await list(`agent_id=${agent_id}`), [second.approvalId, first.approvalId]);
  assert.deepEqual(await list(`agent_id=${agent_id}&status=DENIED`), [first.approvalId]);
  assert.deepEqual(await list(`agent_id=${agent_id}&limit=1&offset=1`), [first.approvalId]);
  assert.deepEqual(await list(`agent_id=${agent_id}&order=oldest`), [first.approvalId, second.approvalId]);
  assert.deepEqual(await list(`agent_id=${agent_id}&order=oldest&limit=1`), [first.approvalId]);
  const body = { workspace_id: s.tenant.workspace_id, name: 'Staging', type: 'STAGING' };
  const environment_id = (await send('POST', '/v1/environments', s.tenant.token, body)).json.id;
  const third = await insertHeldAction(s.owner, { ...s.tenant, environment_id }, {}, { agent_id });
  assert.deepEqual(await list(`environment_id=${environment_id}`), [third.approvalId]);
  assert.deepEqual(await list(`agent_id=${agent_id}&environment_id=${s.tenant.environment_id}&order=oldest`), [
    first.approvalId,
    second.approvalId,
  ]);
});

test('listApprovals returns the beginning of the arguments, and those of the current version of an edited request', async () => {
  const agent_id = 'agt_0000000000000000000EXCERPT';
  const short = await hold({}, { agent_id, parameters: '{"order":"A1","note":"ü"}' });
  await hold({}, { agent_id, parameters: JSON.stringify({ note: 'ü'.repeat(400) }) });
  const narrowed = await hold({ wording: 2 }, { agent_id });
  await s.owner.query(
    `insert into approval_wordings (organization_id, workspace_id, environment_id, approval_id, wording, parameters, request_hash)
     select organization_id, workspace_id, environment_id, id, 2, '{"order":"A2"}', request_hash from approvals where id = $1`,
    [narrowed.approvalId],
  );
  const { json } = await send('GET', `/v1/approvals?agent_id=${agent_id}&order=oldest`, ann.token);
  assert.deepEqual(
    json.map((approval: { parameters_excerpt: string }) => approval.parameters_excerpt),
    ['{"order":"A1","note":"ü"}', `{"note":"${'ü'.repeat(191)}…`, '{"order":"A2"}'],
  );
  assert.equal((await send('GET', `/v1/approvals/${short.approvalId}`, ann.token)).json.parameters_excerpt, '{"order":"A1","note":"ü"}');
});

test('does not find the approval for another tenant or for a caller limited to another workspace', async () => {
  const held = await hold();
  const stranger = await newTenant(s.planes);
  const elsewhere = (await send('POST', '/v1/workspaces', s.tenant.token, { name: 'Elsewhere' })).json.id;
  const narrowed = { 'x-svc-workspace': elsewhere };
  const path = `/v1/approvals/${held.approvalId}`;
  for (const [who, headers] of [
    [stranger, {}],
    [s.tenant, narrowed],
  ] as const) {
    assert.equal(getCode(await send('GET', path, who.token, undefined, headers)), 'NOT_FOUND');
    assert.equal(getCode(await send('POST', `${path}/approve`, who.token, {}, headers)), 'NOT_FOUND');
    assert.equal(getCode(await send('POST', `${path}/deny`, who.token, { reason: 'x' }, headers)), 'NOT_FOUND');
  }
  assert.deepEqual((await stored(held)).votes, []);
});
