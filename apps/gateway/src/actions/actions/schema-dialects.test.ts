import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const DRAFT_07 = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  definitions: { money: { type: 'integer', minimum: 1, exclusiveMinimum: true, 'x-unit': 'cents' } },
  properties: {
    amount: { $ref: '#/definitions/money' },
    note: { type: 'string', nullable: true },
    place: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
  },
  dependencies: { note: ['amount'] },
  additionalProperties: false,
};

test('checks parameters against a schema of draft-07, which is returned as registered', async () => {
  const governed = await newGoverned(planes, { tool: { parameters_schema: DRAFT_07, amount_from: '/amount' } });
  const tool = await governed.owner('GET', `/v1/tools/${governed.tool.id}`);
  assert.deepEqual(tool.json.parameters_schema, DRAFT_07);

  const fits = await governed.act({ parameters: { amount: 2, note: null, place: [1, 2] } });
  assert.equal(fits.status, 200, fits.text);
  const unfit: readonly (readonly [parameters: object, pointer: string])[] = [
    [{ amount: 1 }, '/parameters/amount'],
    [{ note: 'x' }, '/parameters/amount'],
    [{ amount: 2, place: [1, 2, 3] }, '/parameters/place'],
    [{ amount: 2, other: 1 }, '/parameters/other'],
  ];
  for (const [parameters, pointer] of unfit) {
    const { status, json } = await governed.act({ parameters });
    assert.deepEqual([status, json.error?.code, json.error?.details.faults[0].pointer], [400, 'VALIDATION_FAILED', pointer]);
  }
});

test('refuses a declaration with a constraint that is not checked', async () => {
  const { owner, tool } = await newGoverned(planes);
  const properties = { a: { type: 'string', pattern: '^(?=.*x)' } };
  const { status, json } = await owner('PATCH', `/v1/tools/${tool.id}`, { parameters_schema: { ...DRAFT_07, properties } });
  assert.deepEqual([status, json.error?.details.faults[0].pointer], [400, '/parameters_schema/properties/a/pattern']);
});
