import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFaults } from '../fault.ts';
import { buildExecutionRequest } from '../request/execution-request.ts';
import { parseExecution } from '../request/parse-execution.ts';
import { judgeBody } from '../terms/judge-answer.ts';
import { isNotProposed, type ProposedTool } from './draft/proposal.ts';
import { type ParsedDocument, proposeTools } from './propose-tools.ts';

const found = (document: ParsedDocument) => {
  const options = { source: 'shop', base_url: 'https://shop.example/graphql' };
  const read = proposeTools(document, options);
  assert.ok(!('fault' in read), JSON.stringify(read));
  return [...read.proposals()];
};
const theOnly = (document: ParsedDocument): ProposedTool => {
  const [first, ...more] = found(document);
  assert.ok(first !== undefined && more.length === 0 && !isNotProposed(first), JSON.stringify(first));
  return first;
};

/** Returns the request, and the results for responses with and without errors. */
const tried = ({ declaration }: ProposedTool, parameters: Readonly<Record<string, unknown>>) => {
  const execution = parseExecution(declaration.execution);
  assert.ok(!isFaults(execution), JSON.stringify(execution));
  const request = buildExecutionRequest(execution, parameters);
  assert.ok(!isFaults(request), JSON.stringify(request));
  const expects = execution.terms?.expects;
  const judged = (answer: unknown) => (expects ? (judgeBody(expects, answer).unexpected?.expectation ?? 'fine') : 'fine');
  return {
    sent: JSON.parse(request.body ?? ''),
    fails: [judged({ data: { cancel: null }, errors: [{ message: 'no' }] }), judged({ data: { cancel: true } })],
  };
};

const collection = (graphql: object) => ({
  root: {
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'Cancel', request: { method: 'POST', url: 'https://shop.example/graphql', body: { mode: 'graphql', graphql } } }],
  },
});

test('converts a GraphQL operation to a tool that fails for errors in the response, with any status', () => {
  const proposed = theOnly({ graphql: 'type Query { order(id: ID!, deep: Boolean): Order }\ntype Order { id: ID! total: Float }' });
  const { sent, fails } = tried(proposed, { id: '") { evil } }' });
  assert.deepEqual(sent, {
    query: 'query order($id: ID!, $deep: Boolean) { order(id: $id, deep: $deep) { id total } }',
    variables: { id: '") { evil } }' },
  });
  assert.deepEqual(fails, ['BODY', 'fine']);
});

test('allows an argument with a default to be omitted, even if it is never null', () => {
  const { sent } = tried(theOnly({ graphql: 'type Query { orders(first: Int! = 10, of: ID!): Int }' }), { of: '1' });
  assert.deepEqual(sent, { query: 'query orders($first: Int, $of: ID!) { orders(first: $first, of: $of) }', variables: { of: '1' } });
});

test('converts a GraphQL request of a collection, with a parameter for each declared variable', () => {
  const query =
    'query Q { me { id } }\nmutation Cancel($id: ID!, $why: String, $hard: Boolean! = true) { cancel(id: $id, why: $why, hard: $hard) }';
  const proposed = theOnly(collection({ query, operationName: 'Cancel', variables: '{"id": 7, "why": "late", "more": 1}' }));
  assert.deepEqual(proposed.declaration.parameters_schema, {
    type: 'object',
    properties: { id: { type: 'number' }, why: { type: 'string' }, hard: {} },
    required: ['id'],
    additionalProperties: false,
  });
  const { sent, fails } = tried(proposed, { id: 7, why: 'late' });
  assert.deepEqual(sent, { query, operationName: 'Cancel', variables: { id: 7, why: 'late' } });
  assert.deepEqual(fails, ['BODY', 'fine']);
});

test('refuses an ambiguous or unreadable GraphQL request of a collection with the reason', () => {
  const two = 'query A { a } query B { b }';
  for (const [query, why] of [
    [two, /which of its operations/],
    ['query A { a', /query is invalid/],
    ['fragment F on T { a }', /which of its operations/],
    ['subscription S { s }', /subscription/],
    ['', /missing/],
  ] as const) {
    const [only] = found(collection({ query }));
    assert.ok(only !== undefined && isNotProposed(only), query);
    assert.match(only.refused, why);
  }
  assert.ok(!isNotProposed(found(collection({ query: two, operationName: 'B' }))[0] ?? { refused: '' }));
});
