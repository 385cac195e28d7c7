import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { proposeTools } from './propose-tools.ts';

const { operationsMax } = LIMITS.toolImports;

const getDocument = (operations: number) => ({
  ...{ openapi: '3.1.0', info: { title: 'Payments', version: '1' }, servers: [{ url: 'https://api.payments.example' }] },
  paths: Object.fromEntries(Array.from({ length: operations }, (_, n) => [`/p${n}`, { get: { operationId: `get${n}`, responses: {} } }])),
});

test('proposes nothing for a document with too many operations, and states their number', () => {
  const most = proposeTools({ root: getDocument(operationsMax) }, { source: 'payments' });
  assert.ok(!('fault' in most));
  assert.equal([...most.proposals()].length, operationsMax);
  const more = proposeTools({ root: getDocument(operationsMax + 1) }, { source: 'payments' });
  assert.ok('fault' in more);
  assert.match(more.fault, new RegExp(`has ${operationsMax + 1} operations; the maximum is ${operationsMax}`));
});
