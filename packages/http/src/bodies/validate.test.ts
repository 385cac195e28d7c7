import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { closedObject, enumSchema, nullable } from '@svc/contract/rows/schema.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { createValidator, isTooDeep, queryCheck } from './validate.ts';

/** Processor time; a slow pattern would take years. */
const JUDGED_WITHIN_MS = 2_000;

/** Texts that make a backtracking expression try every way of splitting them. */
const HOSTILE = ['a@', '/', '', 'a.'].flatMap((head) => ['.', 'a', '~0', ' ', 'a.', '/a'].map((part) => head + part.repeat(120_000)));

const stringSchemas = (schema: unknown): object[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema ? [schema] : [];
  return [...own, ...Object.values(schema).flatMap(stringSchemas)];
};

test('no text makes a pattern check of the contract slow', () => {
  const schemas = stringSchemas(
    Object.values(ENDPOINTS).flatMap((row) => [(row as { body?: unknown }).body, (row as { query?: unknown }).query]),
  );
  // Rows share most of them.
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  assert.ok(different.size > 5);
  for (const schema of different.values()) {
    const check = createValidator(schema as never);
    for (const text of sample(HOSTILE, 4, JSON.stringify(schema))) {
      const started = process.cpuUsage();
      check(`${text}@`);
      check(`${text}!`);
      const { user, system } = process.cpuUsage(started);
      const tookMs = (user + system) / 1_000;
      assert.ok(tookMs < JUDGED_WITHIN_MS, `${JSON.stringify(schema)} took ${tookMs} ms for ${text.slice(0, 12)}`);
    }
  }
});

test('the input of each row is a standard schema, which no plane checks at its start', () => {
  const standard = new Ajv2020();
  for (const [operation, row] of Object.entries(ENDPOINTS)) {
    for (const schema of [(row as Endpoint).body, (row as Endpoint).query]) {
      if (schema === undefined) continue;
      assert.ok(standard.validateSchema(schema), `${operation}: ${standard.errorsText(standard.errors)}`);
    }
  }
  assert.equal(standard.validateSchema({ maxLength: 'ten' }), false);
});

test('the input of each row can be checked and described, so that no invalid schema is found by a caller', () => {
  for (const [operation, row] of Object.entries(ENDPOINTS)) {
    const { body, query, wire } = row as Endpoint;
    // A request at a proxy has any body.
    if (body && wire !== 'ext-authz') assert.ok(createValidator(body)(null).length > 0, `${operation}: the body`);
    if (query) assert.ok(queryCheck(query)(null).length > 0, `${operation}: the query`);
  }
});

test('a text that is too long is reported as such, and not also as malformed', () => {
  const { body } = ENDPOINTS.grantCapability;
  assert.deepEqual(createValidator(body)({ capability: 'a'.repeat(5_000) }), [
    { pointer: '/capability', message: 'Must have at most 100 characters.' },
  ]);
  assert.match(createValidator(body)({ capability: 'No Capital' })[0]?.message ?? '', /^Must match/);
});

test('a query parameter that occurs twice is no text and no number', () => {
  const check = queryCheck(ENDPOINTS.listTools.query);
  assert.deepEqual(check({ limit: '7', q: 'x' }), []);
  assert.deepEqual(
    check({ limit: ['1', '2'], q: ['x', 'y'] }).map(({ pointer }) => pointer),
    ['/limit', '/q'],
  );
});

test('a malformed text is reported with a valid example, and a blank one as blank', () => {
  const [rate] = createValidator(ENDPOINTS.createExchangeRate.body)({ base_currency: 'EUR', quote_currency: 'USD', rate: '1,1' });
  assert.match(rate?.message ?? '', /as "1\.0825" does\.$/);
  const [reason] = createValidator(ENDPOINTS.pauseAgent.body)({ reason: '  ' });
  assert.equal(reason?.message, 'Must not be blank.');
});

test('if one of two members is required, one is requested', () => {
  const faults = createValidator(ENDPOINTS.signup.body)({
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery staple',
  });
  assert.deepEqual(faults, [{ pointer: '/organizationName', message: 'This member is required.' }]);
});

test('a value nests at most forty deep, with any innermost value, and a much deeper one is refused as well', () => {
  const nested = (levels: number, innermost: string): unknown => JSON.parse(`${'['.repeat(levels)}${innermost}${']'.repeat(levels)}`);
  for (const innermost of ['', '1', '"a"']) assert.equal(isTooDeep(nested(40, innermost)), false, innermost);
  for (const levels of [41, 5_000]) assert.equal(isTooDeep(nested(levels, '')), true, String(levels));
  assert.equal(isTooDeep({ a: [{ b: nested(37, '{}') }, 'wide'.repeat(1_000)] }), true);
  assert.equal(isTooDeep({ a: [{ b: nested(36, '{}') }] }), false);
});

test('the expected kind of value is stated in the words of other messages', () => {
  const check = createValidator({
    type: 'object',
    properties: { n: { type: 'integer' }, s: { type: ['string', 'null'] }, b: { type: 'boolean' }, l: { type: 'array' } },
  } as never);
  assert.deepEqual(
    check({ n: 'x', s: 1, b: 1, l: {} }).map(({ message }) => message),
    ['Must be a whole number.', 'Must be a string or null.', 'Must be true or false.', 'Must be an array.'],
  );
});

test('a chosen name, a secret with a line end and a list that is too short are reported with their requirements', () => {
  const agent = { name: 'a', workspace_id: 'w', environment_id: 'e', capabilities: [], labels: { 'Team Name': 'a' } };
  const [label, ...more] = createValidator(ENDPOINTS.createAgent.body)(agent);
  assert.deepEqual([label?.pointer, more], ['/labels/Team Name', []]);
  assert.match(label?.message ?? '', /^The name of this member must match .*, as "team" does\.$/);
  const credential = { name: 'a', environment_id: 'e', scheme: 'BEARER', destinations: [], tools: ['a'], secret: 'from-a-file\n' };
  assert.deepEqual(createValidator(ENDPOINTS.createCredential.body)(credential), [
    { pointer: '/destinations', message: 'Must have at least 1 item.' },
    { pointer: '/secret', message: 'Must be visible ASCII characters, without leading or trailing spaces and line ends.' },
  ]);
});

test('a secret or a token has the length of its schema, and a longer one is reported as such', () => {
  const check = createValidator(ENDPOINTS.createCredential.body);
  const getPointers = (refresh_token: string, client_secret: string) =>
    check({ refresh_token, oauth: {}, client_secret })
      .filter(({ pointer }) => ['/refresh_token', '/client_secret', '/secret'].includes(pointer))
      .map(({ pointer, message }) => `${pointer} ${message}`);
  assert.deepEqual(getPointers('r'.repeat(16_384), 'c'.repeat(2_001)), []);
  assert.deepEqual(getPointers('r'.repeat(16_385), 'é'), [
    '/client_secret Must be printable ASCII characters.',
    '/refresh_token Must have at most 16384 characters.',
  ]);
});

test('for a nullable member the fault of the value is reported, and null only as the alternative', () => {
  const ceiling = nullable(
    closedObject({ max_amount: nullable(Type.Integer({ minimum: 0 })), kind: Type.Optional(nullable(enumSchema(['A', 'B']))) }),
  );
  const check = createValidator(closedObject({ ceiling }));
  const told = (value: unknown) => check({ ceiling: value });
  assert.deepEqual(told({ max_amount: -1 }), [{ pointer: '/ceiling/max_amount', message: 'Must be at least 0.' }]);
  assert.deepEqual(told({ max_amount: 'ten' }), [{ pointer: '/ceiling/max_amount', message: 'Must be a whole number or null.' }]);
  assert.deepEqual(told({ max_amount: 1, kind: 'C' }), [{ pointer: '/ceiling/kind', message: 'Must be one of A, B.' }]);
  assert.deepEqual(told({}), [{ pointer: '/ceiling/max_amount', message: 'This member is required.' }]);
  assert.deepEqual(told('none'), [{ pointer: '/ceiling', message: 'Must be an object or null.' }]);
  assert.deepEqual(told(null), []);
});

test('a constant member reports its value, and so does the permitted number of members', () => {
  const check = createValidator(Type.Object({ archived: Type.Literal(false) }));
  for (const archived of [true, 'no']) assert.deepEqual(check({ archived }), [{ pointer: '/archived', message: 'Must be false.' }]);
  const labels = createValidator(Type.Record(Type.String(), Type.String(), { maxProperties: 1 }));
  assert.deepEqual(labels({ a: 'x', b: 'y' }), [{ pointer: '', message: 'Must have at most 1 member.' }]);
});

test('an empty text is reported with the required form', () => {
  const named = createValidator(Type.String({ minLength: 1, pattern: '\\S' }));
  assert.deepEqual(named(''), [{ pointer: '', message: 'Must not be blank.' }]);
});
