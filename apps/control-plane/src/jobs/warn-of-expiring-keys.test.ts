import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { mailsTo } from '@svc/testing/people/read-mails.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';
import pino from 'pino';
import { runJob } from './job.ts';
import { warnOfExpiringKeys } from './warn-of-expiring-keys.ts';

const DAY_MS = 86_400_000;

let planes: Planes;
let tenant: Tenant;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  tenant = await newTenant(planes);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const run = async (now: Date): Promise<void> => {
  const master = readMasterKey(TEST_MASTER_KEY);
  if (!master.ok) throw new Error(master.reason);
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 5_000 });
  const [database, identity] = [as('svc_app'), as('svc_identity')];
  const mail = {
    kind: 'outbox',
    sealingKey: deriveKey(master.key, 'mail-sealing'),
    digestKey: deriveKey(master.key, 'address-digests'),
    service: () => 'https://governance.example.com',
  } as const;
  await Promise.all(
    [0, 1].map(() => runJob({ database, identity, log: pino({ level: 'silent' }), clock: () => now }, warnOfExpiringKeys({ mail }))),
  );
  await Promise.all([database.destroy(), identity.destroy()]);
};

const newKey = (token: string, days: number, name: string) =>
  mustCall(planes.controlUrl, 'POST', '/v1/api-keys', {
    token,
    body: { name, role_id: builtInRole('admin').id, expires_in_days: days },
  });
const toldOf = async (email: string) =>
  (await mailsTo(owner, email)).filter(({ template }) => template === 'api-key-expiring').map(({ values }) => values.key);

test('who made a key and the owners are told once, a week before it ends or in the last third of a shorter life', async () => {
  const maker = await insertPerson(owner, tenant.organization_id, 'admin');
  const address = `${maker.id.toLowerCase()}@example.com`;
  const first = await newKey(maker.token, 30, 'long');
  await newKey(first.token, 30, 'of a key');
  await newKey(maker.token, 3, 'short');
  const revoked = await newKey(maker.token, 30, 'revoked');
  await mustCall(planes.controlUrl, 'DELETE', `/v1/api-keys/${revoked.api_key.id}`, { token: tenant.token });
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  await run(at(0));
  assert.deepEqual(await toldOf(address), []);
  await run(at(2.1));
  assert.deepEqual([await toldOf(address), await toldOf(tenant.email)], [['short'], ['short']]);
  await run(at(23.5));
  await run(at(24));
  assert.deepEqual((await toldOf(address)).toSorted(), ['long', 'of a key', 'short']);
  await mustCall(planes.controlUrl, 'POST', `/v1/api-keys/${first.api_key.id}/rotate`, {
    token: maker.token,
    body: { expires_in_days: 30 },
  });
  await run(at(24));
  assert.equal((await toldOf(address)).length, 4, 'a new end is told of anew');
});
