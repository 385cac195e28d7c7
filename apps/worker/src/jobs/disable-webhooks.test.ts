import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';
import pino from 'pino';
import { disableWebhooks } from './disable-webhooks.ts';
import { runJob } from './job.ts';

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

/** Runs the job twice concurrently, like two instances. */
const run = async (): Promise<void> => {
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 20_000 });
  const [database, identity] = [as('svc_app'), as('svc_identity')];
  const deps = { database, identity, log: pino({ level: 'silent' }), clock: () => new Date() };
  await Promise.all([0, 1].map(() => runJob(deps, disableWebhooks)));
  await Promise.all([database.destroy(), identity.destroy()]);
};

const read = (id: string) => newControlClient(planes.controlUrl, tenant.token).getWebhook({ params: { subscriptionId: id } });
const failingFor = (id: string, seconds: number) =>
  owner.query('update webhook_subscriptions set failing_since = now() - make_interval(secs => $2) where id = $1', [id, seconds]);
test('a receiver that was unreachable for five days is disabled once', async () => {
  const { disableAfterFailingSeconds } = LIMITS.webhooks;
  const [failing, almost] = [await newWebhook(tenant), await newWebhook(tenant)];
  await failingFor(failing.subscriptionId, disableAfterFailingSeconds + 60);
  await failingFor(almost.subscriptionId, disableAfterFailingSeconds - 3_600);
  await run();
  await run();
  const { status, disabled_reason } = await read(failing.subscriptionId);
  assert.deepEqual([status, disabled_reason, (await read(almost.subscriptionId)).status], ['DISABLED', 'FAILING', 'ACTIVE']);
  const { data } = await mustCall(planes.controlUrl, 'GET', `/v1/audit-events?subject_id=${failing.subscriptionId}&actor_id=system`, {
    token: tenant.token,
  });
  assert.deepEqual(
    data.map((each: { type: string; data: { reason: string } }) => [each.type, each.data.reason]),
    [['webhook.subscription_updated', 'FAILING']],
  );
});

test('a receiver that responds that it is gone is disabled with that reason, and works once it is enabled again', async () => {
  const { subscriptionId } = await newWebhook(tenant);
  await owner.query('update webhook_subscriptions set gone_since = now() where id = $1', [subscriptionId]);
  await run();
  assert.equal((await read(subscriptionId)).disabled_reason, 'RECEIVER_GONE');
  await newControlClient(planes.controlUrl, tenant.token).updateWebhook({ params: { subscriptionId }, body: { status: 'ACTIVE' } });
  await run();
  assert.equal((await read(subscriptionId)).status, 'ACTIVE');
});

test('a subscription is disabled once its sponsor may not create any, or their key has ended', async () => {
  const [demoted, gone] = [
    await insertPerson(owner, tenant.organization_id, 'admin'),
    await insertPerson(owner, tenant.organization_id, 'admin'),
  ];
  const key = await newControlClient(planes.controlUrl, tenant.token).createApiKey({
    body: { name: 'for a receiver', role_id: 'rol_00000000000000000000000002' },
  });
  const made = await Promise.all([demoted.token, gone.token, key.token].map((token) => newWebhook({ ...tenant, token })));
  const kept = await newWebhook(tenant);
  await run();
  for (const { subscriptionId } of made) assert.equal((await read(subscriptionId)).status, 'ACTIVE');
  await owner.query("update members set role_id = 'rol_00000000000000000000000007' where user_id = $1", [demoted.id]);
  await owner.query('delete from members where user_id = $1', [gone.id]);
  await newControlClient(planes.controlUrl, tenant.token).revokeApiKey({ params: { apiKeyId: key.api_key.id } });
  await run();
  for (const { subscriptionId } of made) assert.equal((await read(subscriptionId)).disabled_reason, 'RIGHTS_LOST');
  assert.equal((await read(kept.subscriptionId)).status, 'ACTIVE');
});
