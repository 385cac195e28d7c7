import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { isFaults } from '../fault.ts';
import { buildExecutionRequest } from '../request/execution-request.ts';
import { parseExecution } from '../request/parse-execution.ts';
import { judgeBody, judgeHead } from './judge-answer.ts';

const base: ToolExecution = { method: 'POST', url: 'https://api.example.com/x' };
const parsed = (more: Partial<ToolExecution>) => {
  const execution = parseExecution({ ...base, ...more });
  assert.ok(!isFaults(execution), JSON.stringify(execution));
  return execution;
};
const getExpectations = (more: Partial<ToolExecution>) => {
  const expects = parsed(more).terms?.expects;
  assert.ok(expects);
  return expects;
};
const listPointers = (more: object): string[] => {
  const execution = parseExecution({ ...base, ...more });
  return isFaults(execution) ? execution.faults.map(({ pointer }) => pointer) : [];
};

test('judges statuses as the tool declares: classes and single ones, and failure before success', () => {
  const expects = getExpectations({ expects: { success_statuses: ['2xx', '404'], failure_statuses: ['202'] } });
  const failed = [200, 204, 404, 202, 302, 410, 500].filter((status) => judgeHead(expects, { status, bytes: 0 })?.expectation === 'STATUS');
  assert.deepEqual(failed, [202, 302, 410, 500]);
  const only = getExpectations({ expects: { failure_statuses: ['204'] } });
  assert.deepEqual(
    [200, 204, 300].map((status) => judgeHead(only, { status, bytes: 0 })?.expectation),
    [undefined, 'STATUS', 'STATUS'],
  );
});

test("accepts a content type by its name without parameters, and reports a peer's only if it is one", () => {
  const expects = getExpectations({ expects: { content_types: ['application/json', 'text/*'] } });
  const judge = (contentType: string | undefined, bytes = 1) => judgeHead(expects, { status: 200, contentType, bytes });
  for (const good of ['application/json', 'Application/JSON; charset=utf-8', 'text/plain', 'text/x'])
    assert.equal(judge(good), undefined, good);
  for (const bad of ['application/xml', 'textual/plain', 'application/jsonp', '', undefined])
    assert.equal(judge(bad)?.expectation, 'CONTENT_TYPE');
  assert.equal(judge(undefined, 0), undefined, 'an empty answer');
  assert.ok(!judge('a/b\u0001<script>')?.reason.includes('script'));
});

test('fails a JSON response by its contents, and keeps the kept part all the same', () => {
  const expects = getExpectations({
    expects: { fails_where: [{ pointer: '/ok', equals: false }, { pointer: '/error' }], keep: ['/ok', '/id'] },
  });
  assert.deepEqual(judgeBody(expects, { ok: true, id: 1, error: null, more: 2 }), { value: { ok: true, id: 1 }, kept: ['/ok', '/id'] });
  for (const failing of [{ ok: false }, { error: 'no' }, { error: { code: 1 } }, { error: 0 }])
    assert.equal(judgeBody(expects, failing).unexpected?.expectation, 'BODY', JSON.stringify(failing));
  for (const fine of [{ ok: 0 }, { error: '' }, { error: [] }, { error: false }, {}, 7, null])
    assert.equal(judgeBody(expects, fine).unexpected, undefined, JSON.stringify(fine));
  assert.ok(!judgeBody(expects, { error: 'card 4111' }).unexpected?.reason.includes('4111'));
});

test('sends the document of a GraphQL call unchanged, with variables, and fails by errors in the response', () => {
  const query = 'query Q($id: ID!) { order(id: $id) { total } }';
  const graphql = { query, operation_name: 'Q', variables: { id: '{order.id}', none: '{none}' } };
  const execution = parsed({ graphql });
  const request = buildExecutionRequest(execution, { order: { id: '") { evil } }' } });
  assert.ok(!isFaults(request));
  assert.deepEqual(JSON.parse(request.body ?? ''), { query, operationName: 'Q', variables: { id: '") { evil } }' } });
  const whole = buildExecutionRequest(parsed({ graphql: { query } }), { id: 7 });
  assert.ok(!isFaults(whole));
  assert.deepEqual(JSON.parse(whole.body ?? ''), { query, variables: { id: 7 } });
  const expects = getExpectations({ graphql });
  assert.deepEqual(
    [{ data: {} }, { data: null, errors: [{}] }, { errors: [] }].map((value) => judgeBody(expects, value).unexpected?.expectation),
    [undefined, 'BODY', undefined],
  );
  assert.deepEqual(listPointers({ graphql, method: 'GET' }), ['/execution/method']);
  assert.deepEqual(listPointers({ graphql, body: {} }), ['/execution/body']);
  assert.deepEqual(listPointers({ graphql, headers: { 'content-type': 'text/plain' } }), ['/execution/headers']);
  assert.deepEqual(listPointers({ graphql: { query, variables: { a: '{' } } }), ['/execution/graphql/variables/a']);
});

test('retries only for a tool that declares itself idempotent, with a key for a non-idempotent method', () => {
  const retries = { tries_max: 3 };
  assert.deepEqual(listPointers({ retries }), ['/execution/retries']);
  assert.deepEqual(listPointers({ retries, idempotency: { key_header: null } }), ['/execution/idempotency/key_header']);
  assert.deepEqual(listPointers({ retries, method: 'PUT', idempotency: { key_header: null } }), []);
  assert.deepEqual(
    listPointers({ retries: { ...retries, statuses: ['404'] }, idempotency: {}, expects: { success_statuses: ['2xx', '4xx'] } }),
    ['/execution/retries/statuses/0'],
  );
  assert.equal(parsed({ retries, idempotency: {} }).terms?.key_header, 'idempotency-key');
  assert.equal(parsed({}).terms, undefined, 'who says nothing costs nothing');
});

test("reserves the service's headers against declared, connection and secret ones", () => {
  const at = (name: string) => listPointers({ decision_header: name });
  for (const name of ['Host', 'Authorization', 'Cookie', 'content-length', 'Content-Type'])
    assert.deepEqual(at(name), ['/execution/decision_header'], name);
  assert.deepEqual(listPointers({ headers: { 'X-Action': '1' }, decision_header: 'x-action' }), ['/execution/decision_header']);
  assert.deepEqual(listPointers({ idempotency: { key_header: 'X-Key' }, decision_header: 'x-key' }), ['/execution/decision_header']);
  assert.deepEqual(at('X-Decision-Id'), []);
});
