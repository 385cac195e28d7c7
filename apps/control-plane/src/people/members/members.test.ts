import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, getCode, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();
let other: string;

s.before(async () => {
  other = (await post('/v1/workspaces', s.tenant.token, { name: 'Other' })).json.id;
});

const roleId = (name: BuiltInRoleName): string => getBuiltInRole(name).id;
const send = (method: string, path: string, token: string, body?: unknown): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
const post = (path: string, token: string, body?: unknown) => send('POST', path, token, body);
const updateMember = (token: string, id: string, body: object) => send('PATCH', `/v1/members/${id}`, token, body);
const listMembers = (token: string) => send('GET', '/v1/members', token);
const getMember = (token: string, id: string) => send('GET', `/v1/members/${id}`, token);
const transferOwnership = (token: string, path: string, body?: object) => post(path, token, body);
const give = (token: string, id: string, role: BuiltInRoleName) => updateMember(token, id, { role_id: roleId(role) });
const removeMember = (token: string, id: string) => send('DELETE', `/v1/members/${id}`, token);
const isLive = async (token: string) => (await send('GET', '/v1/auth/session', token)).status === 200;
const readPermissions = async (token: string): Promise<string[]> => (await send('GET', '/v1/auth/session', token)).json.permissions;
const eventsAbout = (id: string) => s.eventsOf(id, 'type', 'actor_id', 'data');

const newMember = async (
  role: BuiltInRoleName | { readonly id: string },
  options: { readonly workspaces?: readonly string[]; readonly steppedUp?: boolean } = {},
  of = s.tenant,
) => {
  const person = await insertPerson(s.owner, of.organization_id, role, options);
  const { rows } = await s.owner.query('select id from members where user_id = $1', [person.id]);
  return { ...person, memberId: rows[0].id as string };
};
const readMember = async (userId: string): Promise<string> =>
  (await s.owner.query('select id from members where user_id = $1 order by created_at limit 1', [userId])).rows[0].id;

describe('members', () => {
  test('are listed with role and workspaces; a limited caller sees members of its workspaces, and no other workspace', async () => {
    const fresh = await newTenant(s.planes);
    const away = (await post('/v1/workspaces', fresh.token, { name: 'Away' })).json.id;
    const wide = await newMember('viewer', {}, fresh);
    const here = await newMember('admin', { workspaces: [fresh.workspace_id, away] }, fresh);
    const there = await newMember('viewer', { workspaces: [away] }, fresh);
    const limited = await newMember('admin', { workspaces: [fresh.workspace_id] }, fresh);
    const seen = async (token: string) => {
      const { json } = await listMembers(token);
      return Object.fromEntries(json.map(({ id, workspace_ids }: { id: string; workspace_ids: string[] | null }) => [id, workspace_ids]));
    };
    const own = await readMember(fresh.user.id);
    const both = [fresh.workspace_id, away].toSorted();
    const mine = [fresh.workspace_id];
    assert.deepEqual(await seen(fresh.token), {
      [own]: null,
      [wide.memberId]: null,
      [here.memberId]: both,
      [there.memberId]: [away],
      [limited.memberId]: mine,
    });
    assert.deepEqual(await seen(limited.token), { [own]: null, [wide.memberId]: null, [here.memberId]: mine, [limited.memberId]: mine });
    assert.equal(getCode(await getMember(limited.token, there.memberId)), 'NOT_FOUND');
    const told = (await getMember(fresh.token, own)).json;
    assert.deepEqual(told.user, { id: fresh.user.id, email: fresh.email, name: fresh.user.name });
    assert.deepEqual(told.role, { id: roleId('owner'), name: 'owner' });
  });

  test('have another role or workspaces from their next request on, and the event contains before and after', async () => {
    const { memberId, token, id } = await newMember('admin');
    const key = (await post('/v1/api-keys', token, { name: 'k', role_id: roleId('admin') })).json.token;
    const answer = await give(s.tenant.token, memberId, 'viewer');
    assert.deepEqual([answer.status, answer.json.role.name], [200, 'viewer'], answer.text);
    for (const credential of [token, key])
      assert.deepEqual((await readPermissions(credential)).toSorted(), getBuiltInRole('viewer').permissions.toSorted());
    const limited = await updateMember(s.tenant.token, memberId, { workspace_ids: [other, s.tenant.workspace_id] });
    assert.deepEqual(limited.json.workspace_ids, [other, s.tenant.workspace_id].toSorted());
    assert.equal((await send('GET', '/v1/workspaces', token)).json.length, 2);
    await updateMember(s.tenant.token, memberId, { workspace_ids: [other] });
    assert.deepEqual(
      (await send('GET', '/v1/workspaces', key)).json.map((each: { id: string }) => each.id),
      [other],
    );
    await updateMember(s.tenant.token, memberId, { workspace_ids: null });
    const events = await eventsAbout(memberId);
    assert.deepEqual(
      events.map(({ type, actor_id, data }) => [
        type,
        actor_id,
        data.user_id,
        data.before.role_name,
        data.after.role_name,
        data.after.workspace_ids,
      ]),
      [
        ['member.role_changed', s.tenant.user.id, id, 'admin', 'viewer', null],
        ['member.role_changed', s.tenant.user.id, id, 'viewer', 'viewer', [other, s.tenant.workspace_id].toSorted()],
        ['member.role_changed', s.tenant.user.id, id, 'viewer', 'viewer', [other]],
        ['member.role_changed', s.tenant.user.id, id, 'viewer', 'viewer', null],
      ],
    );
    await updateMember(s.tenant.token, memberId, { role_id: roleId('viewer') });
    assert.equal((await eventsAbout(memberId)).length, 4, 'nothing changed, so nothing is told');
  });

  test('of another organization, and its roles and workspaces, are answered as unknown', async () => {
    const stranger = await newTenant(s.planes);
    const { memberId } = await newMember('viewer');
    const role = (await post('/v1/roles', stranger.token, { name: 'Theirs', permissions: ['agent:read'] })).json;
    const bare = ({ text, json }: TestResponse) => text.replace(json.error.request_id, '');
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', ''],
    ] as const) {
      const ask = (id: string) =>
        send(method, `/v1/members/${id}${path}`, stranger.token, method === 'PATCH' ? { role_id: roleId('viewer') } : undefined);
      assert.equal(bare(await ask(memberId)), bare(await ask('mem_01JXA4T0000000000000000ABC')), method);
    }
    for (const body of [
      { role_id: role.id },
      { role_id: 'rol_01JXA4T0000000000000000ABC' },
      { workspace_ids: [stranger.workspace_id] },
      { workspace_ids: ['wsp_01JXA4T0000000000000000ABC'] },
    ])
      assert.equal(getCode(await updateMember(s.tenant.token, memberId, body)), 'NOT_FOUND', JSON.stringify(body));
    await stepUp(s.planes.controlUrl, stranger);
    assert.equal(getCode(await post(`/v1/members/${memberId}/transfer-ownership`, stranger.token)), 'NOT_FOUND');
  });
});

describe('giving, changing or removing requires the permissions concerned', () => {
  test('for roles and workspaces, on oneself, and with a key', async () => {
    const admin = await newMember('admin');
    const limited = await newMember('admin', { workspaces: [s.tenant.workspace_id] });
    const auditor = await newMember('auditor');
    const away = await newMember('viewer', { workspaces: [other] });
    const own = await readMember(s.tenant.user.id);
    const builder = (
      await post('/v1/roles', s.tenant.token, {
        name: 'People only',
        permissions: ['member:read', 'member:update', 'member:remove', 'apikey:create'],
      })
    ).json;
    const people = await newMember({ id: builder.id });
    const key = (await post('/v1/api-keys', s.tenant.token, { name: 'k', role_id: roleId('admin') })).json.token;
    const denied: readonly (readonly [string, Promise<TestResponse>])[] = [
      ['an admin makes an owner', give(admin.token, auditor.memberId, 'owner')],
      ['an admin makes themselves one', give(admin.token, admin.memberId, 'owner')],
      ['an admin changes the owner', give(admin.token, own, 'viewer')],
      ['an admin removes the owner', removeMember(admin.token, own)],
      ['a key makes an owner', give(key, auditor.memberId, 'owner')],
      ['a key removes the owner', removeMember(key, own)],
      ['more than they hold', give(people.token, auditor.memberId, 'viewer')],
      ['a member with more permissions', give(people.token, admin.memberId, 'viewer')],
      ['removing a member with more permissions', removeMember(people.token, admin.memberId)],
      ['themselves more', give(people.token, people.memberId, 'viewer')],
      ['beyond their workspaces', updateMember(limited.token, limited.memberId, { workspace_ids: null })],
      ['a member of the whole organization', give(limited.token, auditor.memberId, 'viewer')],
      ['its removal', removeMember(limited.token, auditor.memberId)],
    ];
    for (const [what, answering] of denied) assert.equal(getCode(await answering), 'PERMISSION_DENIED', what);
    assert.equal(getCode(await removeMember(limited.token, away.memberId)), 'NOT_FOUND', 'one they do not see');
    assert.equal(
      getCode(await updateMember(limited.token, limited.memberId, { workspace_ids: [other] })),
      'NOT_FOUND',
      'a workspace they do not see',
    );
    assert.equal(
      getCode(await updateMember(s.tenant.token, auditor.memberId, { role_id: roleId('owner'), workspace_ids: [other] })),
      'VALIDATION_FAILED',
    );
    assert.equal(getCode(await updateMember(admin.token, auditor.memberId, { role_id: roleId('security') })), '200');
    assert.equal(getCode(await give(admin.token, admin.memberId, 'viewer')), '200', 'less is everybody’s own to take');
  });

  test('also if the caller was demoted during the request', async () => {
    const [admin, victim] = [await newMember('admin'), await newMember('viewer')];
    const holding = await s.planes.database.client();
    await holding.query('begin');
    await holding.query("select pg_advisory_xact_lock(hashtextextended('svc staff of ' || $1, 0))", [s.tenant.organization_id]);
    const late = give(admin.token, victim.memberId, 'admin');
    let isDone = false;
    void late.finally(() => {
      isDone = true;
    });
    for (let waiting = 0; waiting === 0 && !isDone; )
      waiting = Number((await s.owner.query("select count(*) from pg_locks where locktype = 'advisory' and not granted")).rows[0].count);
    await holding.query('update members set role_id = $1 where user_id = $2', [roleId('viewer'), admin.id]);
    await holding.query('commit');
    await holding.end();
    assert.equal(getCode(await late), 'PERMISSION_DENIED');
    assert.equal((await getMember(s.tenant.token, victim.memberId)).json.role.name, 'viewer');
  });
});

describe('the last owner', () => {
  test('cannot be demoted or removed, not even by themselves; one of two owners can', async () => {
    const fresh = await newTenant(s.planes);
    const own = await readMember(fresh.user.id);
    for (const answer of [await give(fresh.token, own, 'admin'), await removeMember(fresh.token, own)])
      assert.equal(getCode(answer), 'CONFLICT');
    const second = await newMember('owner', {}, fresh);
    assert.equal(getCode(await give(second.token, own, 'admin')), '200');
    assert.equal(getCode(await removeMember(second.token, second.memberId)), 'CONFLICT');
  });

  test('remains when two owners demote each other or themselves concurrently: one request wins', async () => {
    const fresh = await newTenant(s.planes);
    const [one, two] = [await newMember('owner', {}, fresh), await newMember('owner', {}, fresh)];
    await give(one.token, await readMember(fresh.user.id), 'viewer');
    for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
      const ways = [
        () => [give(one.token, two.memberId, 'viewer'), give(two.token, one.memberId, 'viewer')],
        () => [give(one.token, one.memberId, 'viewer'), give(two.token, two.memberId, 'viewer')],
      ];
      await Promise.all((ways[round % 2] as (typeof ways)[0])());
      const { rows } = await s.owner.query('select id, user_id from members where organization_id = $1 and role_id = $2', [
        fresh.organization_id,
        roleId('owner'),
      ]);
      assert.equal(rows.length, 1, `round ${round}`);
      await s.owner.query('update members set role_id = $1 where id = any ($2)', [roleId('owner'), [one.memberId, two.memberId]]);
    }
  });
});

describe('transferring the ownership', () => {
  test('requires an owner with a recent step-up, and makes one of two concurrent transfers; the other two permissions alone are not enough', async () => {
    const fresh = await newTenant(s.planes);
    const next = await newMember('viewer', { workspaces: [fresh.workspace_id] }, fresh);
    const path = `/v1/members/${next.memberId}/transfer-ownership`;
    assert.equal(getCode(await transferOwnership(fresh.token, path)), 'STEP_UP_REQUIRED');
    const everything = { name: 'Everything', permissions: [...getBuiltInRole('owner').permissions] };
    const almighty = await newMember({ id: (await post('/v1/roles', fresh.token, everything)).json.id }, { steppedUp: true }, fresh);
    assert.equal(getCode(await transferOwnership(almighty.token, path)), 'PERMISSION_DENIED');
    await stepUp(s.planes.controlUrl, fresh);
    assert.equal(getCode(await transferOwnership(fresh.token, path, { role_id: roleId('owner') })), 'VALIDATION_FAILED');
    const own = await readMember(fresh.user.id);
    assert.equal(getCode(await post(`/v1/members/${own}/transfer-ownership`, fresh.token)), 'CONFLICT');
    const answer = await transferOwnership(fresh.token, path);
    assert.deepEqual(
      [
        answer.json.owner.id,
        answer.json.owner.role.name,
        answer.json.owner.workspace_ids,
        answer.json.former_owner.id,
        answer.json.former_owner.role.name,
      ],
      [next.memberId, 'owner', null, own, 'admin'],
      answer.text,
    );
    assert.ok((await readPermissions(next.token)).includes('organization:delete'));
    assert.ok(!(await readPermissions(fresh.token)).includes('organization:delete'));
  });

  test('requires both of its permissions: the missing one is named, and a key is refused', async () => {
    const { memberId } = await newMember('viewer');
    const path = `/v1/members/${memberId}/transfer-ownership`;
    for (const missing of ['member:update', 'organization:delete']) {
      const permissions = getBuiltInRole('owner').permissions.filter((each) => each !== missing);
      const role = (await post('/v1/roles', s.tenant.token, { name: `All but ${missing}`, permissions })).json;
      const person = await newMember({ id: role.id }, { steppedUp: true });
      const refused = await transferOwnership(person.token, path);
      assert.deepEqual([getCode(refused), refused.json.error.details], ['PERMISSION_DENIED', { permission: missing }]);
      const unread = await transferOwnership(person.token, path, { bogus: 1 });
      assert.deepEqual(unread.json.error.details, { permission: missing }, 'before the body is read');
      const only = (await post('/v1/roles', s.tenant.token, { name: `Only ${missing}`, permissions: [missing] })).json;
      assert.equal(getCode(await post(path, (await newMember({ id: only.id }, { steppedUp: true })).token)), 'PERMISSION_DENIED');
    }
    const key = (await post('/v1/api-keys', s.tenant.token, { name: 'k', role_id: roleId('admin') })).json.token;
    assert.equal(getCode(await transferOwnership(key, path)), 'PERMISSION_DENIED');
  });
});

describe('the end of a membership', () => {
  test('ends sessions, keys and derived keys at the next request, and none returns with the person', async () => {
    const { id, memberId, token } = await newMember('admin');
    const body = { name: 'k', role_id: roleId('admin') };
    const first = (await post('/v1/api-keys', token, body)).json;
    const second = (await post('/v1/api-keys', first.token, body)).json;
    const credentials = [token, first.token, second.token];
    assert.deepEqual(await Promise.all(credentials.map(isLive)), [true, true, true]);
    const answer = await removeMember(s.tenant.token, memberId);
    assert.deepEqual(
      [answer.json.member.id, answer.json.ended],
      [memberId, { sessions: 1, api_keys: 2, invitations: 0, approvals: 0, delegations: 0 }],
      answer.text,
    );
    assert.deepEqual(await Promise.all(credentials.map(isLive)), [false, false, false]);
    assert.deepEqual(
      (await eventsAbout(second.api_key.id)).map(({ type, data }) => [type, data.because]),
      [
        ['apikey.created', undefined],
        ['apikey.revoked', memberId],
      ],
    );
    await insertMember(s.owner, { organizationId: s.tenant.organization_id, userId: id, roleId: roleId('admin') });
    assert.deepEqual(await Promise.all(credentials.map(isLive)), [false, false, false], 'joined again');
    assert.equal(getCode(await removeMember(s.tenant.token, memberId)), 'NOT_FOUND');
  });

  test('keeps what the person has in other organizations', async () => {
    const elsewhere = await newTenant(s.planes);
    const id = await insertMember(s.owner, {
      organizationId: s.tenant.organization_id,
      userId: elsewhere.user.id,
      roleId: roleId('admin'),
    });
    const here = (await post('/v1/auth/switch', elsewhere.token, { organization_id: s.tenant.organization_id })).json.token;
    await removeMember(s.tenant.token, id);
    assert.deepEqual([await isLive(here), await isLive(elsewhere.token)], [false, true]);
  });
});

describe('a vote of a person who is no longer an approver', () => {
  const hold = (approval: object = {}) => insertHeldAction(s.owner, s.tenant, { ...approval }, {});
  const approve = (id: string, token: string) => post(`/v1/approvals/${id}/approve`, token, {});
  const stored = async ({ approvalId, actionId }: { approvalId: string; actionId: string }) => [
    (await s.owner.query('select status from approvals where id = $1', [approvalId])).rows[0].status,
    (await s.owner.query('select status from actions where id = $1', [actionId])).rows[0].status,
  ];

  test('does not count before the approval is complete, whether they were demoted, removed, limited or reinstated', async () => {
    const [late, own] = [await newMember('approver'), await newMember('approver')];
    const losing: readonly ((member: typeof own) => Promise<unknown>)[] = [
      (member) => give(s.tenant.token, member.memberId, 'viewer'),
      (member) => removeMember(s.tenant.token, member.memberId),
      (member) => updateMember(s.tenant.token, member.memberId, { workspace_ids: [other] }),
      async (member) => {
        await removeMember(s.tenant.token, member.memberId);
        await insertMember(s.owner, { organizationId: s.tenant.organization_id, userId: member.id, roleId: roleId('approver') });
      },
    ];
    for (const lose of losing) {
      const held = await hold({ quorum: 2 });
      const member = await newMember('approver');
      await approve(held.approvalId, member.token);
      await lose(member);
      assert.equal((await approve(held.approvalId, late.token)).json.status, 'PENDING');
      assert.equal((await approve(held.approvalId, own.token)).json.status, 'APPROVED');
    }
  });

  test('withdraws an unused approval that needs it; others and used ones stay', async () => {
    const [member, another] = [await newMember('approver'), await newMember('approver')];
    const [alone, used, theirs] = [await hold(), await hold(), await hold()];
    for (const held of [alone, used]) await approve(held.approvalId, member.token);
    await approve(theirs.approvalId, another.token);
    await s.owner.query("update approvals set status = 'CONSUMED' where id = $1", [used.approvalId]);
    await give(s.tenant.token, member.memberId, 'viewer');
    assert.deepEqual(await stored(alone), ['CANCELLED', 'CANCELLED']);
    assert.deepEqual([(await stored(used))[0], await stored(theirs)], ['CONSUMED', ['APPROVED', 'APPROVED']]);
    const cancelled = (await eventsAbout(alone.approvalId)).at(-1);
    assert.deepEqual(
      [cancelled?.type, cancelled?.data.before, cancelled?.data.after],
      ['approval.cancelled', { status: 'APPROVED' }, { status: 'CANCELLED' }],
    );
    await give(s.tenant.token, another.memberId, 'security');
    assert.deepEqual(await stored(theirs), ['CANCELLED', 'CANCELLED'], 'a role that the rule does not ask for');
    const kept = await newMember('approver');
    const asked = await hold();
    await approve(asked.approvalId, kept.token);
    await give(s.tenant.token, kept.memberId, 'owner');
    assert.deepEqual(await stored(asked), ['APPROVED', 'APPROVED'], 'an owner counts as each');
  });

  test('is not cast if they lose the role concurrently: the demotion and the vote are serialized', async () => {
    for (let round = 0; round < countRepetitions({ short: 3, long: 8 }); round += 1) {
      const member = await newMember('approver');
      const held = await hold();
      await Promise.all([approve(held.approvalId, member.token), give(s.tenant.token, member.memberId, 'viewer')]);
      const [approval] = await stored(held);
      assert.ok(['PENDING', 'CANCELLED'].includes(approval), `round ${round}: ${approval}`);
    }
  });
});
