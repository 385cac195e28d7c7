import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { declaredSecrets } from './declared-secrets.ts';
import { hideExecutionSecrets } from './hide-execution-secrets.ts';

const URL = 'https://api.example.com/v1';
const listPlaces = (change: Partial<ToolExecution>, schema: Record<string, unknown> = {}): readonly string[] =>
  declaredSecrets({ execution: { method: 'POST', url: URL, ...change }, parameters_schema: schema }).map(({ pointer }) => pointer);

const KEY = 'q8Zr3LmW0vTn5YbK2dXc7HsJ';
const HEX = '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c';

test('rejects a header for a secret by its name, with any value', () => {
  for (const name of [
    'X-Api-Key',
    'Api-Key',
    'apikey',
    'X-Auth-Token',
    'X-Stripe-Key',
    'X-Functions-Key',
    'Ocp-Apim-Subscription-Key',
    'X-Goog-Api-Key',
    'PRIVATE-TOKEN',
    'X-Vault-Token',
    'X-Amz-Security-Token',
    'x_client_secret',
    'X-Session-Id',
    'Set-Cookie',
    'X-Auth',
    'DD-APPLICATION-KEY',
  ]) {
    for (const value of ['x', '{key}']) assert.deepEqual(listPlaces({ headers: { [name]: value } }), [`/execution/headers/${name}`], name);
  }
});

test('rejects a likely secret at any position of the call', () => {
  const looks = [
    'sk_live_abcdefghijklmnop',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'AKIAIOSFODNN7EXAMPLE',
    'xoxb-1234567890-abcdef',
    'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl',
    'Bearer abcdefgh12',
    'Basic dXNlcjpwYXNzd29yZA==',
    'svc_setup_abcdefghijklmnop',
    KEY,
  ];
  for (const look of looks) {
    assert.deepEqual(listPlaces({ headers: { 'x-tag': look } }), ['/execution/headers/x-tag'], look);
    assert.deepEqual(listPlaces({ query: { tag: look } }), ['/execution/query/tag'], look);
    assert.deepEqual(listPlaces({ url: `${URL}?tag=${encodeURIComponent(look)}` }), ['/execution/url'], look);
    assert.deepEqual(listPlaces({ body: { list: [{ tag: `a ${look}` }] } }), ['/execution/body/list/0/tag'], look);
    assert.deepEqual(listPlaces({}, { properties: { tag: { default: look } } }), ['/parameters_schema/properties/tag/default'], look);
  }
  for (const look of [KEY, 'sk_live_abcdefghijklmnop']) assert.deepEqual(listPlaces({ url: `${URL}/${look}/send` }), ['/execution/url']);
  assert.deepEqual(listPlaces({ headers: { 'x-tag': HEX }, query: { tag: HEX } }), ['/execution/headers/x-tag', '/execution/query/tag']);
});

test('rejects a key in the path of a service, and not a parameter', () => {
  const keys = [
    'https://api.telegram.org/bot123:ABC/sendMessage',
    'https://api.telegram.org/bot123456789%3AAAabcdefghijklmnopqrstuvwxyzabcdefg/sendMessage',
    'https://api.telegram.org/file/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/{path}',
    'https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx',
    'https://discord.com/api/webhooks/1234567890/abcdefghij_klmnopqrstuvwxyz',
    'https://discord.com/api/v10/webhooks/1234567890/abcdefghij_klmnopqrstuvwxyz?wait=true',
  ];
  for (const url of keys) {
    assert.deepEqual(listPlaces({ url }), ['/execution/url'], url);
    const shown = hideExecutionSecrets({ method: 'POST', url }).url;
    assert.ok(!/ABC|AAabcd|AAHdq|abcdefghij/.test(shown), shown);
  }
  for (const url of [
    'https://shop.example/bot{bot}/send',
    'https://shop.example/robots:all/x',
    'https://shop.example/api/webhooks/{id}/{part}',
  ])
    assert.deepEqual(listPlaces({ url }), [], url);
});

test('recognizes a bot token at any position', () => {
  const look = '110201543:AAabcdefghijklmnopqrstuvwxyzabcdefg';
  assert.deepEqual(listPlaces({ query: { tag: look }, body: { text: `a bot${look}` } }), ['/execution/query/tag', '/execution/body/text']);
});

test('rejects a secret in a query or a body, and not an action about one', () => {
  assert.deepEqual(listPlaces({ query: { api_key: '{k}' } }), ['/execution/query/api_key']);
  assert.deepEqual(listPlaces({ url: `${URL}?access_token=abc` }), ['/execution/url']);
  assert.deepEqual(listPlaces({ url: `${URL}{?api_key,page}` }), ['/execution/url']);
  assert.deepEqual(listPlaces({ body: { auth: { password: 'hunter2' } } }), ['/execution/body/auth/password']);
  assert.deepEqual(listPlaces({ body: { user: '{name}', password: '{password}' } }), []);
});

test('accepts the usual parts of a call', () => {
  assert.deepEqual(
    listPlaces({
      url: `${URL}/accounts/0123456789abcdef0123456789abcdef/orders/{order}?api-version=2024-01-15-preview&page_token={cursor}&limit=100`,
      headers: {
        'Idempotency-Key': '{order}',
        'X-Request-Id': '{id}',
        'X-Order': 'order-2024-11-05-batch-0017-x',
        'X-Tenant': '0b0c9f7e-52d4-4c9a-8a3e-2f1d6b7c8d9e',
        Accept: 'application/vnd.example.customer-orders.v2+json;charset=utf-8',
        'X-Organization': 'org_01J8Z3V7Q2N4M6K8P0R2T4W6Y8',
        'X-Operation': 'getCustomerOrderHistoryById2',
      },
      query: { next_token: '{token}', sort_key: 'created_at', fields: 'id,name,created_at,updated_at' },
      body: {
        max_tokens: 1000,
        title: 'Basic information about {name}',
        note: 'the risk-assessment of customer 4711 is due on 2026-11-22T10:00:00Z',
        model: 'text-embedding-3-large-2024-01-25',
      },
    }),
    [],
  );
});

test('shows an execution without its secrets, and otherwise unchanged', () => {
  const execution: ToolExecution = {
    method: 'POST',
    url: `https://hooks.example.com/${KEY}/send?token=abc&page=2`,
    headers: { 'X-Api-Key': 'abc', accept: 'text/plain' },
    query: { key_id: '7', secret: 's' },
    body: { a: [`x ${KEY}`, 1, null], password: 'p', name: '{name}' },
  };
  assert.deepEqual(hideExecutionSecrets(execution), {
    method: 'POST',
    url: 'https://hooks.example.com/[masked]/send?token=[masked]&page=2',
    headers: { 'X-Api-Key': '[masked]', accept: 'text/plain' },
    query: { key_id: '7', secret: '[masked]' },
    body: { a: ['x [masked]', 1, null], password: '[masked]', name: '{name}' },
  });
  const plain: ToolExecution = { method: 'GET', url: `${URL}/orders/{order}{?page}` };
  assert.deepEqual(hideExecutionSecrets(plain), plain);
});

test('accepts a name made of words at any position, and rejects a run of random characters', () => {
  for (const name of ['addProjectV2ItemById', 'getUserV2IdByApiOrSsoId', 'listOrgRepoPRsByUserID', 'findAllByS3BucketAndKey']) {
    assert.deepEqual(listPlaces({ query: { op: name } }), [], name);
    assert.deepEqual(listPlaces({ body: { query: `mutation { ${name}(id: $id) { id } }` } }), [], name);
    assert.deepEqual(listPlaces({ url: `${URL}/${name}` }), [], name);
  }
  for (const look of [KEY, 'aB3dE5fG7hJ9kL1mN3pQ', 'xQzWkRtVbNmPlKjHgFdS', 'Zx9Cv8Bn7Mq6Lk5Jh4Gf', 'AbCdEfGhIjKlMnOpQrStUvWx'])
    assert.deepEqual(listPlaces({ query: { op: look } }), ['/execution/query/op'], look);
});

test('treats a URL signature as a secret in its query, and not in a header or a body', () => {
  for (const name of ['sig', 'signature', 'X-Amz-Signature', 'X-Goog-Signature', 'hmac']) {
    assert.deepEqual(listPlaces({ query: { [name]: 'abc' } }), [`/execution/query/${name}`], name);
    assert.deepEqual(listPlaces({ url: `${URL}?${name}=abc` }), ['/execution/url'], name);
    assert.deepEqual(listPlaces({ body: { [name]: 'abc' } }), [], name);
  }
});
