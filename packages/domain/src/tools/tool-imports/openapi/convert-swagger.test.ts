import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { buildExecutionRequest } from '../../request/execution-request.ts';
import { parseExecution } from '../../request/parse-execution.ts';
import { compileParameters } from '../../schema/parameters-schema.ts';
import { isNotProposed, type ProposedTool, type RejectedOperation } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';

const SHOP = { swagger: '2.0', info: { title: 'Shop', version: '3' }, host: 'shop.example', basePath: '/v1', schemes: ['https'] };

const read = (root: object, options: object = {}) => proposeTools({ root }, { source: 'shop', ...options });
const all = (root: object): ReadonlyMap<string, ProposedTool | RejectedOperation> => {
  const found = read(root);
  assert.ok(!('fault' in found), JSON.stringify(found));
  return new Map([...found.proposals()].map((each) => [each.key, each]));
};
const proposed = (root: object, key = 'it'): ProposedTool => {
  const each = all(root).get(key);
  assert.ok(each !== undefined && !isNotProposed(each), JSON.stringify(each));
  return each;
};
const sent = ({ declaration }: ProposedTool, parameters: Readonly<Record<string, unknown>>) => {
  const faults = compileParameters(declaration.parameters_schema)(parameters);
  if (faults.length > 0) return 'refused';
  const execution = parseExecution(declaration.execution);
  assert.ok(!('faults' in execution));
  const request = buildExecutionRequest(execution, parameters);
  assert.ok(!('faults' in request), JSON.stringify(request));
  return [request.method, request.url, request.body];
};
const AMOUNT = { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } };
const post = (operation: object, more: object = {}, shared: object = {}) => ({
  ...SHOP,
  ...more,
  paths: { '/it/{id}': { ...shared, post: { operationId: 'it', responses: { 200: { description: 'ok' } }, ...operation } } },
});
const ID = { name: 'id', in: 'path', required: true, type: 'string' };

test('reads a Swagger 2.0 document like OpenAPI 3, with the same keys', () => {
  const found = read(post({}));
  assert.ok(!('fault' in found));
  assert.deepEqual([found.format, found.title, found.version], ['Swagger 2.0', 'Shop', '3']);
  const body = { in: 'body', name: 'order', required: true, schema: { $ref: '#/definitions/Amount' } };
  const tool = proposed(post({ parameters: [ID, body] }, { definitions: { Amount: AMOUNT } }));
  assert.deepEqual(sent(tool, { id: 'a', body: { amount: 1 } }), ['POST', 'https://shop.example/v1/it/a', '{"amount":1}']);
  assert.equal(sent(tool, { id: 'a', body: {} }), 'refused');
  assert.equal(sent(tool, { id: 'a' }), 'refused');
  const optional = proposed(post({ parameters: [ID, { ...body, required: false }] }, { definitions: { Amount: AMOUNT } }));
  assert.deepEqual(sent(optional, { id: 'a' }), ['POST', 'https://shop.example/v1/it/a', undefined]);
});

test('reads shared and referenced parameters, forms and lists', () => {
  const parameters = {
    Note: { name: 'note', in: 'formData', type: 'string', required: true },
    Tags: { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'csv' },
  };
  const refs = Object.keys(parameters).map((name) => ({ $ref: `#/parameters/${name}` }));
  const tool = proposed(post({ parameters: refs }, { parameters }, { parameters: [ID] }));
  assert.deepEqual(sent(tool, { id: 'a', note: 'x y', tags: ['b', 'c'] }), ['POST', 'https://shop.example/v1/it/a?tags=b,c', 'note=x+y']);
  assert.equal(sent(tool, { id: 'a' }), 'refused');
  const file = all(post({ parameters: [ID, { name: 'picture', in: 'formData', type: 'file', required: true }] })).get('it');
  assert.ok(file !== undefined && isNotProposed(file) && /It accepts only multipart\/form-data/.test(file.refused));
  const lost = all(post({ parameters: [{ $ref: '#/parameters/None' }] })).get('it');
  assert.ok(lost !== undefined && isNotProposed(lost) && /#\/parameters\/None, which is not in the document/.test(lost.refused));
});

test('reads its credentials', () => {
  const securityDefinitions = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    basic: { type: 'basic' },
    oauth: { type: 'oauth2', flow: 'application', tokenUrl: 'https://shop.example/token', scopes: { read: '' } },
    signed: { type: 'apiKey', in: 'header', name: 'Authorization', 'x-amazon-apigateway-authtype': 'awsSigv4' },
  };
  const security = [{ key: [] }, { basic: [] }, { oauth: ['read'] }, { signed: [] }];
  const { credentials, notes } = proposed(post({ parameters: [ID] }, { securityDefinitions, security }));
  assert.deepEqual(
    credentials.map(({ scheme, oauth }) => [scheme, oauth?.flow]),
    [
      ['HEADER', undefined],
      ['BASIC', undefined],
      ['OAUTH', 'CLIENT_CREDENTIALS'],
    ],
  );
  assert.match(notes.join(), /request signing \(AWS Signature Version 4\)/);
});

test('prefers https, and refuses schemes that tools do not call', () => {
  const url = (more: object) => {
    const each = all(post({ parameters: [ID] }, more)).get('it');
    assert.ok(each !== undefined);
    return isNotProposed(each) ? each.refused : each.declaration.execution.url;
  };
  assert.equal(url({ schemes: ['http', 'https'] }), 'https://shop.example/v1/it/{id}');
  assert.equal(url({ schemes: ['HTTP'] }), 'http://shop.example/v1/it/{id}');
  assert.equal(url({ schemes: undefined }), 'https://shop.example/v1/it/{id}');
  assert.equal(url({ schemes: ['wss'] }), 'Its server has the scheme wss, but tools call only http and https.');
  assert.match(url({ host: undefined }), /contains no server address/);
});

test('refuses other versions, and documents that are too large or malformed', () => {
  const fault = (root: object): string => {
    const found = read(root);
    assert.ok('fault' in found, 'it was read');
    return found.fault;
  };
  assert.match(fault({ swagger: '1.2' }), /Swagger 1\.2 is not supported/);
  assert.match(fault({ swagger: '2.0' }), /no operations/);
  let shared: object = { type: 'string' };
  for (let level = 0; level < 30; level += 1) shared = { properties: { a: shared, b: shared } };
  const began = performance.now();
  assert.match(fault(post({}, { definitions: { A: shared } })), /more than 2000000 values once its shared parts are copied/);
  assert.ok(performance.now() - began < LIMITS.toolImports.readingProcessorMs / 3);
  const consumes = Array.from({ length: 30 }, (_, at) => `application/type-${at}`);
  const body = { in: 'body', name: 'body', schema: { type: 'string', enum: Array.from({ length: 100_000 }, (_, at) => `${at}`) } };
  // The document is small enough, and its conversion repeats the body for each media type.
  assert.match(fault(post({ parameters: [body], consumes })), /more than 2000000 values once its shared parts are copied/);
  const circle: { self?: object } = {};
  circle.self = circle;
  assert.match(fault(post({}, { definitions: { A: circle } })), /nested deeper than 200 levels/);
  for (const broken of [
    { paths: { '/a': null, '/b': { get: null, post: 'x', 'x-it': null } } },
    { paths: [] },
    post({ parameters: [null, 1, { name: 'a' }] }),
    post({ parameters: { a: 1 }, consumes: 5 }),
    post({}, { definitions: { A: null }, securityDefinitions: { a: null }, security: [null], info: null }),
    post({ parameters: [{ in: 'body', schema: null }] }),
    post({}, JSON.parse('{"definitions": {"__proto__": {"type": "object"}}, "parameters": {"__proto__": {"in": "query"}}}')),
  ]) {
    const found = read({ ...SHOP, ...broken });
    if ('fault' in found) assert.match(found.fault, /^[A-Z].*\.$/);
    else assert.ok([...found.proposals()].length > 0);
  }
});
