import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed, type ProposedTool } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';

const proposed = (root: object): ProposedTool => {
  const found = proposeTools({ root }, { source: 'shop' });
  assert.ok(!('fault' in found), JSON.stringify(found));
  const [first] = [...found.proposals()];
  assert.ok(first !== undefined && !isNotProposed(first), JSON.stringify(first));
  return first;
};
const writeDocument = (securitySchemes: object, security: readonly object[], more: object = {}) =>
  proposed({
    ...{ openapi: '3.0.3', servers: [{ url: 'https://a.example' }], components: { securitySchemes }, security },
    paths: { '/it': { get: { operationId: 'it', ...more } } },
  });
const KEY = { type: 'apiKey', in: 'header', name: 'Authorization' };

test('offers no credential for a scheme that signs requests, and names the scheme', () => {
  for (const [name, scheme, called] of [
    ['hmac', { ...KEY, 'x-amazon-apigateway-authtype': 'awsSigv4' }, /AWS Signature Version 4/],
    ['gateway', { ...KEY, name: 'X-Key', 'x-amazon-apigateway-authtype': 'awsSigV4' }, /AWS Signature Version 4/],
    ['sigv4', KEY, /AWS Signature Version 4/],
    ['key', { ...KEY, description: 'Amazon Signature authorization v4' }, /AWS Signature Version 4/],
    ['requestHmac', KEY, /HMAC/],
    ['key', { ...KEY, description: 'Shared Key for Azure' }, /Azure Shared Key/],
    ['key', { ...KEY, description: 'OAuth 1.0a with a consumer key' }, /OAuth 1\.0/],
    ['key', { ...KEY, description: 'Sign each request with your secret' }, /a signature of each request/],
    ['key', { ...KEY, name: 'X-Signature' }, /a signature of each request/],
    ['key', { ...KEY, in: 'query', name: 'X-Amz-Signature' }, /a signature of each request/],
    ['it', { type: 'http', scheme: 'digest' }, /HTTP Digest/],
    ['it', { type: 'http', scheme: 'HOBA' }, /HTTP HOBA/],
    ['it', { type: 'http', scheme: 'AWS4-HMAC-SHA256' }, /AWS Signature Version 4/],
    ['it', { type: 'http', scheme: 'SharedKey' }, /Azure Shared Key/],
    ['it', { type: 'http', scheme: 'scram-sha-256' }, /HTTP scram-sha-256/],
    ['it', { type: 'http', scheme: 'oauth' }, /OAuth 1\.0/],
  ] as const) {
    const { credentials, notes } = writeDocument({ [name]: scheme }, [{ [name]: [] }]);
    assert.deepEqual(credentials, [], JSON.stringify(scheme));
    assert.match(notes.join(' '), called);
    assert.match(notes.join(' '), /is request signing \(.*\), which is not supported/);
  }
});

test('offers the other credentials of an operation, but none of those that are required with a signature', () => {
  const schemes = { sigv4: { ...KEY, 'x-amazon-apigateway-authtype': 'awsSigv4' }, key: { ...KEY, name: 'X-Api-Key' } };
  const either = writeDocument(schemes, [{ sigv4: [] }, { key: [] }]);
  assert.deepEqual([either.credentials.map(({ name }) => name), either.notes.length], [['key'], 1]);
  const both = writeDocument(schemes, [{ sigv4: [], key: [] }]);
  assert.deepEqual([both.credentials, both.notes.length], [[], 2]);
});

test('proposes no parts of a signature as parameters or keys, and keeps keys that no scheme signs', () => {
  const parameters = ['X-Amz-Date', 'X-Amz-Credential', 'X-Amz-Security-Token', 'X-Amz-Signature'].map((name) => ({
    ...{ name, in: 'header', required: true, schema: { type: 'string' } },
  }));
  const signed = writeDocument({ hmac: KEY }, [{ hmac: [] }], { parameters });
  assert.deepEqual([signed.credentials, signed.declaration.parameters_schema.properties], [[], {}]);
  assert.match(signed.notes.join(' '), /X-Amz-Date, X-Amz-Credential.* are omitted: it is part of request signing/);
  for (const scheme of [
    { ...KEY, description: 'OAuth 2.0 token' },
    { ...KEY, 'x-amazon-apigateway-authtype': 'custom' },
  ])
    assert.equal(writeDocument({ key: scheme }, [{ key: [] }]).credentials.length, 1, JSON.stringify(scheme));
});

test('proposes a credential for a parameter Authorization, and one for keys that are required together', () => {
  const header = (name: string, more: object = {}) => ({ name, in: 'header', required: true, schema: { type: 'string' }, ...more });
  const alone = writeDocument({}, [], { parameters: [header('Authorization', { example: 'Token abc123def456' })] });
  assert.deepEqual(alone.credentials, [
    { scheme: 'HEADER', name: 'Authorization', placement: { header: 'Authorization', prefix: 'Token' }, scopes: [] },
  ]);
  const bearer = writeDocument({ token: { type: 'http', scheme: 'bearer' } }, [{ token: [] }], {
    parameters: [header('Authorization'), header('X-Api-Key'), header('X-Trace-Key', { required: false })],
  });
  assert.deepEqual(
    bearer.credentials.map(({ scheme, extras }) => [scheme, extras]),
    [['BEARER', [{ in: 'HEADER', name: 'X-Api-Key' }]]],
  );
  assert.match(bearer.notes.join(' '), /It also has X-Trace-Key, which appears to be a secret and is not sent/);
  const keys = writeDocument({}, [], {
    parameters: [header('X-Api-Key'), header('X-App-Key'), { name: 'api_key', in: 'query', required: true, schema: {} }],
  });
  assert.deepEqual(
    keys.credentials.map(({ placement, extras }) => [placement, extras]),
    [
      [
        { header: 'X-Api-Key' },
        [
          { in: 'HEADER', name: 'X-App-Key' },
          { in: 'QUERY', name: 'api_key' },
        ],
      ],
    ],
  );
});
