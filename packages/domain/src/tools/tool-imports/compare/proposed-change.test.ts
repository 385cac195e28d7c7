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
/** The tool as people have changed it since. */
const standing = {
  ...declaration,
  execution: { ...declaration.execution, url: 'https://eu.payments.example/refunds', credential_id: 'crd_1' },
};

test('changes nothing for an equal later document, regardless of changes by people', () => {
  assert.deepEqual(proposedChange(standing, declaration, { ...declaration }), { change: {}, conflicts: [] });
});

test('raises a risk by a later document and never lowers one', () => {
  const change = (risk_rating: 'LOW' | 'CRITICAL', dangerous: boolean) =>
    proposedChange(standing, declaration, { ...declaration, risk_rating, dangerous }).change;
  assert.deepEqual(change('LOW', false), {});
  assert.deepEqual(change('CRITICAL', true), { risk_rating: 'CRITICAL' });
  const calm = { ...declaration, risk_rating: 'LOW' as const, dangerous: false };
  assert.deepEqual(proposedChange(calm, calm, declaration).change, { risk_rating: 'HIGH', dangerous: true });
});

test("takes over only the document's differences of a call, and keeps the credential and people's changes", () => {
  const { headers: _, ...execution } = declaration.execution;
  const { change, conflicts } = proposedChange(standing, declaration, { ...declaration, execution: { ...execution, method: 'PUT' } });
  assert.deepEqual(conflicts, []);
  const { headers: __, ...kept } = standing.execution;
  assert.deepEqual(change, { execution: { ...kept, method: 'PUT' } });
});

test("sends a call as GraphQL once the document declares that, and keeps people's expectations", () => {
  const called = { method: 'POST' as const, url: 'https://shop.example/graphql' };
  const before = { ...declaration, execution: { ...called, body: { query: '{{ a }}' } } };
  const expects = { keep: ['/data/a'] };
  const { change } = proposedChange({ ...before, execution: { ...before.execution, expects } }, before, {
    ...declaration,
    execution: { ...called, graphql: { query: '{ a }' } },
  });
  assert.deepEqual(change, { execution: { ...called, graphql: { query: '{ a }' }, expects } });
});

const getSchema = (properties: object, more: object = {}) => ({ type: 'object', properties, additionalProperties: false, ...more });
const amount = { type: 'integer', minimum: 1 };
const note = { type: 'string' };
const taken = {
  ...declaration,
  parameters_schema: getSchema({ amount, note }),
  execution: { ...declaration.execution, query: { limit: '{limit}' } },
};

test("keeps people's restrictions if the document changes something else", () => {
  const restricted = {
    ...taken,
    required_capability: 'pay.much',
    parameters_schema: getSchema({ amount: { ...amount, maximum: 100 }, note }, { required: ['note'] }),
    execution: { ...taken.execution, query: { limit: '10' }, headers: { accept: 'application/json', 'X-Team': 'red' } },
  };
  const said = {
    ...taken,
    description: 'Pays back now.',
    parameters_schema: getSchema({ amount, note: { ...note, maxLength: 9 }, why: note }, { required: ['amount'] }),
    execution: { ...taken.execution, query: { limit: '{limit}', page: '{page}' }, headers: { accept: '*/*', 'x-team': 'red' } },
  };
  const { change, conflicts } = proposedChange(restricted, taken, said);
  assert.deepEqual(conflicts, []);
  assert.deepEqual(change, {
    description: 'Pays back now.',
    parameters_schema: getSchema(
      { amount: { ...amount, maximum: 100 }, note: { ...note, maxLength: 9 }, why: note },
      { required: ['note', 'amount'] },
    ),
    execution: { ...taken.execution, query: { limit: '10', page: '{page}' }, headers: { accept: '*/*', 'X-Team': 'red' } },
  });
});

test('reports changes by both people and the document as conflicts, with the preferred value', () => {
  const made = {
    ...taken,
    required_capability: 'pay.much',
    parameters_schema: getSchema({ amount: { ...amount, maximum: 100 }, note }),
    execution: { ...taken.execution, query: { limit: '10' }, headers: { accept: 'text/plain' } },
  };
  const said = {
    ...taken,
    required_capability: 'refund',
    parameters_schema: getSchema({ amount: { type: 'number' }, note }),
    execution: { ...taken.execution, query: { limit: '{page_limit}' }, headers: { Accept: '*/*' } },
  };
  const kept = proposedChange(made, taken, said);
  assert.deepEqual(kept, {
    change: {},
    conflicts: ['/required_capability', '/parameters_schema/properties/amount', '/execution/headers/accept', '/execution/query/limit'],
  });
  const overwritten = proposedChange(made, taken, said, 'said');
  assert.deepEqual(overwritten.conflicts, kept.conflicts);
  assert.deepEqual(overwritten.change, {
    required_capability: 'refund',
    parameters_schema: said.parameters_schema,
    execution: { ...said.execution, headers: { accept: '*/*' } },
  });
  assert.deepEqual(proposedChange(said, taken, said), { change: {}, conflicts: [] });
});

test('keeps a restriction of a part if the document adds to the whole, and reports a way around it', () => {
  const order = (fields: object) => ({ type: 'object', properties: fields });
  const body = { $ref: '#/$defs/Order' };
  const was = { ...declaration, parameters_schema: getSchema({ body }, { $defs: { Order: order({ amount }) } }) };
  const made = { ...was, parameters_schema: getSchema({ body }, { $defs: { Order: order({ amount: { ...amount, maximum: 5 } }) } }) };
  const added = { ...was, parameters_schema: getSchema({ body }, { $defs: { Order: order({ amount, note }) } }) };
  assert.deepEqual(proposedChange(made, was, added), {
    change: { parameters_schema: getSchema({ body }, { $defs: { Order: order({ amount: { ...amount, maximum: 5 }, note }) } }) },
    conflicts: [],
  });
  const around = getSchema({ body: { $ref: '#/$defs/Order2' } }, { $defs: { Order: order({ amount }), Order2: order({ amount }) } });
  assert.deepEqual(proposedChange(made, was, { ...was, parameters_schema: around }), {
    change: {},
    conflicts: ['/parameters_schema/$defs/Order'],
  });
});

test('reports a required parameter that the document removed as a conflict', () => {
  const made = { ...taken, parameters_schema: getSchema({ amount, note }, { required: ['note'] }) };
  const said = { ...taken, parameters_schema: getSchema({ amount }) };
  assert.deepEqual(proposedChange(made, taken, said), { change: {}, conflicts: ['/parameters_schema/required/note'] });
  assert.deepEqual(proposedChange(made, taken, said, 'said').change, { parameters_schema: getSchema({ amount }) });
});
