import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTokenAnswer } from './read-token-answer.ts';

const TOKENS = { access_token: 'an-access-token', refresh_token: 'a-rotated-one', expires_in: 60 };
const read = (status: number, body: object) => readTokenAnswer(status, JSON.stringify(body));

test('accepts tokens of a success even with an error, since a rotated one is issued once', () => {
  for (const error of ['', 'none', 'invalid_grant']) {
    const answer = read(200, { ...TOKENS, error });
    assert.ok('tokens' in answer, error);
    assert.deepEqual([answer.tokens.access_token, answer.tokens.refresh_token], ['an-access-token', 'a-rotated-one']);
  }
});

test('treats an error without a usable token, or another status than success, as a refusal', () => {
  assert.deepEqual(read(200, { error: 'invalid_grant' }), { failure: 'invalid_grant' });
  assert.deepEqual(read(200, { error: 'invalid_grant', access_token: 'two words' }), { failure: 'invalid_grant' });
  assert.deepEqual(read(400, { ...TOKENS, error: 'invalid_grant' }), { failure: 'invalid_grant' });
  assert.deepEqual(read(500, TOKENS), { failure: 'failing' });
});

test('rejects an access token too short to be masked, and accepts a refresh token of any length', () => {
  assert.deepEqual(read(200, { ...TOKENS, access_token: 'seven-7' }), { failure: 'unusable' });
  assert.deepEqual(read(200, { access_token: 'e', error: 'invalid_grant' }), { failure: 'invalid_grant' });
  assert.ok('tokens' in read(200, { access_token: 'eight--8', refresh_token: 'r' }));
});

test('refuses a token that needs a proof with each request, and accepts a bearer token under any other word', () => {
  for (const token_type of ['mac', 'MAC', 'DPoP', 'pop'])
    assert.deepEqual(read(200, { ...TOKENS, token_type }), { failure: 'unusable' }, token_type);
  for (const token_type of ['Bearer', 'bearer', 'bot', undefined, null])
    assert.ok('tokens' in read(200, { ...TOKENS, token_type }), String(token_type));
});
