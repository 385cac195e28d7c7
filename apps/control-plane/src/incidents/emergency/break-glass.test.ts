import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { BREAK_GLASS_PERMISSIONS } from '@svc/domain/incidents/emergency/break-glass.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import { stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { newTenant, type SignedUp, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
let tenant: Tenant;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});
beforeEach(async () => {
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
});

const reason = 'test';
const NEVER = /^(member:(?!read)|role:(?!read)|sso:(?!read)|organization:delete|audit:update_retention)/;

/** A member in a role, with a second factor in a session that has stepped up. */
const newMember = async (role: BuiltInRoleName): Promise<SignedUp> => {
  const person = await signUp(planes.controlUrl);
  await stepUpAndEnrol(planes.controlUrl, person);
  await owner.query('update members set organization_id = $1, role_id = $2 where user_id = $3', [
    tenant.organization_id,
    getBuiltInRole(role).id,
    person.user.id,
  ]);
  await owner.query("update sessions set organization_id = $1, amr = array['PASSWORD', 'TOTP'] where user_id = $2", [
    tenant.organization_id,
    person.user.id,
  ]);
  return person;
};

const as =
  ({ token }: Pick<SignedUp, 'token'>) =>
  (method: string, path: string, body?: object) =>
    call(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
const request = (person: SignedUp, more: object = {}) => as(person)('POST', '/v1/emergency/break-glass', { reason, minutes: 15, ...more });
const decide = (person: Pick<SignedUp, 'token'>, id: string, verb: string) =>
  as(person)('POST', `/v1/emergency/break-glass/${id}/${verb}`, { reason });
const pause = async (person: SignedUp) => {
  const agent = await newAgent(tenant);
  return as(person)('POST', `/v1/agents/${agent.id}/suspend`, { reason });
};
const shift = (id: string, column: string) =>
  owner.query(`update break_glass_grants set ${column} = now() - interval '1 second' where id = $1`, [id]);

describe('break-glass access', () => {
  test('requestBreakGlass, approveBreakGlass, getBreakGlass, listBreakGlass, getBreakGlassReport: needs a second person, lasts for its time in one session, and names itself in each event', async () => {
    const member = await newMember('viewer');
    assert.equal((await pause(member)).status, 403);
    const { json: grant, text } = await request(member);
    assert.equal(grant.status, 'PENDING', text);
    assert.equal((await pause(member)).status, 403);
    assert.equal((await decide(member, grant.id, 'approve')).json.error.code, 'PERMISSION_DENIED');
    const approved = await decide(tenant, grant.id, 'approve');
    assert.deepEqual([approved.json.status, approved.json.decided_by], ['ACTIVE', tenant.user.id], approved.text);
    const suspended = await pause(member);
    assert.equal(suspended.status, 200, suspended.text);
    const report = await as(tenant)('GET', `/v1/emergency/break-glass/${grant.id}/report`);
    assert.deepEqual(
      report.json.events.map(({ type }: { type: string }) => type),
      ['agent.suspended'],
      report.text,
    );
    await shift(grant.id, 'expires_at');
    assert.equal((await pause(member)).status, 403);
    assert.equal((await as(tenant)('GET', `/v1/emergency/break-glass/${grant.id}`)).json.status, 'EXPIRED');
  });

  test('cannot decide about break-glass access, or keep it permanently', async () => {
    const [member, other] = [await newMember('viewer'), await newMember('viewer')];
    const [first, second] = [(await request(member)).json, (await request(other)).json];
    await decide(tenant, first.id, 'approve');
    await stepUp(planes.controlUrl, member).catch(() => undefined);
    const borrowed = await decide(member, second.id, 'approve');
    assert.equal(borrowed.json.error.code, 'PERMISSION_DENIED', borrowed.text);
    const invited = await as(member)('POST', '/v1/members/invitations', { email: 'x@example.com', role_id: getBuiltInRole('owner').id });
    assert.equal(invited.json.error.code, 'PERMISSION_DENIED');
    assert.deepEqual(
      BREAK_GLASS_PERMISSIONS.filter((permission) => NEVER.test(permission)),
      [],
    );
    const listed = await as(tenant)('GET', '/v1/emergency/break-glass');
    assert.deepEqual(listed.json.map(({ status }: { status: string }) => status).toSorted(), ['ACTIVE', 'PENDING']);
  });

  test('is refused to API keys and to sessions without a second factor, and expires after 15 minutes without a decision', async () => {
    const body = { name: 'Key', role_id: getBuiltInRole('admin').id };
    const { token } = await newControlClient(planes.controlUrl, tenant.token).createApiKey({ body });
    const key = await call(planes.controlUrl, 'POST', '/v1/emergency/break-glass', { token, body: { reason, minutes: 15 } });
    assert.equal(key.json.error.code, 'PERMISSION_DENIED', key.text);
    const alone = await as(tenant)('POST', '/v1/emergency/break-glass', { reason, minutes: 15 });
    assert.equal(alone.json.error.code, 'MFA_REQUIRED', alone.text);
    const member = await newMember('viewer');
    const { json: grant } = await request(member);
    assert.equal((await request(member)).json.error.code, 'CONFLICT');
    await shift(grant.id, 'request_expires_at');
    const late = await decide(tenant, grant.id, 'approve');
    assert.equal(late.json.error.code, 'INVALID_STATE_TRANSITION', late.text);
    assert.equal((await pause(member)).status, 403);
  });

  test('endBreakGlass, denyBreakGlass: ends when its holder ends it, and a denied request grants nothing', async () => {
    const member = await newMember('viewer');
    const { json: grant } = await request(member);
    await decide(tenant, grant.id, 'approve');
    assert.equal((await decide(member, grant.id, 'end')).json.status, 'ENDED');
    assert.equal((await pause(member)).status, 403);
    const { json: again } = await request(member);
    assert.equal((await decide(tenant, again.id, 'deny')).json.status, 'DENIED');
    assert.equal((await pause(member)).status, 403);
  });

  test('requestBreakGlass, approveBreakGlass: a drill needs the same people, gives no permission, opens no incident, and gives way to an emergency', async () => {
    const member = await newMember('viewer');
    const drill = (await request(member, { drill: true })).json;
    assert.deepEqual([drill.status, drill.drill], ['PENDING', true]);
    assert.equal((await decide(member, drill.id, 'approve')).json.error.code, 'PERMISSION_DENIED');
    const completed = await decide(tenant, drill.id, 'approve');
    assert.deepEqual([completed.json.status, completed.json.decided_by], ['ENDED', tenant.user.id], completed.text);
    assert.equal((await pause(member)).status, 403);
    assert.equal((await decide(tenant, drill.id, 'approve')).json.error.code, 'INVALID_STATE_TRANSITION');
    const second = (await request(member, { drill: true })).json;
    const { json: real } = await request(member);
    assert.equal(real.status, 'PENDING', 'an open drill does not stand in the way');
    assert.equal((await as(tenant)('GET', `/v1/emergency/break-glass/${second.id}`)).json.status, 'ENDED');
    await decide(member, real.id, 'end');
    await as(tenant)('PUT', '/v1/emergency/break-glass/settings', { mode: 'SELF_WITH_NOTICE', reason });
    const alone = (await request(member, { drill: true })).json;
    assert.deepEqual([alone.status, alone.incident_id], ['ENDED', null]);
    assert.equal((await decide(tenant, alone.id, 'approve')).json.error.code, 'INVALID_STATE_TRANSITION', 'a drill needs no review');
    assert.equal((await pause(member)).status, 403);
    assert.equal((await request(member)).json.status, 'ACTIVE', 'and asks for none before the next grant');
    const { rows } = await owner.query<{ type: string; severity: string }>(
      "select type, severity from audit_events where organization_id = $1 and subject_id = any($2) and data ->> 'drill' = 'true'",
      [tenant.organization_id, [drill.id, second.id, alone.id]],
    );
    assert.deepEqual(rows.map(({ type, severity }) => `${type} ${severity}`).toSorted(), [
      'emergency.access_updated info',
      'emergency.access_updated info',
      'emergency.drill_completed info',
      'emergency.drill_completed info',
    ]);
  });

  test('approveBreakGlass, denyBreakGlass, updateBreakGlassSettings, unblockDestination: a caller of one workspace decides nothing for the whole organization', async () => {
    const member = await newMember('viewer');
    const { json: grant } = await request(member);
    const target = 'partial.example';
    const { json: blocked } = await as(tenant)('POST', '/v1/emergency/block-destination', { target, reason, confirm_blast_radius: 0 });
    const workspaces = [tenant.workspace_id];
    const partial = await insertPerson(owner, tenant.organization_id, 'owner', { steppedUp: true, workspaces });
    for (const [method, path, body] of [
      ['POST', `/v1/emergency/break-glass/${grant.id}/approve`, { reason }],
      ['POST', `/v1/emergency/break-glass/${grant.id}/deny`, { reason }],
      ['PUT', '/v1/emergency/break-glass/settings', { mode: 'SELF_WITH_NOTICE', reason }],
      ['DELETE', blocked.undo.path, { reason }],
    ] as const) {
      const refused = await as(partial)(method, path, body);
      assert.equal(refused.json.error?.code, 'PERMISSION_DENIED', `${path} ${refused.text}`);
      assert.match(refused.json.error.message, /limited to a part of the organization|whole organization/, path);
    }
    assert.equal((await as(tenant)('GET', `/v1/emergency/break-glass/${grant.id}`)).json.status, 'PENDING');
    assert.equal((await as(tenant)('GET', '/v1/emergency/break-glass/settings')).json.mode, 'TWO_PEOPLE');
    const blocks = (await as(tenant)('GET', '/v1/emergency/blocked-destinations')).json;
    assert.deepEqual(
      blocks.map(({ destination }: { destination: string }) => destination),
      [target],
    );
    const whole = await insertPerson(owner, tenant.organization_id, 'owner', { steppedUp: true });
    assert.equal((await as(whole)('POST', `/v1/emergency/break-glass/${grant.id}/deny`, { reason })).json.status, 'DENIED');
  });

  test('getBreakGlassSettings, updateBreakGlassSettings: is off by default without a second person; if on, it opens an incident and allows no second grant before a review', async () => {
    const settings = '/v1/emergency/break-glass/settings';
    assert.equal((await as(tenant)('GET', settings)).json.mode, 'TWO_PEOPLE');
    await as(tenant)('PUT', settings, { mode: 'SELF_WITH_NOTICE', reason });
    const member = await newMember('viewer');
    const long = await request(member, { minutes: 31 });
    assert.equal(long.json.error.details.faults[0].pointer, '/minutes', long.text);
    const { json: grant } = await request(member);
    assert.equal(grant.status, 'ACTIVE');
    assert.equal((await pause(member)).status, 200);
    const incident = await as(tenant)('GET', `/v1/incidents/${grant.incident_id}`);
    assert.deepEqual([incident.json.severity, incident.json.status], ['HIGH', 'OPEN'], incident.text);
    await decide(member, grant.id, 'end');
    assert.equal((await request(member)).json.error.code, 'CONFLICT');
    assert.equal((await decide(tenant, grant.id, 'approve')).json.reviewed_by, tenant.user.id);
    assert.equal((await request(member)).json.status, 'ACTIVE');
    const { rows } = await owner.query<{ kind: string }>(
      "select type as kind from audit_events where organization_id = $1 and type = 'security.break_glass_granted'",
      [tenant.organization_id],
    );
    assert.equal(rows.length, 2);
  });
});
