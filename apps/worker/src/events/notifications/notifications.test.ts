import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import type { Notice } from '@svc/postgres/events/notifications/notices.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { getMailsTo } from '@svc/testing/people/read-mails.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertNotification } from '@svc/testing/records/insert-notification.ts';
import { type InsertedPerson, insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitForAfterSweep } from '@svc/testing/time/after-sweep.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import pino from 'pino';
import { type AnyJob, runJob } from '../../jobs/job.ts';
import { mailNotifications } from '../../jobs/notifications/mail-notifications.ts';
import { spreadNotices } from '../../jobs/notifications/spread-notices.ts';

const RULES = [
  {
    id: 'held',
    effect: 'REQUIRE_APPROVAL',
    reason: 'A person looks.',
    approval: { approver_role: 'approver', quorum: 1 },
  },
];
const TESTS = [{ name: 'held', given: {}, then: { effect: 'REQUIRE_APPROVAL' } }];

let planes: Planes;
let owner: pg.Client;
let tenant: Tenant;
let app: Database;
let identity: Database;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 4, timeoutMs: 20_000 });
  [app, identity] = [as('svc_app'), as('svc_identity')];
});
beforeEach(async () => {
  tenant = await newTenant(planes);
});
after(async () => {
  await Promise.all([owner.end(), app.destroy(), identity.destroy()]);
  await planes.stop();
});

const mail = (() => {
  const master = readMasterKey(TEST_MASTER_KEY);
  if (!master.ok) throw new Error(master.reason);
  return {
    kind: 'outbox',
    sealingKey: deriveKey(master.key, 'mail-sealing'),
    digestKey: deriveKey(master.key, 'address-digests'),
    service: () => 'https://governance.example.com',
  } as const;
})();

/** Runs a job concurrently, like two planes. */
const run = async (job: AnyJob, now: Date): Promise<void> => {
  const deps = { database: app, identity, log: pino({ level: 'silent' }), clock: () => now };
  await Promise.all([0, 1].map(() => runJob(deps, job)));
  await waitForAfterSweep(owner, job.name, tenant.organization_id);
};
const spread = (now = new Date()) => run(spreadNotices({ mail }), now);
const mailOut = (now = new Date()) => run(mailNotifications({ mail }), now);

/** A pending action, and the notice of its event. */
type Held = { readonly approvalId: string; readonly notice: Notice };
let agents = 0;
const hold = async (environment = tenant.environment_id, count = 1): Promise<Held[]> => {
  agents += 1;
  const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token: tenant.token, body });
  await stepUp(planes.controlUrl, tenant);
  const name = `tool-${agents}`;
  const agent = await newAgent({ ...tenant, environment_id: environment }, { capabilities: ['x'] });
  const tool = await post('/v1/tools', { name, environment_id: environment, required_capability: 'x', kind: 'SDK' });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  const binding = { scope: 'ENVIRONMENT', id: environment };
  const policy = await post('/v1/policies', { name, rules: RULES, tests: TESTS, binding });
  await post(`/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'test' });
  const token = await mintToken(planes.gatewayUrl, agent);
  const held: Held[] = [];
  for (let n = 0; n < count; n += 1) {
    const { json } = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token, body: { tool: name } });
    held.push(await readNotice(json.error.details.approval_id));
  }
  return held;
};
const readNotice = async (approvalId: string): Promise<Held> => {
  const { rows } = await owner.query("select * from audit_events where subject_id = $1 and type = 'approval.requested'", [approvalId]);
  const { organization_id, id, subject_type, subject_id, workspace_id, environment_id } = rows[0];
  const about = { kind: 'approval_waiting', about: id, event_id: id, facts: {} } as const;
  return { approvalId, notice: { ...about, organization_id, subject_type, subject_id, workspace_id, environment_id } };
};
/** Inserts notices like the worker does. */
const leave = async (...held: readonly Held[]): Promise<void> => {
  const rows = held.map(({ notice }) => notice);
  await owner.query('begin');
  await owner.query("select set_config('svc.organization_id', $1, true)", [tenant.organization_id]);
  for (const row of rows)
    await owner.query(
      `insert into notices (organization_id, kind, about, subject_type, subject_id, workspace_id, environment_id, event_id, facts, kept_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, '{}', now() + interval '1 hour') on conflict do nothing`,
      [row.organization_id, row.kind, row.about, row.subject_type, row.subject_id, row.workspace_id, row.environment_id, row.event_id],
    );
  await owner.query('commit');
};
const person = (role: Parameters<typeof insertPerson>[2], workspaces?: readonly string[]): Promise<InsertedPerson> =>
  insertPerson(owner, tenant.organization_id, role, workspaces ? { workspaces } : {});
const readInbox = async ({ token }: { readonly token: string }, query = '') =>
  (await mustCall(planes.controlUrl, 'GET', `/v1/notifications${query}`, { token })).data;
const getAddress = ({ id }: { readonly id: string }) => `${id.toLowerCase()}@example.com`;
const readMails = async (of: { readonly id: string }) =>
  (await getMailsTo(owner, getAddress(of))).filter(({ template }) => template.startsWith('notification'));
const prefer = ({ token }: { readonly token: string }, body: object) =>
  newControlClient(planes.controlUrl, token).updateNotificationPreferences({ body });
const HOUR_MS = 3_600_000;
/** A time at which a plane finds nothing due now. */
const later = (hours = 1): Date => new Date(Date.now() + hours * HOUR_MS);
/** Creates something about which a person is to be mailed at a given time. */
const due = async (
  to: { readonly id: string },
  at: Date,
  more: Partial<Parameters<typeof insertNotification>[1]> = {},
): Promise<string> => {
  await owner.query('begin');
  const id = await insertNotification(owner, { organizationId: tenant.organization_id, userId: to.id, ...more });
  await owner.query('update notifications set mail_due_at = $2 where id = $1', [id, at]);
  await owner.query('commit');
  return id;
};

test('eligible approvers are notified of an approval once, where they may see it; requesters and others are not', async () => {
  const other = await newControlClient(planes.controlUrl, tenant.token).createWorkspace({ body: { name: 'Other' } });
  const [approver, near, far, viewer] = [
    await person('approver'),
    await person('approver', [tenant.workspace_id]),
    await person('approver', [other.id]),
    await person('viewer'),
  ];
  const security = await person('security');
  const owns = await person('owner');
  const [held] = await hold();
  assert.ok(held);
  await leave(held);
  await spread();
  await leave(held);
  await spread();
  const [told] = await readInbox(approver);
  assert.deepEqual(
    [told.kind, told.subject, told.event_id, told.count, told.settled, told.read_at, told.page],
    ['approval_waiting', { type: 'approval', id: held.approvalId }, held.notice.event_id, 1, false, null, `/approvals/${held.approvalId}`],
  );
  assert.match(told.sentence, /^.+ requests approval to call tool-\d+\. Approvers: approver \(1 needed\)\. Expires: 20\d\d-/);
  assert.deepEqual(
    await Promise.all([approver, near, far, viewer, security, owns, tenant].map(async (each) => (await readInbox(each)).length)),
    [1, 1, 0, 0, 0, 1, 0],
    'an owner counts as every role, but not one who registered the agent',
  );
  const { rows } = await owner.query(
    "select subject_id, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'notification.created'",
    [tenant.organization_id],
  );
  assert.equal(rows.length, 3);
  assert.ok(rows.some(({ subject_id, data }) => subject_id === told.id && data.user_id === approver.id));
});

test('approvers of an edited request are notified of the amount that it would run with', async () => {
  const approver = await person('approver');
  const [held] = await hold();
  assert.ok(held);
  const { approvalId } = held;
  await owner.query("update actions set amount = 50000, currency = 'EUR' where approval_id = $1", [approvalId]);
  await owner.query('update approvals set wording = 2 where id = $1', [approvalId]);
  await owner.query(
    `insert into approval_wordings (organization_id, workspace_id, environment_id, approval_id, wording, parameters, amount, request_hash, edited_by, edited_at)
     select organization_id, workspace_id, environment_id, id, 2, '{}', 30000, request_hash, $2, now() from approvals where id = $1`,
    [approvalId, approver.id],
  );
  await leave(held);
  await spread();
  const [told] = await readInbox(approver);
  assert.match(told.sentence, / for 300\.00 EUR\./);
});

test('a requester who may decide is not notified of their own request', async () => {
  const [approver, requester] = [await person('approver'), await person('approver')];
  const [held] = await hold();
  assert.ok(held);
  await owner.query("update approvals set requested_by_type = 'USER', requested_by_id = $2 where id = $1", [held.approvalId, requester.id]);
  await leave(held);
  await spread();
  assert.deepEqual([(await readInbox(approver)).length, (await readInbox(requester)).length], [1, 0]);
});

test('an inbox shows nothing that its person may not read any more, and nothing of others or of other organizations', async () => {
  const approver = await person('approver');
  const [held] = await hold();
  assert.ok(held);
  await leave(held);
  await spread();
  const [told] = await readInbox(approver);
  const read = (token: string, id = told.id) => call(planes.controlUrl, 'POST', `/v1/notifications/${id}/read`, { token });
  const stranger = await newTenant(planes);
  const never = 'ntf_7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
  for (const token of [tenant.token, stranger.token]) {
    const [theirs, none] = [await read(token), await read(token, never)];
    const said = ({ json }: typeof none) => [json.error.code, json.error.message, json.error.details];
    assert.equal(theirs.status, 404);
    assert.deepEqual(said(theirs), said(none));
  }
  await owner.query('update members set is_limited = true where user_id = $1', [approver.id]);
  assert.deepEqual(await readInbox(approver), [], 'limited to no workspace');
  await owner.query('update members set is_limited = false where user_id = $1', [approver.id]);
  const { rows } = await owner.query("select array_remove(permissions, 'approval:read') as kept from roles where name = 'approver'");
  await owner.query('insert into roles (organization_id, id, name, permissions) values ($1, $2, $2, $3)', [
    ...[tenant.organization_id, `rol_${approver.id.slice(4)}`, rows[0].kept],
  ]);
  await owner.query('update members set role_id = $2 where user_id = $1', [approver.id, `rol_${approver.id.slice(4)}`]);
  assert.deepEqual(await readInbox(approver), [], 'without the permission to read approvals');
  assert.equal((await read(approver.token)).status, 404);
});

test('readNotification and readAllNotifications record it once, listNotifications returns all of them and a decided approval shows as settled', async () => {
  const approver = await person('approver');
  const held = await hold(tenant.environment_id, 3);
  await leave(...held);
  await spread();
  const [latest] = await readInbox(approver);
  const path = `/v1/notifications/${latest.id}/read`;
  const first = await mustCall(planes.controlUrl, 'POST', path, { token: approver.token });
  assert.equal((await mustCall(planes.controlUrl, 'POST', path, { token: approver.token })).read_at, first.read_at);
  assert.equal((await readInbox(approver, '?unread=true')).length, 2);
  const page = await mustCall(planes.controlUrl, 'GET', '/v1/notifications?limit=2', { token: approver.token });
  const rest = await mustCall(planes.controlUrl, 'GET', `/v1/notifications?limit=2&cursor=${page.page.next_cursor}`, {
    token: approver.token,
  });
  assert.deepEqual([page.data.length, rest.data.length, rest.page.has_more], [2, 1, false]);
  assert.deepEqual(await newControlClient(planes.controlUrl, approver.token).readAllNotifications(), { read: 2 });
  assert.equal((await readInbox(approver, '?unread=true')).length, 0);
  await mustCall(planes.controlUrl, 'POST', `/v1/approvals/${held[0]?.approvalId}/deny`, { token: approver.token, body: { reason: 'no' } });
  const settled = (await readInbox(approver)).filter((each: { settled: boolean }) => each.settled);
  assert.deepEqual(
    settled.map(({ subject }: { subject: { id: string } }) => subject.id),
    [held[0]?.approvalId],
  );
});

test('a notification that a person may not see when it is due is never mailed, and neither is a decided approval or a disabled one', async () => {
  const [approver, security, gone] = [await person('approver'), await person('security'), await person('security')];
  const [held] = await hold();
  assert.ok(held);
  const decided = await due(approver, later(), { kind: 'approval_waiting' });
  await owner.query('update notifications set subject_id = $2 where id = $1', [decided, held.approvalId]);
  await newControlClient(planes.controlUrl, tenant.token).denyApproval({ params: { approvalId: held.approvalId }, body: { reason: 'no' } });
  await due(approver, later(), { kind: 'webhook_failing' });
  await due(security, later(), { kind: 'emergency', workspaceId: tenant.workspace_id });
  await owner.query('update members set is_limited = true where user_id = $1', [security.id]);
  await due(gone, later());
  await owner.query('delete from members where user_id = $1', [gone.id]);
  await prefer(tenant, { kinds: { passport_expiring: { mail: 'OFF' } } });
  await due(tenant.user, later());
  await mailOut(later(1.1));
  for (const each of [approver, security, gone]) assert.deepEqual(await readMails(each), []);
  assert.deepEqual(
    (await getMailsTo(owner, tenant.email)).filter(({ template }) => template.startsWith('notif')),
    [],
  );
  const { rows } = await owner.query('select from notifications where organization_id = $1 and mail_due_at is not null', [
    tenant.organization_id,
  ]);
  assert.equal(rows.length, 0);
});

test('one notification is mailed with its sentence and a read-only link, several in one mail with counts, by two planes at once, once', async () => {
  const developer = await person('developer');
  await due(developer, later());
  await mailOut(later(1.1));
  const [single] = await readMails(developer);
  assert.equal(single?.values.what, 'The passport of the agent a expires on soon and was not renewed.');
  assert.equal(single?.values.link, 'https://governance.example.com/inbox');
  for (let n = 0; n < 3; n += 1) await due(developer, later());
  await due(developer, later(), { kind: 'webhook_failing' });
  await mailOut(later(1.2));
  const mails = await readMails(developer);
  assert.equal(mails.length, 2);
  assert.equal(mails[0]?.values.what, '1 webhook fails; 3 passports are about to expire');
});

test('a person gets a bounded number of mails per hour from all their organizations, and the rest comes in one', async () => {
  const developer = await person('developer');
  const others: Tenant[] = [];
  const start = later(3).getTime();
  for (let n = 0; n < 3; n += 1) {
    const other = await newTenant(planes);
    await insertMember(owner, { organizationId: other.organization_id, userId: developer.id, roleId: getBuiltInRole('developer').id });
    others.push(other);
  }
  for (let minute = 0; minute < 60; minute += 1) {
    for (const { organization_id } of others) await due(developer, new Date(start), { organizationId: organization_id });
    if (minute % 5 === 0) await mailOut(new Date(start + minute * 60_000));
  }
  const mails = (await readMails(developer)).length;
  assert.ok(mails > 3 && mails <= LIMITS.notifications.mailsPerHourMax, `${mails} mails`);
  await mailOut(new Date(start + 61 * 60_000));
  assert.equal((await readMails(developer)).length, mails + 1);
});

test('quiet hours delay a mail to their end, except urgent ones; an unproved address gets no names', async () => {
  const security = await person('security');
  await owner.query('update users set email_verified_at = null where id = $1', [security.id]);
  const at = new Date(later(24).toISOString().replace(/T.*/, 'T23:00:00.000Z'));
  await prefer(security, { time_zone: 'UTC', quiet_hours: { from: '22:00', until: '06:00' } });
  await due(security, at);
  await due(security, at, { kind: 'emergency', facts: { name: 'production' } });
  await mailOut(at);
  const [urgent, ...others] = await readMails(security);
  assert.deepEqual(
    [urgent?.values.organization, urgent?.values.what, others.length],
    [...['one of your organizations', '1 emergency stop was used', 0]],
  );
  const { rows } = await owner.query('select mail_due_at from notifications where user_id = $1 and mail_due_at is not null', [security.id]);
  assert.deepEqual(rows, [{ mail_due_at: new Date(at.getTime() + 7 * HOUR_MS) }]);
});

test('of a flood the first are notified one by one and the rest as one with a count, and an inbox keeps a bounded number of rows', async () => {
  const approver = await person('approver');
  await prefer(approver, { kinds: { approval_waiting: { mail: 'DIGEST' } } });
  const { listedIndividuallyMax, perPersonMax } = LIMITS.notifications;
  const [held] = await hold();
  assert.ok(held);
  const flood = Array.from({ length: listedIndividuallyMax + 80 }, (_, n) => ({
    ...held,
    notice: { ...held.notice, about: `flood ${n}` },
  }));
  await leave(...flood);
  const isDone = async () => {
    await spread();
    const { rows } = await owner.query('select from notices where organization_id = $1 and done_at is null', [tenant.organization_id]);
    return rows.length === 0;
  };
  await waitUntil('all of them are told', isDone);
  const told = await readInbox(approver, '?limit=200');
  assert.deepEqual(
    [told.length, told.find(({ count }: { count: number }) => count > 1)?.sentence],
    [listedIndividuallyMax + 1, '80 actions wait for approval, in addition to those sent individually.'],
  );
  const { rows } = await owner.query(
    "select count(*)::int as n from audit_events where organization_id = $1 and type = 'notification.created'",
    [tenant.organization_id],
  );
  assert.equal(rows[0].n, listedIndividuallyMax + 1, 'of the approver, and no event for what was only counted');
  await owner.query(
    `insert into notifications (organization_id, id, user_id, kind, read_at) select $1, 'ntf_0' || lpad(n::text, 25, '0'), $2, 'emergency',
     case when n % 2 = 0 then now() end from generate_series(1, $3::int) n`,
    [tenant.organization_id, approver.id, perPersonMax],
  );
  await leave({ ...held, notice: { ...held.notice, about: 'one more' } });
  await waitUntil('that is told too', isDone);
  const { rows: kept } = await owner.query('select read_at from notifications where user_id = $1', [approver.id]);
  assert.equal(kept.length, perPersonMax);
  assert.ok(kept.filter(({ read_at }) => read_at !== null).length < perPersonMax / 2, 'what was read went first');
});

test('getNotificationPreferences returns what updateNotificationPreferences changed: the own ones, in every organization; faults are reported with their pointers', async () => {
  const approver = await person('approver');
  const path = '/v1/auth/profile/notifications';
  const mine = await prefer(approver, {
    time_zone: 'Asia/Kolkata',
    quiet_hours: { from: '22:00', until: '06:30' },
    kinds: { emergency: { inbox: 'OFF' } },
  });
  assert.deepEqual(mine.kinds.emergency, { inbox: 'OFF', mail: 'AT_ONCE' });
  await prefer(approver, { digest_hour: 6, kinds: { emergency: { mail: 'OFF' } } });
  const after = await mustCall(planes.controlUrl, 'GET', path, { token: approver.token });
  assert.deepEqual([after.time_zone, after.digest_hour, after.kinds.emergency], ['Asia/Kolkata', 6, { inbox: 'OFF', mail: 'OFF' }]);
  for (const [body, pointer] of [
    [{ time_zone: 'Mars/Olympus' }, '/time_zone'],
    [{ time_zone: '+01:00' }, '/time_zone'],
    [{ quiet_hours: { from: '22:00', until: '24:00' } }, '/quiet_hours/until'],
    [{ quiet_hours: { from: '22:00', until: '22:00' } }, '/quiet_hours/until'],
    [{ kinds: { nothing: {} } }, '/kinds/nothing'],
    [{ digest_hour: 24 }, '/digest_hour'],
  ] as const) {
    const { status, json } = await call(planes.controlUrl, 'PATCH', path, { token: approver.token, body });
    assert.deepEqual([status, json.error.code, json.error.details.faults[0].pointer], [400, 'VALIDATION_FAILED', pointer]);
  }
});

test('a session by the provider of one organization cannot change notifications of another', async () => {
  const admin = await person('admin');
  await owner.query("update sessions set amr = '{SSO}' where user_id = $1", [admin.id]);
  const off = { kinds: { emergency: { inbox: 'OFF', mail: 'OFF' } } };
  const ask = () => call(planes.controlUrl, 'PATCH', '/v1/auth/profile/notifications', { token: admin.token, body: off });
  assert.equal((await ask()).status, 200, 'who belongs to one alone changes their own');
  const other = await newTenant(planes);
  await insertMember(owner, { organizationId: other.organization_id, userId: admin.id, roleId: getBuiltInRole('admin').id });
  assert.deepEqual([(await ask()).status, (await ask()).json.error.code], [403, 'PERMISSION_DENIED']);
});
