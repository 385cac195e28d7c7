import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const PATH = '/v1/audit-events/searches';

const s = createScene();

const ask = (method: string, path: string, body?: object, token = s.tenant.token) =>
  call(s.planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const save = (body: object, token?: string) => ask('POST', PATH, body, token);
const namesSeen = async (token: string): Promise<string[]> =>
  (await ask('GET', PATH, undefined, token)).json.map(({ name }: { name: string }) => name);
const listPointers = (answer: Awaited<ReturnType<typeof ask>>) =>
  answer.json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);

test('createAuditSearch returns the query of a search, updateAuditSearch changes it for its owner, and after deleteAuditSearch it is gone', async () => {
  const filter = { type: 'workspace.created,environment.created', q: 'Payments' };
  const made = await save({ name: 'Places', filter });
  assert.equal(made.status, 201, made.text);
  const { id, query, created_at, updated_at, ...told } = made.json;
  assert.match(id, /^asr_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(created_at, updated_at);
  assert.deepEqual(told, { name: 'Places', filter, shared: false, owner: { type: 'USER', id: s.tenant.user.id } });
  const { data } = (await ask('GET', `/v1/audit-events?${query}`)).json;
  assert.deepEqual(
    data.map(({ type }: { type: string }) => type),
    ['workspace.created'],
  );
  const changed = await ask('PATCH', `${PATH}/${id}`, { name: 'Workspaces', filter: { type: 'workspace.created' } });
  assert.deepEqual([changed.status, changed.json.name, changed.json.query], [200, 'Workspaces', 'type=workspace.created']);
  assert.deepEqual(listPointers(await ask('PATCH', `${PATH}/${id}`, {})), ['']);
  assert.equal((await ask('DELETE', `${PATH}/${id}`)).status, 200);
  assert.equal((await ask('DELETE', `${PATH}/${id}`)).status, 404);
});

test('a name is unique per person, and a query that a search would refuse is not saved', async () => {
  assert.equal((await save({ name: 'Twice', filter: {} })).status, 201);
  assert.equal((await save({ name: 'Twice', filter: {} })).json.error.code, 'ALREADY_EXISTS');
  const words = Array.from({ length: LIMITS.search.wordsMax + 1 }, (_, n) => `w${n}`).join(' ');
  const wrong = {
    limit: { limit: 5 },
    cursor: { cursor: 'x' },
    severity: { severity: 'loud' },
    from: { from: 'yesterday' },
    type: { type: 'workspace.created,workspace.made' },
    q: { q: words },
  };
  for (const [member, filter] of Object.entries(wrong))
    assert.deepEqual(listPointers(await save({ name: 'Wrong', filter })), [`/filter/${member}`], member);
  assert.deepEqual(listPointers(await ask('GET', `/v1/audit-events?${new URLSearchParams({ q: words })}`)), ['/q']);
  assert.equal((await namesSeen(s.tenant.token)).includes('Wrong'), false);
});

test('listAuditSearches shows private searches only to their owner; shared ones are visible to full readers and changed by their owner only', async () => {
  const other = (await insertPerson(s.owner, s.tenant.organization_id, 'auditor')).token;
  const part = (await insertPerson(s.owner, s.tenant.organization_id, 'auditor', { workspaces: [s.tenant.workspace_id] })).token;
  const own = await save({ name: 'Mine', filter: { q: 'secret plan' } }, other);
  const shared = await save({ name: 'Ours', filter: { severity: 'critical' }, shared: true }, other);
  assert.deepEqual([own.status, shared.status], [201, 201], own.text);
  assert.deepEqual(await namesSeen(other), ['Mine', 'Ours']);
  const seen = await namesSeen(s.tenant.token);
  assert.deepEqual([seen.includes('Ours'), seen.includes('Mine')], [true, false]);
  assert.deepEqual(await namesSeen(part), []);
  assert.deepEqual(await namesSeen((await newTenant(s.planes)).token), []);
  const never = await ask('PATCH', `${PATH}/asr_${newUlid()}`, { name: 'x' });
  for (const { json } of [own, shared]) {
    const refused = await ask('PATCH', `${PATH}/${json.id}`, { name: 'Stolen' });
    assert.deepEqual([refused.status, refused.json.error.message], [404, never.json.error.message]);
    assert.equal((await ask('DELETE', `${PATH}/${json.id}`, undefined, part)).status, 404);
  }
  assert.equal((await save({ name: 'Part', filter: {}, shared: true }, part)).json.error.code, 'PERMISSION_DENIED');
  assert.equal((await save({ name: 'Part', filter: {} }, part)).status, 201);
  assert.equal((await ask('DELETE', `${PATH}/${own.json.id}`)).status, 404);
  assert.equal((await ask('DELETE', `${PATH}/${shared.json.id}`)).status, 200, 'an owner clears up what is shared');
});

test('a limited caller cannot change what they shared before, but can unshare or delete it', async () => {
  const person = await insertPerson(s.owner, s.tenant.organization_id, 'auditor');
  const filter = { severity: 'critical' };
  const { id } = (await save({ name: 'Of all', filter, shared: true }, person.token)).json;
  await s.owner.query('update members set is_limited = true where user_id = $1', [person.id]);
  const change = (body: object) => ask('PATCH', `${PATH}/${id}`, body, person.token);
  for (const body of [{ filter: {} }, { name: 'Another' }, { filter: {}, shared: true }])
    assert.equal((await change(body)).json.error?.code, 'PERMISSION_DENIED', JSON.stringify(body));
  const [seen] = (await ask('GET', PATH)).json.filter((each: { id: string }) => each.id === id);
  assert.deepEqual([seen.name, seen.filter], ['Of all', filter]);
  assert.deepEqual(
    [(await change({ filter: {}, shared: false })).json.shared, (await namesSeen(s.tenant.token)).includes('Of all')],
    [false, false],
  );
  assert.equal((await ask('DELETE', `${PATH}/${id}`, undefined, person.token)).status, 200);
});

test('limits saved searches per person, also for concurrent requests', async () => {
  const hoarder = (await insertPerson(s.owner, s.tenant.organization_id, 'auditor')).token;
  const max = LIMITS.search.savedPerOwnerMax;
  const answers = await Promise.all(Array.from({ length: max + 5 }, (_, n) => save({ name: `Search ${n}`, filter: {} }, hoarder)));
  assert.equal(answers.filter(({ status }) => status === 201).length, max);
  assert.equal((await namesSeen(hoarder)).length, max);
});
