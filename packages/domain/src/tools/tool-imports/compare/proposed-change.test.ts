import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposedChange } from './proposed-change.ts';

const declaration = {
  description: 'Pays back.',
  required_capability: 'pay',
  destination_allowlist: ['api.payments.example'],
  risk_rating: 'HIGH' as const,
  dangerous: true,
  parameters_schema: { type: 'object', properties: {} },
  execution: { method: 'POST' as const, url: 'https://api.payments.example/refunds', headers: { accept: 'application/json' } },
};
/** As people have made it since. */
const standing = {
  ...declaration,
  execution: { ...declaration.execution, url: 'https://eu.payments.example/refunds', credential_id: 'crd_1' },
};

test('a later document that says the same changes nothing, whatever people made of the tool since', () => {
  assert.deepEqual(proposedChange(standing, declaration, { ...declaration }), {});
});

test('a later document raises a risk and never lowers one', () => {
  const change = (risk_rating: 'LOW' | 'CRITICAL', dangerous: boolean) =>
    proposedChange(standing, declaration, { ...declaration, risk_rating, dangerous });
  assert.deepEqual(change('LOW', false), {});
  assert.deepEqual(change('CRITICAL', true), { risk_rating: 'CRITICAL' });
  const calm = { ...declaration, risk_rating: 'LOW' as const, dangerous: false };
  assert.deepEqual(proposedChange(calm, calm, declaration), { risk_rating: 'HIGH', dangerous: true });
});

test('of a call only what the document says otherwise is taken over: the credential and what people changed stay', () => {
  const { headers: _, ...execution } = declaration.execution;
  const change = proposedChange(standing, declaration, { ...declaration, execution: { ...execution, method: 'PUT' } });
  const { headers: __, ...kept } = standing.execution;
  assert.deepEqual(change, { execution: { ...kept, method: 'PUT' } });
});

test('a call that a document says as GraphQL by now is sent so and no longer as a body, and what people expect of its answers stays', () => {
  const called = { method: 'POST' as const, url: 'https://shop.example/graphql' };
  const before = { ...declaration, execution: { ...called, body: { query: '{{ a }}' } } };
  const expects = { keep: ['/data/a'] };
  const change = proposedChange({ ...before, execution: { ...before.execution, expects } }, before, {
    ...declaration,
    execution: { ...called, graphql: { query: '{ a }' } },
  });
  assert.deepEqual(change, { execution: { ...called, graphql: { query: '{ a }' }, expects } });
});
