import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let db: pg.Client;
before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
});
after(async () => {
  await db.end();
  await planes.stop();
});

const FREE = 2;
const ASKED = 5;
const FILL = {
  workspaces: `insert into workspaces (organization_id, id, name, slug, archived_at)
    select $1, 'wsp_' || left(md5($1 || i), 26), 'w', 'w-' || i, now() from generate_series(1, $2::int) i`,
  environments: `insert into environments (organization_id, workspace_id, id, name, type, archived_at)
    select $1, (select id from workspaces where organization_id = $1 limit 1), 'env_' || left(md5($1 || i), 26), 'e-' || i, 'STAGING', now()
      from generate_series(1, $2::int) i`,
} as const;

/** Creates some concurrently while there is capacity for only part of them. */
const readAnswers = async (kind: keyof typeof FILL, tenant: Tenant, bodyOf: (index: number) => object) => {
  const { rows } = await db.query(`select count(*)::int as there from ${kind} where organization_id = $1`, [tenant.organization_id]);
  await db.query(FILL[kind], [tenant.organization_id, LIMITS[kind].perOrganizationMax - FREE - rows[0].there]);
  return Promise.all(
    Array.from({ length: ASKED }, (_, index) =>
      call(planes.controlUrl, 'POST', `/v1/${kind}`, { token: tenant.token, body: bodyOf(index) }),
    ),
  );
};

test('limits the workspaces and environments of an organization, archived ones included, also for concurrent requests', async () => {
  const tenant = await newTenant(planes);
  const environments = await readAnswers('environments', tenant, (index) => ({
    ...{ workspace_id: tenant.workspace_id, name: `More ${index}`, type: 'STAGING' },
  }));
  const workspaces = await readAnswers('workspaces', tenant, (index) => ({ name: `More ${index}` }));
  for (const answers of [environments, workspaces]) {
    assert.equal(answers.filter(({ status }) => status === 201).length, FREE);
    const refused = answers.find(({ status }) => status !== 201);
    assert.deepEqual([refused?.status, refused?.json.error.code], [422, 'UNPROCESSABLE'], refused?.text);
    const { in_organization, most } = refused?.json.error.details ?? {};
    assert.deepEqual(Object.values(in_organization), [Number(Object.values(most)[0]) + 1]);
    assert.match(refused?.json.error.message, /at most [\d,]+ (workspaces|environments)/);
  }
  const other = await newTenant(planes);
  assert.equal((await call(planes.controlUrl, 'POST', '/v1/workspaces', { token: other.token, body: { name: 'Theirs' } })).status, 201);
});
