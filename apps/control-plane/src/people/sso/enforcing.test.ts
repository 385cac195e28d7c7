import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

let planes: Planes;
let names: NameServer;
let database: pg.Client;
let tenant: Tenant;
let admin: InsertedPerson;
let domain: string;
// biome-ignore lint/suspicious/noExplicitAny: body of a response
let connection: any;

before(async () => {
  names = await startNameServer();
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', SVC_EGRESS_NAME_SERVERS: names.address } });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await Promise.all([planes.stop(), names.close()]);
});

const send = (token: string, method: string, path: string, body: object) => call(planes.controlUrl, method, path, { token, body });
const update = (token: string, body: object) => send(token, 'PATCH', `/v1/sso/connections/${connection.id}`, body);
const verifyDomains = (token: string) => send(token, 'POST', `/v1/sso/connections/${connection.id}/test`, {});
const enforce = (token: string, break_glass_user_id = tenant.user.id) => update(token, { enforce: true, break_glass_user_id });
const getCode = ({ status, json }: TestResponse) => json?.error?.code ?? status;
const setAddress = (userId: string, address: string) => database.query('update users set email = $2 where id = $1', [userId, address]);
const publish = () => {
  const { record } = connection.domains[0];
  names.publish(record.name, record.value);
};

beforeEach(async () => {
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  admin = await insertPerson(database, tenant.organization_id, 'admin', { steppedUp: true });
  domain = `${newUlid().toLowerCase()}.example`;
  const body = { name: 'Provider', issuer: 'http://127.0.0.1:9', client_id: 'the-service', domains: [domain] };
  connection = await newControlClient(planes.controlUrl, tenant.token).createSsoConnection({ body });
});

describe('a connection that applies to an owner', () => {
  beforeEach(async () => {
    await setAddress(tenant.user.id, `owner@${domain}`);
    publish();
    await verifyDomains(tenant.token);
  });

  test('is enforced by an owner and not by an administrator', async () => {
    assert.equal(getCode(await enforce(admin.token)), 'PERMISSION_DENIED');
    assert.equal((await enforce(tenant.token)).status, 200);
    assert.equal((await update(admin.token, { name: 'Another name' })).status, 200, 'an administrator changes what is not about it');
    assert.equal((await update(admin.token, { enforce: false })).status, 200, 'and lets everyone in');
    assert.equal(getCode(await update(admin.token, { enforce: true })), 'PERMISSION_DENIED');
  });

  test('exempts another owner only at the request of an owner', async () => {
    const second = await insertPerson(database, tenant.organization_id, 'owner', { steppedUp: true });
    assert.equal((await enforce(tenant.token)).status, 200);
    assert.equal(getCode(await update(admin.token, { break_glass_user_id: second.id })), 'PERMISSION_DENIED');
    assert.equal((await update(tenant.token, { break_glass_user_id: second.id })).status, 200);
  });

  test('is enabled again by an owner', async () => {
    assert.equal((await enforce(tenant.token)).status, 200);
    assert.equal((await update(admin.token, { status: 'DISABLED' })).status, 200);
    assert.equal(getCode(await update(admin.token, { status: 'ACTIVE' })), 'PERMISSION_DENIED');
    assert.equal((await update(tenant.token, { status: 'ACTIVE' })).status, 200);
  });
});

test('an administrator enforces a connection that applies to no owner', async () => {
  publish();
  await verifyDomains(tenant.token);
  assert.equal((await enforce(admin.token)).status, 200);
});

test('a domain that applies to an owner is verified by an owner where the connection is enforced', async () => {
  publish();
  await verifyDomains(tenant.token);
  assert.equal((await enforce(admin.token)).status, 200);
  const added = `second-${domain}`;
  await setAddress(tenant.user.id, `owner@${added}`);
  connection = (await update(admin.token, { domains: [domain, added] })).json;
  const { record } = connection.domains.find((each: { domain: string }) => each.domain === added);
  names.publish(record.name, record.value);
  const verifiedBy = async (token: string) =>
    (await verifyDomains(token)).json.domains.find((each: { domain: string }) => each.domain === added);
  const refused = await verifiedBy(admin.token);
  assert.deepEqual([refused.verified, /owner/.test(refused.fault)], [false, true]);
  assert.equal((await verifiedBy(tenant.token)).verified, true);
});

test('the exempt owner is an owner of the organization: foreign, unknown and malformed ids are refused alike', async () => {
  const other = await newTenant(planes);
  const viewer = await insertPerson(database, tenant.organization_id, 'viewer');
  const faults = [];
  for (const id of [other.user.id, buildId('user', newUlid()), 'nobody', viewer.id, 'x'.repeat(64), `${tenant.user.id} `]) {
    const answer = await update(tenant.token, { break_glass_user_id: id });
    assert.equal(answer.status, 400, answer.text);
    faults.push(JSON.stringify({ ...answer.json.error, request_id: '' }));
  }
  assert.equal(new Set(faults).size, 1, faults.join('\n'));
  assert.match(faults[0] ?? '', /"pointer":"\/break_glass_user_id"/);
  assert.equal((await update(tenant.token, { break_glass_user_id: tenant.user.id })).status, 200);
  assert.equal((await update(tenant.token, { break_glass_user_id: null })).status, 200);
});
