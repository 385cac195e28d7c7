import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const asking = (approval: object) => [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'r', approval }];
const ONE = asking({ approver_role: 'approver' });
const TWO = asking({ approver_role: 'approver', quorum: 2 });

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? `${status}`;
const step = (who: { token: string }, id: string, verb: string, body: object = {}) =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${id}/${verb}`, { token: who.token, body });
const card = async ({ owner }: Governed, id: string) => (await owner('GET', `/v1/approvals/${id}`)).json;
const heldBy = (held: TestResponse): string => {
  assert.equal(getCode(held), 'APPROVAL_REQUIRED', held.text);
  return held.json.error.details.approval_id;
};
const approver = ({ tenant }: Governed): Promise<InsertedPerson> => insertPerson(database, tenant.organization_id, 'approver');
const setRole = (who: InsertedPerson, role: 'approver' | 'developer') =>
  database.query('update members set role_id = $2 where user_id = $1', [who.id, getBuiltInRole(role).id]);

test('withdraws a vote before the quorum is complete, and takes another from the same person', async () => {
  const governed = await newGoverned(planes, { rules: TWO });
  const [ann, ben] = [await approver(governed), await approver(governed)];
  const id = heldBy(await governed.act({}));
  assert.equal((await step(ann, id, 'approve')).json.approvals_given, 1);
  assert.equal(getCode(await step(ann, id, 'approve')), 'CONFLICT');
  const withdrawn = await step(ann, id, 'withdraw', { comment: 'Not yet.' });
  assert.deepEqual([withdrawn.status, withdrawn.json.status, withdrawn.json.approvals_given], [200, 'PENDING', 0], withdrawn.text);
  const [vote] = (await card(governed, id)).votes;
  assert.deepEqual([vote.counts, vote.not_counted_because, vote.withdrawn_at !== null], [false, 'WITHDRAWN', true]);
  assert.equal(getCode(await step(ann, id, 'withdraw')), 'CONFLICT');
  assert.equal((await step(ben, id, 'approve')).json.status, 'PENDING');
  assert.equal((await step(ann, id, 'approve')).json.status, 'APPROVED');
  const { rows } = await database.query(
    "select type, actor_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
    [id],
  );
  const told = rows.filter(({ type }) => type === 'approval.vote_withdrawn');
  assert.deepEqual(
    told.map(({ actor_id, data }) => [actor_id, data.comment, data.before, data.after]),
    [[ann.id, 'Not yet.', { status: 'PENDING' }, { status: 'PENDING' }]],
  );
});

test('makes an approved request pending again when a vote that it needs is withdrawn', async () => {
  const governed = await newGoverned(planes, { rules: ONE });
  const [ann, ben] = [await approver(governed), await approver(governed)];
  const id = heldBy(await governed.act({}));
  assert.equal((await step(ann, id, 'approve')).json.status, 'APPROVED');
  assert.equal(getCode(await step(ben, id, 'withdraw')), 'CONFLICT', 'only the own vote');
  const again = await step(ann, id, 'withdraw');
  assert.deepEqual([again.json.status, again.json.approvals_given, again.json.decided_at], ['PENDING', 0, null], again.text);
  assert.equal(getCode(await governed.act({ approval_id: id })), 'APPROVAL_REQUIRED');
  assert.equal((await step(ben, id, 'approve')).json.status, 'APPROVED');
  assert.equal(getCode(await governed.act({ approval_id: id })), '200');
  assert.equal(getCode(await step(ben, id, 'withdraw')), 'INVALID_STATE_TRANSITION', 'it is used');
  const { approved_by } = (await database.query('select approved_by from approvals where id = $1', [id])).rows[0];
  assert.deepEqual(approved_by, [ben.id]);
});

test('keeps a request approved that has enough votes without the withdrawn one', async () => {
  const governed = await newGoverned(planes, { rules: asking({ approver_role: 'admin', quorum: 2 }) });
  const { organization_id } = governed.tenant;
  const people = [await insertPerson(database, organization_id, 'admin'), await insertPerson(database, organization_id, 'admin')] as const;
  const id = heldBy(await governed.act({}));
  for (const person of people) await step(person, id, 'approve');
  // A third vote counts where a rule names people; written here as the second rule would store it.
  const third = await insertPerson(database, organization_id, 'admin');
  await database.query(
    "insert into approval_votes (organization_id, approval_id, user_id, vote, voted_at) values ($1, $2, $3, 'APPROVE', now())",
    [organization_id, id, third.id],
  );
  await database.query('update approvals set approved_by = approved_by || $2::text where id = $1', [id, third.id]);
  const withdrawn = await step(people[0], id, 'withdraw');
  assert.deepEqual([withdrawn.json.status, withdrawn.json.approvals_given], ['APPROVED', 2], withdrawn.text);
  assert.equal(getCode(await governed.act({ approval_id: id })), '200');
  const { rows } = await database.query(
    "select data::jsonb - 'record_digests' as data from audit_events where type = 'action.allowed' and data->>'approval_id' = $1",
    [id],
  );
  assert.deepEqual(rows[0].data.approved_by.toSorted(), [people[1].id, third.id].toSorted());
});

test('refuses a withdrawal by an API key, of an expired approval, and in another organization', async () => {
  const governed = await newGoverned(planes, { rules: ONE });
  const ann = await approver(governed);
  const id = heldBy(await governed.act({}));
  await step(ann, id, 'approve');
  const { token } = await newControlClient(planes.controlUrl, governed.tenant.token).createApiKey({
    body: { name: 'ci', role_id: getBuiltInRole('approver').id },
  });
  assert.equal(getCode(await step({ token }, id, 'withdraw')), 'PERMISSION_DENIED');
  const other = await newGoverned(planes);
  assert.equal(getCode(await step({ token: other.tenant.token }, id, 'withdraw')), 'NOT_FOUND');
  await database.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [id]);
  assert.equal(getCode(await step(ann, id, 'withdraw')), 'APPROVAL_EXPIRED');
});

test('lets either a withdrawal or one of two uses over two gateways win, and never both', async () => {
  const governed = await newGoverned(planes, { rules: ONE });
  const ann = await approver(governed);
  const wins = { withdrawn: 0, used: 0 };
  for (let round = 0; round < countRepetitions({ short: 12, long: 100 }); round += 1) {
    const id = heldBy(await governed.act({ parameters: { round } }));
    await step(ann, id, 'approve');
    const use = (gateway: number) => governed.act({ approval_id: id, parameters: { round } }, { gateway });
    const [first, withdrawn, second] = await Promise.all([use(0), step(ann, id, 'withdraw'), use(1)]);
    const used = [first, second].filter(({ status }) => status === 200).length;
    const isWithdrawn = withdrawn.status === 200;
    assert.equal(used + (isWithdrawn ? 1 : 0), 1, `${first.text} ${withdrawn.text} ${second.text}`);
    assert.ok(isWithdrawn || getCode(withdrawn) === 'INVALID_STATE_TRANSITION', withdrawn.text);
    assert.equal((await card(governed, id)).status, isWithdrawn ? 'PENDING' : 'CONSUMED');
    wins[isWithdrawn ? 'withdrawn' : 'used'] += 1;
  }
  assert.ok(wins.used + wins.withdrawn > 0, JSON.stringify(wins));
});

test('counts only votes that are valid now, on the card and in the list, and states why others do not count', async () => {
  const governed = await newGoverned(planes, { rules: asking({ approver_role: 'approver', quorum: 3 }) });
  const [ann, ben, cem] = [await approver(governed), await approver(governed), await approver(governed)];
  const id = heldBy(await governed.act({}));
  for (const person of [ann, ben]) assert.equal((await step(person, id, 'approve')).status, 200);
  await setRole(ann, 'developer');
  const given = async () => {
    const shown = await card(governed, id);
    const listed = (await governed.owner('GET', '/v1/approvals?status=PENDING')).json.find((each: { id: string }) => each.id === id);
    assert.equal(listed.approvals_given, shown.approvals_given, 'list and card agree');
    return [
      shown.approvals_given,
      ...shown.votes.map(({ not_counted_because }: { not_counted_because: string | null }) => not_counted_because),
    ];
  };
  assert.deepEqual(await given(), [1, 'NO_PERMISSION', null]);
  await database.query('delete from members where user_id = $1', [ann.id]);
  assert.deepEqual(await given(), [1, 'NO_ACCESS', null]);
  await step(cem, id, 'approve');
  const answered = await step({ token: governed.tenant.token }, id, 'questions', { question: 'Why?' });
  assert.equal(answered.status, 200, answered.text);
  assert.deepEqual(await given(), [2, 'NO_ACCESS', null, null]);
});

test('takes another vote from a person who lost the right and has it again', async () => {
  const governed = await newGoverned(planes, { rules: TWO });
  const [ann, ben] = [await approver(governed), await approver(governed)];
  const id = heldBy(await governed.act({}));
  await step(ann, id, 'approve');
  await database.query("update approval_votes set voted_at = voted_at - interval '1 hour' where user_id = $1", [ann.id]);
  assert.equal((await card(governed, id)).votes[0].not_counted_because, 'NO_ACCESS', 'joined again since');
  assert.equal((await step(ben, id, 'approve')).json.status, 'PENDING');
  assert.equal((await step(ann, id, 'approve')).json.status, 'APPROVED');
});

test('grants an approval when votes count again that were not enough before', async () => {
  const governed = await newGoverned(planes, { rules: TWO });
  const [ann, ben] = [await approver(governed), await approver(governed)];
  const id = heldBy(await governed.act({}));
  await step(ann, id, 'approve');
  await setRole(ann, 'developer');
  assert.equal((await step(ben, id, 'approve')).json.status, 'PENDING');
  await setRole(ann, 'approver');
  assert.equal((await card(governed, id)).approvals_given, 2);
  assert.equal((await step(ben, id, 'approve')).json.status, 'APPROVED');
});

test('returns a reassigned approval when its target loses the right to vote', async () => {
  const governed = await newGoverned(planes, { rules: ONE });
  const [ann, ben, cem] = [await approver(governed), await approver(governed), await approver(governed)];
  const stands = async (id: string) => (await card(governed, id)).handovers.map(({ stands: each }: { stands: boolean }) => each);
  const [decided, again] = [heldBy(await governed.act({})), heldBy(await governed.act({}))];
  for (const id of [decided, again]) assert.equal((await step(ann, id, 'delegate', { user_id: ben.id })).status, 200);
  assert.equal(getCode(await step(ann, decided, 'approve')), 'CONFLICT');
  assert.deepEqual(await stands(decided), [true]);
  await setRole(ben, 'developer');
  assert.deepEqual(await stands(decided), [false]);
  assert.equal((await step(ann, decided, 'approve')).json.status, 'APPROVED');
  assert.equal((await step(ann, again, 'delegate', { user_id: cem.id })).status, 200, 'or is reassigned to another person');
  await setRole(ben, 'approver');
  assert.deepEqual([await stands(decided), await stands(again)], [[false], [true]]);
  assert.equal(getCode(await step(ann, again, 'approve')), 'CONFLICT');
});

test('counts one right to vote once after a reassigned approval was returned', async () => {
  const governed = await newGoverned(planes, { rules: asking({ approver_role: 'approver', quorum: 2 }) });
  const ann = await approver(governed);
  const ben = await insertPerson(database, governed.tenant.organization_id, 'admin');
  const id = heldBy(await governed.act({}));
  await step(ann, id, 'delegate', { user_id: ben.id });
  assert.equal((await step(ben, id, 'approve')).json.approvals_given, 1, 'on behalf of Ann');
  await setRole(ben, 'developer');
  assert.equal((await step(ann, id, 'approve')).json.approvals_given, 1);
  await database.query('update members set role_id = $2 where user_id = $1', [ben.id, getBuiltInRole('admin').id]);
  const shown = await card(governed, id);
  assert.deepEqual([shown.status, shown.approvals_given], ['PENDING', 1], 'Ann decided herself');
  assert.equal(shown.votes[0].not_counted_because, 'NOT_REQUESTED');
});
