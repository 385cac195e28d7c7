import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let governed: Governed;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
beforeEach(async () => {
  governed = await newGoverned(planes);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const { perEnvironmentMax, bytesPerEnvironmentMax } = LIMITS.tools;

/** JSON as the database formats it. */
const WITHOUT_DESCRIPTION = '{"type" : "object", "description" : ""}';

/** Creates copies of the tool, each with a description of so many characters in its schema. */
const fill = (count: number, chars = 0) =>
  owner.query(
    `insert into tools select (t).* from (
       select json_populate_record(t, json_build_object('id', left(t.id, 20) || lpad(n::text, 10, '0'), 'name', 'other-' || n,
         'parameters_schema', json_build_object('type', 'object', 'description', repeat('d', $3)))) as t
         from tools t, generate_series(1, $2) n where t.id = $1) made`,
    [governed.tool.id, count, chars],
  );

const declared = (more: object = {}) => ({
  name: 'one-more',
  environment_id: governed.tenant.environment_id,
  required_capability: 'pay',
  kind: 'SDK',
  ...more,
});
const schema = (chars: number) => ({ parameters_schema: { type: 'object', description: 'd'.repeat(chars) } });

test('an environment has a limited number of tools, and the refusal states how many there are', async () => {
  await fill(perEnvironmentMax - 2);
  assert.equal((await governed.owner('POST', '/v1/tools', declared())).status, 201);
  const refused = await governed.owner('POST', '/v1/tools', declared({ name: 'too-many' }));
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.error.code, 'UNPROCESSABLE');
  assert.equal(refused.json.error.details.in_environment.tools, perEnvironmentMax + 1);
  assert.equal(refused.json.error.details.most.tools, perEnvironmentMax);
  const { rows } = await owner.query('select count(*)::integer as count from tools where environment_id = $1', [
    governed.tenant.environment_id,
  ]);
  assert.equal(rows[0].count, perEnvironmentMax);
  assert.equal((await governed.act({})).status, 200);
});

test('applies as many tools of a document as there is capacity for, and states why not for each other one', async () => {
  await fill(perEnvironmentMax - 3);
  const paths = Object.fromEntries(['one', 'two', 'three'].map((name) => [`/${name}`, { get: { operationId: name } }]));
  const document = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://shop.example' }],
    paths,
  });
  const read = await governed.owner('POST', '/v1/tool-imports', {
    environment_id: governed.tenant.environment_id,
    source: 'shop',
    document,
  });
  assert.equal(read.status, 201, read.text);
  const taken = await governed.owner('POST', `/v1/tool-imports/${read.json.id}/apply`, { states: ['NEW'] });
  const told = taken.json.results.map(({ outcome, code }: Record<string, unknown>) => [outcome, code]).sort();
  assert.deepEqual(told, [
    ['CREATED', null],
    ['CREATED', null],
    ['REFUSED', 'UNPROCESSABLE'],
  ]);
  const { message } = taken.json.results.find(({ outcome }: { outcome: string }) => outcome === 'REFUSED');
  assert.match(message, /3,?000/);
  assert.equal((await governed.act({})).status, 200);
});

test('an environment at its size limit refuses a larger declaration and accepts a smaller one', async () => {
  const copies = 600;
  // Leaves capacity for 25,000 more bytes.
  await fill(copies, Math.floor((bytesPerEnvironmentMax - 25_000) / copies) - WITHOUT_DESCRIPTION.length);
  const { tool } = governed;
  const change = (length: number) => governed.owner('PATCH', `/v1/tools/${tool.id}`, { ...schema(length), reason: 'r' });
  const fits = await change(20_000);
  assert.equal(fits.status, 200, fits.text);
  const larger = await change(30_000);
  assert.equal(larger.status, 422, larger.text);
  assert.ok(larger.json.error.details.in_environment.bytes > bytesPerEnvironmentMax);
  assert.equal((await governed.owner('POST', '/v1/tools', declared(schema(10_000)))).status, 422);
  assert.equal((await change(10)).status, 200);
  assert.equal((await governed.owner('POST', '/v1/tools', declared(schema(10_000)))).status, 201);
});

test('an environment with more than a gateway can hold is refused all decisions, and others are unaffected', async () => {
  const other = await newGoverned(planes);
  await fill(Math.ceil((2 * bytesPerEnvironmentMax) / 200_000), 200_000);
  const refused = await governed.act({});
  assert.equal(refused.status, 503, refused.text);
  assert.equal(refused.json.error.code, 'POLICY_SERVICE_UNAVAILABLE');
  assert.equal((await other.act({})).status, 200);
});
