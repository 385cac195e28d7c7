import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildExecutionRequest } from '../../request/execution-request.ts';
import { parseExecution } from '../../request/parse-execution.ts';
import { compileParameters } from '../../schema/parameters-schema.ts';
import { isNotProposed, type ProposedTool } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';

const A = { servers: [{ url: 'https://a.example/v1' }] };

const read = (path: string, method: string, operation: object, more: object = A) => {
  const found = proposeTools({ root: { openapi: '3.1.0', ...more, paths: { [path]: { [method]: operation } } } }, { source: 'shop' });
  assert.ok(!('fault' in found));
  const [only] = [...found.proposals()];
  assert.ok(only !== undefined);
  return only;
};
const proposed = (path: string, method: string, operation: object, more?: object): ProposedTool => {
  const only = read(path, method, operation, more);
  assert.ok(!isNotProposed(only), JSON.stringify(only));
  return only;
};
const built = ({ declaration }: ProposedTool, parameters: Readonly<Record<string, unknown>>) => {
  assert.deepEqual(compileParameters(declaration.parameters_schema)(parameters), []);
  const execution = parseExecution(declaration.execution);
  assert.ok(!('faults' in execution));
  const request = buildExecutionRequest(execution, parameters);
  assert.ok(!('faults' in request), JSON.stringify(request));
  return request;
};
const TEXT = { type: 'string' };

test('leaves out an optional body, and requires one that the document requires', () => {
  const content = { 'application/json': { schema: { type: 'object', properties: { a: TEXT }, required: ['a'] } } };
  for (const requestBody of [{ content }, { content, required: false }]) {
    const tool = proposed('/it', 'post', { requestBody });
    assert.equal(built(tool, {}).body, undefined);
    assert.equal(built(tool, { body: { a: 'x' } }).body, '{"a":"x"}');
    assert.equal(compileParameters(tool.declaration.parameters_schema)({ body: {} }).length, 1);
  }
  const { declaration } = proposed('/it', 'post', { requestBody: { content, required: true } });
  assert.equal(compileParameters(declaration.parameters_schema)({}).length, 1);
});

test('requires the fields of a form only if the document requires the form', () => {
  const schema = { type: 'object', properties: { a: TEXT, b: TEXT }, required: ['a'] };
  const content = { 'application/x-www-form-urlencoded': { schema } };
  const optional = proposed('/it', 'post', { requestBody: { content } });
  assert.equal(built(optional, {}).body, '');
  assert.match(optional.notes.join(), /The body is optional; a body that is sent requires a\./);
  const { declaration } = proposed('/it', 'post', { requestBody: { content, required: true } });
  assert.equal(compileParameters(declaration.parameters_schema)({}).length, 1);
});

test('names an optional body that a GET cannot send', () => {
  const content = { 'application/json': { schema: {} } };
  assert.match(proposed('/it', 'get', { requestBody: { content } }).notes.join(), /Its body is omitted: .* which a GET cannot send/);
});

test('keeps every query value that the address or the server fixes', () => {
  const servers = [{ url: 'https://a.example/v1?version=2' }];
  const parameters = ['id', 'version', 'q'].map((name) => ({ name, in: 'query', schema: TEXT }));
  const tool = proposed('/it?id=1&id=2', 'get', { parameters }, { servers });
  assert.equal(built(tool, { q: 'x' }).url, 'https://a.example/v1/it?id=1&id=2&version=2&q=x');
  assert.match(tool.notes.join(), /The parameters id, version are omitted: its address fixes the value/);
  const joined = { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: TEXT } };
  assert.equal(
    built(proposed('/it', 'get', { parameters: [joined] }, { servers }), { tags: ['a', 'b'] }).url,
    'https://a.example/v1/it?version=2&tags=a,b',
  );
});

test('calls the first usable server, and refuses operations without one', () => {
  const servers = [{ url: 'wss://a.example' }, { url: 'HTTPS://B.Example/v1/' }];
  assert.deepEqual(proposed('/it', 'get', {}, { servers }).declaration.destination_allowlist, ['b.example']);
  for (const [url, scheme] of [
    ['wss://a.example', 'wss'],
    ['grpc://a.example', 'grpc'],
    ['file:///etc', 'file'],
    ['{scheme}://a.example', 'ws'],
  ] as const) {
    const refused = read('/it', 'get', {}, { servers: [{ url, variables: { scheme: { default: 'ws' } } }] });
    assert.ok(isNotProposed(refused), url);
    assert.equal(refused.refused, `Its server has the scheme ${scheme}, but tools call only http and https.`);
  }
});
