import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let tenant: Tenant;
before(async () => {
  planes = await leasePlanes();
  tenant = await newTenant(planes);
});
after(() => planes.stop());

for (const path of ['/v1/audit-events', '/v1/actions', '/v1/agents', '/v1/notifications'])
  test(`answers forty parallel requests to ${path} of one organization`, async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => call(planes.controlUrl, 'GET', path, { token: tenant.token })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], answers.find(({ status }) => status !== 200)?.text);
  });
