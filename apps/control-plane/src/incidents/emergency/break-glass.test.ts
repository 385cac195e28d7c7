import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type BuiltInRoleName, builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { BREAK_GLASS_PERMISSIONS } from '@svc/domain/incidents/emergency/break-glass.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import { stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { newTenant, type SignedUp, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
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
    builtInRole(role).id,
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
    const invited = await as(member)('POST', '/v1/members/invitations', { email: 'x@example.com', role_id: builtInRole('owner').id });
    assert.equal(invited.json.error.code, 'PERMISSION_DENIED');
    assert.deepEqual(
      BREAK_GLASS_PERMISSIONS.filter((permission) => NEVER.test(permission)),
      [],
    );
    const listed = await as(tenant)('GET', '/v1/emergency/break-glass');
    assert.deepEqual(listed.json.map(({ status }: { status: string }) => status).toSorted(), ['ACTIVE', 'PENDING']);
  });

  test('is refused to API keys and to sessions without a second factor, and expires after 15 minutes without a decision', async () => {
    const body = { name: 'Key', role_id: builtInRole('admin').id };
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
