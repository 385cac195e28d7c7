import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed } from './draft/proposal.ts';
import { proposeTools } from './propose-tools.ts';

const getProposed = (root: unknown) => {
  const found = proposeTools({ root }, { source: 'payments' });
  assert.ok(!('fault' in found), JSON.stringify(found));
  const [first] = [...found.proposals()];
  assert.ok(first !== undefined && !isNotProposed(first), JSON.stringify(first));
  return first;
};
const named = (count: number) => Array.from({ length: count }, (_, n) => `key${n}`);

test('shows eight credentials of an operation, and that there are more', () => {
  const getDocument = (count: number) => ({
    ...{ openapi: '3.1.0', info: { title: 'Payments', version: '1' }, servers: [{ url: 'https://api.payments.example' }] },
    security: named(count).map((name) => ({ [name]: [] })),
    components: {
      securitySchemes: Object.fromEntries(named(count).map((name) => [name, { type: 'apiKey', in: 'header', name: `x-${name}` }])),
    },
    paths: { '/refunds': { get: { operationId: 'listRefunds', responses: {} } } },
  });
  const many = getProposed(getDocument(200));
  assert.equal(many.credentials.length, 8);
  assert.ok(
    many.notes.some((note) => /more credentials than the 8/.test(note)),
    JSON.stringify(many.notes),
  );
  const few = getProposed(getDocument(8));
  assert.deepEqual([few.credentials.length, few.notes.filter((note) => /more/.test(note))], [8, []]);
});

test('proposes one credential with extra items for keys that an operation requires together', () => {
  const getDocument = (security: object, more: object = {}) => ({
    ...{ openapi: '3.1.0', info: { title: 'Metrics', version: '1' }, servers: [{ url: 'https://api.metrics.example' }] },
    security: [security],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'DD-API-KEY' },
        appKey: { type: 'apiKey', in: 'query', name: 'app_key' },
        token: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
        ...more,
      },
    },
    paths: { '/metrics': { get: { operationId: 'listMetrics', responses: {} } } },
  });
  const two = getProposed(getDocument({ apiKey: [], appKey: [] }));
  const extras = [{ in: 'QUERY', name: 'app_key' }];
  const name = 'apiKey and appKey';
  assert.deepEqual(two.credentials, [{ scheme: 'HEADER', name, placement: { header: 'DD-API-KEY' }, scopes: [], extras }]);
  assert.deepEqual(two.notes, []);
  const [withToken] = getProposed(getDocument({ appKey: [], token: [] })).credentials;
  assert.deepEqual([withToken?.scheme, withToken?.extras], ['BEARER', extras]);
  const taken = { appKey: { type: 'apiKey', in: 'header', name: 'authorization' } };
  for (const document of [getDocument({ token: [], basic: [] }), getDocument({ token: [], appKey: [] }, taken)]) {
    const { credentials, notes } = getProposed(document);
    assert.deepEqual([credentials.length, credentials.filter((each) => each.extras !== undefined)], [2, []]);
    assert.match(notes.join(), /together, which one credential cannot send/);
  }
});
