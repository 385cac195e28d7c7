import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed } from './draft/proposal.ts';
import { proposeTools } from './propose-tools.ts';

const proposedOf = (root: unknown) => {
  const found = proposeTools({ root }, { source: 'payments' });
  assert.ok(!('fault' in found), JSON.stringify(found));
  const [first] = [...found.proposals()];
  assert.ok(first !== undefined && !isNotProposed(first), JSON.stringify(first));
  return first;
};
const named = (count: number) => Array.from({ length: count }, (_, n) => `key${n}`);

test('of the credentials that an operation takes eight are told, and that there are more', () => {
  const documentOf = (count: number) => ({
    ...{ openapi: '3.1.0', info: { title: 'Payments', version: '1' }, servers: [{ url: 'https://api.payments.example' }] },
    security: named(count).map((name) => ({ [name]: [] })),
    components: {
      securitySchemes: Object.fromEntries(named(count).map((name) => [name, { type: 'apiKey', in: 'header', name: `x-${name}` }])),
    },
    paths: { '/refunds': { get: { operationId: 'listRefunds', responses: {} } } },
  });
  const many = proposedOf(documentOf(200));
  assert.equal(many.credentials.length, 8);
  assert.ok(
    many.notes.some((note) => /more credentials than the 8/.test(note)),
    JSON.stringify(many.notes),
  );
  const few = proposedOf(documentOf(8));
  assert.deepEqual([few.credentials.length, few.notes.filter((note) => /more/.test(note))], [8, []]);
});
