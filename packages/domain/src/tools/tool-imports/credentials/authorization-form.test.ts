import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDescribedForm, readWrittenForm } from './authorization-form.ts';

const described = (text: string): string | undefined => {
  const form = readDescribedForm(text);
  if (form === undefined || form.scheme !== 'HEADER') return form?.scheme;
  return form.placement.template ?? form.placement.prefix;
};

test('reads the word before a key from a format, a stated prefix or the name of a scheme', () => {
  for (const [text, word] of [
    ['Account key, written as `Token token=<KEY>`', 'Token token={secret}'],
    ['Header value: `Authorization: Token token="<KEY>"`', 'Token token="{secret}"'],
    ['A JSON Web Token, sent in the format `Bearer {token}`.', 'BEARER'],
    ['JWT in the header by the bearer scheme. Example: "Authorization: Bearer {token}"', 'BEARER'],
    ['Write "OAuth", then the token: OAuth ACCESS_TOKEN', 'OAuth'],
    ['Uses a Bearer Token', 'BEARER'],
    ['Tokens with the prefix "Token"', 'Token'],
    ['Keys are prefixed with `GenieKey `', 'GenieKey'],
    ['Authorization: Bot YOUR_BOT_TOKEN', 'Bot'],
    ['`SSWS $api_key`', 'SSWS'],
    ["Value such as 'ApiKey abc123def456'", 'ApiKey'],
    ['HTTP Basic authentication', 'BASIC'],
    ['Not Bearer, but `Token <key>`', 'Token'],
  ] as const)
    assert.equal(described(text), word, text);
});

test('reads no word from a description that only mentions one, negates it, or names two', () => {
  for (const text of [
    'A JSON Web Token (JWT) identifies the user',
    'Basic information about the account key',
    'The Key of your account, shown under Token settings',
    'Bot accounts send the token of their owner',
    'Do not prefix the key with Bearer',
    'Bearer is not supported',
    'The bearer of this key can read all orders',
    '`Bearer <token>` or `Token <key>`',
    'Keys of the `Orders` API',
    "the user's Token <of the account>, don't share it",
    '',
  ])
    assert.equal(described(text), undefined, text);
});

test('reads the form of a written header value', () => {
  const written = (value: string) => {
    const { word, form } = readWrittenForm(value);
    return [word, form?.scheme, form?.placement.template ?? form?.placement.prefix];
  };
  assert.deepEqual(written('Bearer {{token}}'), ['Bearer', 'BEARER', undefined]);
  assert.deepEqual(written('Basic {{user and password}}'), ['Basic', 'BASIC', undefined]);
  assert.deepEqual(written('Token {{key}}'), ['Token', 'HEADER', 'Token']);
  assert.deepEqual(written('Token token="{{key}}"'), ['Token', 'HEADER', 'Token token="{secret}"']);
  assert.deepEqual(written('{{key}}'), ['', 'HEADER', undefined]);
  assert.deepEqual(written('{{kind}} {{key}}'), ['', undefined, undefined]);
  assert.deepEqual(written('Custom id=1, key={{key}}'), ['Custom', undefined, undefined]);
});
