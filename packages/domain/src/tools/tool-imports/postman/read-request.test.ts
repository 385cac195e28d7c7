import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildExecutionRequest } from '../../request/execution-request.ts';
import { parseExecution } from '../../request/parse-execution.ts';
import { compileParameters } from '../../schema/parameters-schema.ts';
import { isNotProposed, type ProposedTool } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const collection = (request: object, more: object = {}, options: object = {}) => {
  const root = { info: { name: 'C', schema: SCHEMA }, item: [{ name: 'It', request: { method: 'GET', ...request } }], ...more };
  const found = proposeTools({ root }, { source: 'shop', ...options });
  assert.ok(!('fault' in found));
  const [only] = [...found.proposals()];
  assert.ok(only !== undefined);
  return only;
};
const proposed = (request: object, more: object = {}): ProposedTool => {
  const only = collection(request, more);
  assert.ok(!isNotProposed(only), JSON.stringify(only));
  return only;
};
const sentUrl = ({ declaration }: ProposedTool, parameters: Readonly<Record<string, unknown>>): string => {
  assert.deepEqual(compileParameters(declaration.parameters_schema)(parameters), []);
  const execution = parseExecution(declaration.execution);
  assert.ok(!('faults' in execution));
  const request = buildExecutionRequest(execution, parameters);
  assert.ok(!('faults' in request), JSON.stringify(request));
  return request.url;
};

test('refuses an address with another scheme than http or https, also after a variable and with base_url', () => {
  const url = 'https://a.example/x';
  for (const [written, scheme, variable] of [
    ['wss://a.example/s', 'wss'],
    ['WS://a.example/s', 'ws'],
    ['grpc://a.example:443/s', 'grpc'],
    ['file:///etc/hosts', 'file'],
    ['ftp://a.example/a', 'ftp'],
    ['mailto:a@a.example', 'mailto'],
    ['{{base}}/s', 'wss', [{ key: 'base', value: 'wss://a.example' }]],
    [{ raw: 'a.example:8443/s', protocol: 'wss', host: ['a', 'example'] }, 'wss'],
    [{ protocol: 'grpc', host: ['a', 'example'], path: ['s'] }, 'grpc'],
  ] as const)
    for (const options of [{}, { base_url: url }]) {
      const refused = collection({ url: written }, variable ? { variable } : {}, options);
      assert.ok(isNotProposed(refused), JSON.stringify(refused));
      assert.equal(refused.refused, `Its address has the scheme ${scheme}, but tools call only http and https.`);
    }
});

test('reads an upper-case scheme, and a port without a scheme', () => {
  const hosts = (url: unknown) => proposed({ url }).declaration.destination_allowlist;
  assert.deepEqual(hosts('HTTPS://API.Example.com/x'), ['api.example.com']);
  assert.deepEqual(hosts('Http://a.example/x'), ['a.example']);
  assert.deepEqual(hosts('a.example:8443/x'), ['a.example:8443']);
  assert.equal(proposed({ url: 'Http://a.example/x' }).declaration.execution.url, 'http://a.example/x');
});

test('proposes a credential for each secret of a request, in any part of it', () => {
  const url = 'https://a.example/x';
  const ways = (request: object, more: object = {}) =>
    proposed({ url, ...request }, more).credentials.map(({ scheme, placement, extras }) => [scheme, placement, ...(extras ?? [])]);
  const header = (key: string, value: string) => ({ header: [{ key, value }] });
  assert.deepEqual(ways(header('Authorization', 'Bearer {{token}}')), [['BEARER', {}]]);
  assert.deepEqual(ways(header('authorization', 'Basic {{basic}}')), [['BASIC', {}]]);
  assert.deepEqual(ways(header('Authorization', 'Token {{key}}')), [['HEADER', { header: 'Authorization', prefix: 'Token' }]]);
  assert.deepEqual(ways(header('Authorization', 'OAuth {{key}}')), [['HEADER', { header: 'Authorization', prefix: 'OAuth' }]]);
  assert.deepEqual(ways(header('Authorization', '{{auth}}'), { variable: [{ key: 'auth', value: 'Bearer x' }] }), [['BEARER', {}]]);
  assert.deepEqual(ways(header('X-Api-Key', '{{key}}')), [['HEADER', { header: 'X-Api-Key' }]]);
  assert.deepEqual(ways({ url: `${url}?api_key={{key}}&a=1` }), [['QUERY', { parameter: 'api_key' }]]);
  assert.deepEqual(ways({ url: `${url}?token={{key}}` }), [['QUERY', { parameter: 'token' }]]);
  const form = { mode: 'urlencoded', urlencoded: [{ key: 'api_key', value: '{{key}}' }, { key: 'a' }] };
  assert.deepEqual(ways({ method: 'POST', body: form }), [['BODY_FIELD', { field: 'api_key' }]]);
  assert.deepEqual(ways({ auth: { type: 'basic' }, ...header('X-App-Id-Key', '{{id}}') }), [
    ['BASIC', {}, { in: 'HEADER', name: 'X-App-Id-Key' }],
  ]);
  assert.deepEqual(ways({ auth: { type: 'bearer' }, ...header('Authorization', 'Basic x') }), [['BEARER', {}]]);
  const apikey = [
    { key: 'key', value: 'Authorization' },
    { key: 'value', value: 'Bearer {{t}}' },
  ];
  assert.deepEqual(ways({ auth: { type: 'apikey', apikey } }), [['BEARER', {}]]);
  const off = { header: [{ key: 'Authorization', value: 'Bearer x', disabled: true }] };
  assert.deepEqual(ways(off), []);
});

test('names the authentication that cannot be sent, and inherits that of a folder', () => {
  const url = 'https://a.example/x';
  for (const [type, called] of [
    ['awsv4', 'AWS Signature Version 4'],
    ['digest', 'HTTP Digest'],
    ['hawk', 'Hawk'],
    ['ntlm', 'NTLM'],
    ['oauth1', 'OAuth 1.0'],
    ['edgegrid', 'Akamai EdgeGrid'],
    ['asap', 'ASAP'],
  ] as const) {
    const { credentials, notes } = proposed({ url, auth: { type } });
    assert.deepEqual([credentials, notes], [[], [`It authenticates with request signing (${called}), which is not supported.`]]);
  }
  const signed = { header: [{ key: 'Authorization', value: 'AWS4-HMAC-SHA256 Credential={{id}}, Signature={{s}}' }] };
  assert.deepEqual(proposed({ url, ...signed }).credentials, []);
  assert.match(proposed({ url, ...signed }).notes.join(), /request signing \(AWS Signature Version 4\)/);
  const kinds = (auth: unknown) => proposed({ url, auth }, { auth: { type: 'bearer' } }).credentials.map(({ scheme }) => scheme);
  assert.deepEqual(
    [kinds(undefined), kinds(null), kinds({ type: 'inherit' }), kinds({ type: 'noauth' })],
    [['BEARER'], ['BEARER'], ['BEARER'], []],
  );
  const oauth2 = [
    { key: 'addTokenTo', value: 'queryParams' },
    { key: 'grant_type', value: 'client_credentials' },
  ];
  const { credentials, notes } = proposed({ url, auth: { type: 'oauth2', oauth2 } });
  assert.deepEqual([credentials.map(({ scheme }) => scheme), notes.length], [['OAUTH'], 1]);
});

test('keeps every value of a repeated query key, and the query of an address variable', () => {
  const twice = proposed({ url: 'https://a.example/x?id=1&id=2&b=3' });
  assert.equal(sentUrl(twice, { id: [1, 2], b: 3 }), 'https://a.example/x?id=1&id=2&b=3');
  assert.equal(sentUrl(twice, { id: 'one' }), 'https://a.example/x?id=one');
  const based = proposed({ url: '{{base}}/x' }, { variable: [{ key: 'base', value: 'https://a.example/v1?version=2' }] });
  assert.equal(sentUrl(based, { version: 3 }), 'https://a.example/v1/x?version=3');
  const fields = [{ key: 'id' }, { key: 'id' }];
  const form = proposed({ url: 'https://a.example/x', method: 'POST', body: { mode: 'urlencoded', urlencoded: fields } });
  assert.deepEqual(compileParameters(form.declaration.parameters_schema)({ id: ['a', 'b'] }), []);
});

test('keeps a variable that is a part of a path segment', () => {
  const tool = proposed({ url: 'https://a.example/v{{version}}/report-{{id}}.json' });
  assert.equal(sentUrl(tool, { version: '2', id: 'a b' }), 'https://a.example/v2/report-a%20b.json');
});
