import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getSpellingsKept } from '@svc/testing/logs/spellings-kept.ts';
import { call, getCode, type TestResponse } from '@svc/testing/people/client.ts';
import { acceptInvitation, invite } from '@svc/testing/people/invite.ts';
import { getInvitationCode, getMailsTo } from '@svc/testing/people/mails-to.ts';
import { newTenant, type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

const PASSWORD = 'correct horse battery staple';
const roleId = (name: BuiltInRoleName): string => getBuiltInRole(name).id;
const send = (method: string, path: string, token: string | undefined, body?: unknown): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
const post = (path: string, token: string | undefined, body?: unknown) => send('POST', path, token, body);
const inviteMember = (token: string, email: string, role: BuiltInRoleName = 'viewer', more: object = {}) =>
  post('/v1/members/invitations', token, { email, role_id: roleId(role), ...more });
const accept = (code: string, as: object = { name: 'New', password: PASSWORD }) => acceptInvitation(s.planes.controlUrl, code, as);
const joinOrganization = (token: string, code: string) => post('/v1/auth/invitations/join', token, { code });
const readInvitation = (code: string) => post('/v1/auth/invitations/read', undefined, { code });
const listInvitations = () => send('GET', '/v1/members/invitations', s.tenant.token);
const resendInvitation = (token: string, id: string) => post(`/v1/members/invitations/${id}/resend`, token);
const withdrawInvitation = (token: string, id: string) => send('DELETE', `/v1/members/invitations/${id}`, token);
const readPermissions = async (token: string): Promise<string[]> => (await send('GET', '/v1/auth/session', token)).json.permissions;

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `new-${s.tenant.organization_id.toLowerCase()}-${addresses}@example.com`;
};
const invited = async (role: BuiltInRoleName = 'viewer', by: { readonly token: string } = s.tenant, email = newAddress()) => ({
  email,
  ...(await invite(s.owner, { controlUrl: s.planes.controlUrl, token: by.token }, { email, role_id: roleId(role) })),
});
const memberId = async (userId: string): Promise<string> =>
  (await s.owner.query('select id from members where user_id = $1 and organization_id = $2', [userId, s.tenant.organization_id])).rows[0]
    .id;

describe('an invitation', () => {
  test('is mailed with a link that states inviter, organization and role; the response and the database do not contain the code', async () => {
    const email = newAddress();
    const answer = await inviteMember(s.tenant.token, email, 'approver');
    assert.equal(answer.status, 201, answer.text);
    const { id, role, status, mails, workspace_ids } = answer.json;
    assert.deepEqual([role.name, status, mails, workspace_ids], ['approver', 'PENDING', 1, null]);
    const [mail, ...more] = await getMailsTo(s.owner, email);
    assert.deepEqual(
      [mail?.template, mail?.values.organization, mail?.values.inviter, more],
      ['invitation', s.tenant.organization.name, s.tenant.user.name, []],
    );
    const code = await getInvitationCode(s.owner, email);
    assert.ok(mail?.values.link?.startsWith(`${s.planes.controlUrl}/invitation#code=svc_inv_`), mail?.values.link);
    assert.ok(!answer.text.includes(code));
    assert.ok((await s.owner.query('select from invitations where id = $1', [id])).rowCount === 1 && code.length > 30);
    assert.deepEqual(await getSpellingsKept(s.owner, ['invitations'], code), []);
    const told = await readInvitation(code);
    assert.deepEqual([told.json.email, told.json.organization.name, told.json.has_account], [email, s.tenant.organization.name, false]);
    const listed = (await listInvitations()).json;
    const { mail_transport, ...invitation } = answer.json;
    assert.deepEqual([mail_transport, listed[0]], ['OUTBOX', invitation]);
  });

  test('creates a new person as a member with its role, signed in by the mailbox and the new password', async () => {
    const { code, email } = await invited('approver');
    const answer = await accept(code, { name: 'Ben', password: PASSWORD });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.json.user.email, answer.json.organization.id], [email, s.tenant.organization_id]);
    assert.deepEqual((await readPermissions(answer.json.token)).sort(), [...getBuiltInRole('approver').permissions].sort());
    const { rows } = await s.owner.query('select amr from sessions where user_id = $1', [answer.json.user.id]);
    assert.deepEqual(rows[0].amr.toSorted(), ['MAIL_CODE', 'PASSWORD']);
    const login = await post('/v1/auth/login', undefined, { email, password: PASSWORD });
    assert.equal(login.json.organization.id, s.tenant.organization_id);
    assert.equal(getCode(await accept(code)), 'GONE');
  });

  test('is valid for a week, and a used, withdrawn, replaced, expired or unknown code is answered alike with 410', async () => {
    const bare = ({ status, text, json }: TestResponse) => [status, text.replace(json.error.request_id, '')];
    const { code: used } = await invited();
    assert.equal((await accept(used)).status, 201);
    const withdrawn = await invited();
    assert.equal((await withdrawInvitation(s.tenant.token, withdrawn.id)).json.status, 'WITHDRAWN');
    const over = await invited();
    const { rows } = await s.owner.query('select expires_at - created_at as lives from invitations where id = $1', [over.id]);
    assert.equal(rows[0].lives.days, LIMITS.invitations.lifetimeDays);
    await s.owner.query("update invitations set expires_at = now() - interval '1 second' where id = $1", [over.id]);
    const never = await accept(`${used.slice(0, -3)}abc`);
    assert.equal(never.status, 410);
    for (const code of [used, withdrawn.code, over.code, '', 'x'.repeat(256)].filter((each) => each))
      for (const answer of [await accept(code), await joinOrganization(s.tenant.token, code), await readInvitation(code)])
        assert.deepEqual(bare(answer), bare(never), code.slice(0, 12));
    assert.equal(getCode(await withdrawInvitation(s.tenant.token, withdrawn.id)), 'GONE');
    assert.equal(getCode(await resendInvitation(s.tenant.token, withdrawn.id)), 'GONE');
  });

  test('is refused while the deletion of its organization is pending', async () => {
    const ending = await newTenant(s.planes);
    const { code } = await invited('viewer', ending);
    await stepUp(s.planes.controlUrl, ending);
    const body = { confirm_name: ending.organization.name, reason: 'We leave.' };
    assert.equal((await send('DELETE', '/v1/organization', ending.token, body)).status, 200);
    assert.equal(getCode(await accept(code)), 'GONE');
  });

  test('gets a new code when sent again, also after its expiry, which replaces the old one; resending is rate limited', async () => {
    const { id, code, email } = await invited();
    const again = () => resendInvitation(s.tenant.token, id);
    assert.equal(getCode(await again()), 'RATE_LIMITED');
    const wait = () =>
      s.owner.query(
        "update invitations set sent_at = sent_at - interval '61 seconds', expires_at = now() - interval '1 second' where id = $1",
        [id],
      );
    await wait();
    const renewed = await again();
    assert.deepEqual([renewed.status, renewed.json.status, renewed.json.mails], [200, 'PENDING', 2], renewed.text);
    const fresh = await getInvitationCode(s.owner, email);
    assert.notEqual(fresh, code);
    assert.equal(getCode(await accept(code)), 'GONE');
    for (let mails = 2; mails < LIMITS.invitations.mailsMax; mails += 1) {
      await wait();
      assert.equal((await again()).status, 200);
    }
    await wait();
    assert.equal(getCode(await again()), 'UNPROCESSABLE');
  });

  test('is unique per address in any form, and refused for a member; another organization may invite the same address', async () => {
    const email = newAddress();
    assert.equal((await inviteMember(s.tenant.token, email)).status, 201);
    assert.equal(getCode(await inviteMember(s.tenant.token, email.toUpperCase())), 'ALREADY_EXISTS');
    assert.equal(getCode(await inviteMember(s.tenant.token, s.tenant.email.toUpperCase())), 'ALREADY_EXISTS');
    const other = await newTenant(s.planes);
    assert.equal((await inviteMember(other.token, email)).status, 201);
    assert.equal((await inviteMember(other.token, s.tenant.email)).status, 201);
    for (const wrong of ['no address', 'a@b', 'a b@example.com', 'a@exa\nmple.com', `${'x'.repeat(250)}@example.com`, 7, null])
      assert.equal(
        getCode(await post('/v1/members/invitations', s.tenant.token, { email: wrong, role_id: roleId('viewer') })),
        'VALIDATION_FAILED',
      );
  });

  test('is replaced by a new one after its expiry', async () => {
    const { id, email } = await invited();
    await s.owner.query("update invitations set expires_at = now() - interval '1 second' where id = $1", [id]);
    assert.equal((await listInvitations()).json.find((each: { id: string }) => each.id === id).status, 'EXPIRED');
    assert.equal((await inviteMember(s.tenant.token, email)).status, 201);
  });

  test('is limited in number, and its mails per day, in total and per address', async () => {
    const crowded = await newTenant(s.planes);
    const fill = (count: number, more: string) =>
      s.owner.query(
        `insert into invitations (organization_id, id, email, role_id, code_hash, invited_by, invited_by_type, sent_at, expires_at ${more ? ', ended_at, ended_as' : ''})
         select $1, 'inv_' || n || $1, 'p' || n || '@example.com', $2, sha256(('' || n || $1 || $3)::bytea), 'x', 'USER', now(), now() + interval '1 day' ${more}
           from generate_series(1, $4) n`,
        [crowded.organization_id, roleId('viewer'), more, count],
      );
    await fill(LIMITS.invitations.pendingMax, '');
    assert.equal(getCode(await inviteMember(crowded.token, newAddress())), 'UNPROCESSABLE');
    await s.owner.query('delete from invitations where organization_id = $1', [crowded.organization_id]);
    await fill(LIMITS.invitations.mailsPerDayMax, ", now(), 'WITHDRAWN'");
    assert.equal(getCode(await inviteMember(crowded.token, newAddress())), 'RATE_LIMITED');
    await s.owner.query("update invitations set sent_at = now() - interval '25 hours' where organization_id = $1", [
      crowded.organization_id,
    ]);
    const email = newAddress();
    for (let turn = 0; turn < LIMITS.invitations.mailsToAddressPerDayMax; turn += 1) {
      const { json } = await inviteMember(crowded.token, email);
      assert.equal((await withdrawInvitation(crowded.token, json.id)).status, 200);
    }
    assert.equal(getCode(await inviteMember(crowded.token, email)), 'RATE_LIMITED');
  });
});

/** Creates a user with an account and a proved address. */
const newProved = async (): Promise<SignedUp> => {
  const person = await signUp(s.planes.controlUrl);
  await proveAddress(s.owner, person);
  return person;
};

test('a withdrawn or replaced invitation is not mailed if its mail is still queued', async () => {
  const crowded = await newTenant(s.planes);
  const email = newAddress();
  // Holds the lock as if the share of the hour is used up, so that no round takes it.
  const hold = () =>
    s.owner.query("update mails set due_at = now() + interval '1 hour', attempts = 0 where organization_id = $1", [
      crowded.organization_id,
    ]);
  const states = async () => {
    const { rows } = await s.owner.query(
      "select state, failure from mails where organization_id = $1 and template = 'invitation' order by id",
      [crowded.organization_id],
    );
    return rows.map(({ state, failure }) => (state === 'GIVEN_UP' ? failure : state));
  };
  const { json } = await inviteMember(crowded.token, email);
  await hold();
  await s.owner.query("update mails set state = 'WAITING' where organization_id = $1", [crowded.organization_id]);
  await s.owner.query("update invitations set sent_at = sent_at - interval '1 hour' where id = $1", [json.id]);
  assert.equal((await resendInvitation(crowded.token, json.id)).status, 200);
  assert.deepEqual((await states())[0], 'taken back');
  await hold();
  await s.owner.query("update mails set state = 'WAITING' where organization_id = $1 and failure is null", [crowded.organization_id]);
  assert.equal((await withdrawInvitation(crowded.token, json.id)).status, 200);
  assert.deepEqual(await states(), ['taken back', 'taken back']);
});

test('resending an invitation requires its permissions, and withdrawing it those or being its sender', async () => {
  const { id } = await invited('admin');
  const role = await newControlClient(s.planes.controlUrl, s.tenant.token).createRole({
    body: { name: `Inviter ${id}`, permissions: ['member:invite', 'member:read'] },
  });
  const inviter = await insertPerson(s.owner, s.tenant.organization_id, { id: role.id });
  await s.owner.query("update invitations set sent_at = sent_at - interval '2 minutes' where id = $1", [id]);
  for (const refused of [await resendInvitation(inviter.token, id), await withdrawInvitation(inviter.token, id)])
    assert.equal(getCode(refused), 'PERMISSION_DENIED', refused.text);
  const own = await invited('viewer');
  await s.owner.query('update invitations set invited_by = $2 where id = $1', [own.id, inviter.id]);
  assert.equal((await withdrawInvitation(inviter.token, own.id)).status, 200, 'their own, though they hold less');
  assert.equal((await resendInvitation(s.tenant.token, id)).status, 200);
  assert.equal((await withdrawInvitation(s.tenant.token, id)).status, 200);
});

describe('an existing account', () => {
  test('is not opened by the code alone: it requires the password, and wrong ones count like those of a sign-in', async () => {
    const person = await newProved();
    const { code } = await invited('developer', s.tenant, person.email);
    assert.equal((await readInvitation(code)).json.has_account, true);
    const without = await accept(code, { name: 'Somebody else' });
    assert.deepEqual([getCode(without), without.json.error.details.faults[0].pointer], ['VALIDATION_FAILED', '/password']);
    const wrong = await accept(code, { name: 'Somebody else', password: PASSWORD.toUpperCase() });
    assert.equal(getCode(wrong), 'INVALID_CREDENTIALS');
    const counted = await s.owner.query(
      "select failures from sign_in_failures where key like 'account:%' order by first_failed_at desc limit 1",
    );
    assert.equal(counted.rows[0].failures, 1);
    const answer = await accept(code, { password: person.password });
    assert.deepEqual([answer.status, answer.json.user.id, answer.json.user.name], [201, person.user.id, person.user.name]);
    assert.equal(answer.json.organization.id, s.tenant.organization_id);
    const organizations = (await send('GET', '/v1/auth/organizations', person.token)).json;
    assert.deepEqual(
      organizations.map(({ id, role }: { id: string; role: { name: string } }) => [id, role.name]),
      [
        [person.organization.id, 'owner'],
        [s.tenant.organization_id, 'developer'],
      ],
    );
  });

  test('joins by its own session with the invited address; the session continues and switches', async () => {
    const [person, another] = [await newProved(), await newProved()];
    const { code, id } = await invited('viewer', s.tenant, person.email);
    assert.equal(getCode(await joinOrganization(another.token, code)), 'PERMISSION_DENIED');
    assert.equal(getCode(await post('/v1/auth/invitations/join', undefined, { code })), 'UNAUTHENTICATED');
    const { rows } = await s.owner.query('select ended_at from invitations where id = $1', [id]);
    assert.equal(rows[0].ended_at, null);
    const joined = await joinOrganization(person.token, code);
    assert.deepEqual([joined.status, joined.json.organization.id, joined.json.member.role.name], [201, s.tenant.organization_id, 'viewer']);
    const switched = await post('/v1/auth/switch', person.token, { organization_id: s.tenant.organization_id });
    assert.deepEqual([...switched.json.permissions].sort(), [...getBuiltInRole('viewer').permissions].sort());
    assert.equal((await send('GET', '/v1/auth/session', person.token)).json.organization.id, person.organization.id);
  });

  test('with a second factor must prove it before it has a session', async () => {
    const person = await newProved();
    await s.owner.query(
      `insert into second_factors (user_id, id, kind, name, confirmed_at, enrolled_in, sealed_secret)
       values ($1, 'a factor', 'TOTP', 'phone', now(), 'a session', 'sealed')`,
      [person.user.id],
    );
    const { code } = await invited('viewer', s.tenant, person.email);
    assert.equal(getCode(await accept(code, { password: 'not the password of anybody' })), 'INVALID_CREDENTIALS');
    const { json } = await accept(code, { password: person.password });
    assert.deepEqual([json.mfa_required, json.methods, json.token], [true, ['TOTP'], undefined]);
    const { rows } = await s.owner.query('select 1 from sessions where user_id = $1 and organization_id = $2', [
      person.user.id,
      s.tenant.organization_id,
    ]);
    assert.deepEqual(rows, []);
    const counted = await s.owner.query(
      "select failures from sign_in_failures where key = 'account:' || encode(sha256(convert_to($1, 'UTF8')), 'hex')",
      [person.email],
    );
    assert.deepEqual(counted.rows, [{ failures: 1 }], 'what failed before counts until the second factor was right');
  });
});

test('a new person chooses a password by the usual rules, and states a name', async () => {
  const { code } = await invited();
  const readFault = async (as: object) => (await accept(code, as)).json.error.details.faults[0].pointer;
  assert.equal(await readFault({ password: PASSWORD }), '/name');
  assert.equal(await readFault({ name: 'New' }), '/password');
  for (const password of ['short', 'x'.repeat(40)]) assert.equal(await readFault({ name: 'New', password }), '/password', password);
  assert.equal((await accept(code)).status, 201);
});

describe('32 concurrent requests', () => {
  test('that accept one invitation create one member', async () => {
    const person = await newProved();
    for (let round = 0; round < 3; round += 1) {
      const { code } = await invited('viewer', s.tenant, person.email);
      const answers = await Promise.all(Array.from({ length: 32 }, () => joinOrganization(person.token, code)));
      assert.deepEqual(answers.map(getCode).toSorted(), ['201', ...Array.from({ length: 31 }, () => 'GONE')], `round ${round}`);
      await s.owner.query('delete from members where user_id = $1 and organization_id = $2', [person.user.id, s.tenant.organization_id]);
    }
  });

  test('that accept one invitation as a new person create one account and one member', async () => {
    const { code, email } = await invited();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => accept(code, { name: `New ${n}`, password: PASSWORD })));
    const won = answers.filter(({ status }) => status === 201);
    assert.equal(won.length, 1, answers.map(getCode).join());
    const { rows } = await s.owner.query('select u.id from users u join members m on m.user_id = u.id where u.email = $1', [email]);
    assert.deepEqual(rows, [{ id: won[0]?.json.user.id }]);
  });
});

describe('an invitation never grants more than its sender holds at its acceptance', () => {
  const demote = (userId: string, role: BuiltInRoleName) =>
    s.owner.query('update members set role_id = $1 where user_id = $2', [roleId(role), userId]);

  test('it is refused if they were demoted, limited or removed meanwhile, and valid if a person with the permissions sends it again', async () => {
    for (const lose of [
      (id: string) => demote(id, 'developer'),
      (id: string) => demote(id, 'viewer'),
      (id: string) => s.owner.query('update members set is_limited = true where user_id = $1', [id]),
      (id: string) => s.owner.query('delete from members where user_id = $1', [id]),
    ]) {
      const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
      const { code, id } = await invited('security', admin);
      await lose(admin.id);
      const refused = await accept(code);
      assert.equal(getCode(refused), 'GONE');
      assert.match(refused.json.error.message, /no longer grant/);
      await s.owner.query("update invitations set sent_at = sent_at - interval '2 minutes' where id = $1", [id]);
      const renewed = await resendInvitation(s.tenant.token, id);
      assert.equal(renewed.json.invited_by.id, s.tenant.user.id);
      assert.equal((await accept(await getInvitationCode(s.owner, renewed.json.email))).status, 201);
    }
  });

  test('sent with a key, it ends with the key and everything that created the key', async () => {
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const body = { name: 'inviting', role_id: roleId('admin') };
    const [one, two] = [(await post('/v1/api-keys', admin.token, body)).json, (await post('/v1/api-keys', admin.token, body)).json];
    const plain = (await post('/v1/roles', s.tenant.token, { name: 'Reads agents', permissions: ['agent:read'] })).json.id;
    const invitedAs = async (by: { readonly token: string }) =>
      invite(s.owner, { controlUrl: s.planes.controlUrl, token: by.token }, { email: newAddress(), role_id: plain });
    const [byOne, byTwo] = [await invitedAs(one), await invitedAs(two)];
    await send('DELETE', `/v1/api-keys/${one.api_key.id}`, admin.token);
    assert.equal(getCode(await accept(byOne.code)), 'GONE');
    assert.equal((await accept(byTwo.code)).status, 201);
    const third = await invitedAs(two);
    await demote(admin.id, 'viewer');
    assert.equal(getCode(await accept(third.code)), 'GONE');
  });

  test('confirmInvitation sends the invitation of a key in the name of the person who confirms, once, and only while it is unconfirmed', async () => {
    await stepUp(s.planes.controlUrl, s.tenant);
    const { token } = (await post('/v1/api-keys', s.tenant.token, { name: 'asking', role_id: roleId('admin') })).json;
    const ask = async (email = newAddress()) => (await post('/v1/members/invitations', token, { email, role_id: roleId('viewer') })).json;
    const confirm = (id: string, by = s.tenant.token) => post(`/v1/members/invitations/${id}/confirm`, by, {});
    const [awaiting, late] = [await ask(), await ask()];
    assert.deepEqual([awaiting.status, awaiting.mails], ['AWAITING_CONFIRMATION', 0]);
    const { json } = await confirm(awaiting.id);
    assert.deepEqual([json.status, json.mails, json.invited_by.id], ['PENDING', 1, s.tenant.user.id]);
    assert.equal((await accept(await getInvitationCode(s.owner, awaiting.email))).status, 201);
    assert.equal(getCode(await confirm(awaiting.id)), 'GONE');
    await s.owner.query("update invitations set expires_at = now() - interval '1 second' where id = $1", [late.id]);
    assert.deepEqual([getCode(await confirm(late.id)), getCode(await resendInvitation(s.tenant.token, late.id))], ['GONE', 'GONE']);
    const viewer = await insertPerson(s.owner, s.tenant.organization_id, 'viewer', { steppedUp: true });
    assert.equal(getCode(await confirm((await ask()).id, viewer.token)), 'PERMISSION_DENIED');
  });

  test('that of a removed member is withdrawn, also if they join again', async () => {
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const { code, id } = await invited('viewer', admin);
    const removed = await send('DELETE', `/v1/members/${await memberId(admin.id)}`, s.tenant.token);
    assert.equal(removed.json.ended.invitations, 1, removed.text);
    await insertMember(s.owner, { organizationId: s.tenant.organization_id, userId: admin.id, roleId: roleId('admin') });
    assert.equal(getCode(await accept(code)), 'GONE');
    const { rows } = await s.owner.query('select ended_as from invitations where id = $1', [id]);
    assert.equal(rows[0].ended_as, 'WITHDRAWN');
  });

  test('it is refused if its role was widened beyond their permissions', async () => {
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const role = (await post('/v1/roles', s.tenant.token, { name: 'Widened', permissions: ['agent:read'] })).json;
    const email = newAddress();
    const { code } = await invite(s.owner, { controlUrl: s.planes.controlUrl, token: admin.token }, { email, role_id: role.id });
    await s.owner.query("update roles set permissions = permissions || '{organization:delete}' where id = $1", [role.id]);
    assert.equal(getCode(await accept(code)), 'GONE');
  });
});

describe('inviting is refused', () => {
  test('beyond the own permissions, to the owner role, and to a workspace outside the own ones', async () => {
    const { workspace_id } = s.tenant;
    const other = (await post('/v1/workspaces', s.tenant.token, { name: 'Other' })).json;
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const limited = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { workspaces: [workspace_id] });
    assert.equal(getCode(await inviteMember(admin.token, newAddress(), 'owner')), 'PERMISSION_DENIED');
    assert.equal(getCode(await inviteMember(limited.token, newAddress())), 'PERMISSION_DENIED', 'without a limit');
    assert.equal(
      getCode(await inviteMember(limited.token, newAddress(), 'viewer', { workspace_ids: [workspace_id, other.id] })),
      'NOT_FOUND',
    );
    assert.equal(getCode(await inviteMember(limited.token, newAddress(), 'viewer', { workspace_ids: [] })), 'VALIDATION_FAILED');
    const within = await inviteMember(limited.token, newAddress(), 'viewer', { workspace_ids: [workspace_id] });
    assert.deepEqual([within.status, within.json.workspace_ids], [201, [workspace_id]]);
    const key = (await post('/v1/api-keys', s.tenant.token, { name: 'k', role_id: roleId('admin') })).json;
    assert.equal(getCode(await inviteMember(key.token, newAddress(), 'owner')), 'PERMISSION_DENIED', 'a key');
    const narrowed = {
      token: s.tenant.token,
      headers: { 'x-svc-workspace': workspace_id },
      body: { email: newAddress(), role_id: roleId('viewer') },
    };
    assert.equal(
      getCode(await call(s.planes.controlUrl, 'POST', '/v1/members/invitations', narrowed)),
      'PERMISSION_DENIED',
      'a narrowed session',
    );
    const everything = { name: 'Everything', permissions: [...getBuiltInRole('owner').permissions] };
    const role = (await post('/v1/roles', s.tenant.token, everything)).json;
    const almighty = await insertPerson(s.owner, s.tenant.organization_id, { id: role.id });
    assert.equal(getCode(await inviteMember(almighty.token, newAddress(), 'owner')), 'PERMISSION_DENIED', 'as much as an owner, and none');
    assert.equal(
      getCode(await inviteMember(s.tenant.token, newAddress(), 'owner', { workspace_ids: [workspace_id] })),
      'VALIDATION_FAILED',
    );
    assert.equal((await inviteMember(s.tenant.token, newAddress(), 'owner')).status, 201);
  });

  test('alike for an unknown role or workspace and one of another organization; so is a foreign invitation', async () => {
    const stranger = await newTenant(s.planes);
    const role = (await post('/v1/roles', stranger.token, { name: 'Theirs', permissions: ['agent:read'] })).json;
    for (const role_id of [role.id, 'rol_01JXA4T0000000000000000ABC'])
      assert.equal(getCode(await post('/v1/members/invitations', s.tenant.token, { email: newAddress(), role_id })), 'NOT_FOUND');
    for (const id of [stranger.workspace_id, 'wsp_01JXA4T0000000000000000ABC'])
      assert.equal(getCode(await inviteMember(s.tenant.token, newAddress(), 'viewer', { workspace_ids: [id] })), 'NOT_FOUND');
    const theirs = (await inviteMember(stranger.token, newAddress())).json;
    for (const [method, path] of [
      ['POST', `/v1/members/invitations/${theirs.id}/resend`],
      ['DELETE', `/v1/members/invitations/${theirs.id}`],
    ] as const)
      assert.equal(getCode(await send(method, path, s.tenant.token)), 'NOT_FOUND');
  });
});
