import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeSecret, type SecretBearing, type SecretUse } from './place-secret.ts';

const SECRET = 'k&y=1 +/%"e';
const request = (more: Partial<SecretBearing> = {}): SecretBearing => ({
  ...{ url: new URL('https://service.example/a?b=c%20d&key=agent&KEY=x'), headers: {}, body: undefined, ...more },
});
const placed = (use: Omit<SecretUse, 'secret'>, more?: Partial<SecretBearing>) => {
  const answer = placeSecret(request(more), { ...use, secret: SECRET });
  if ('unplaced' in answer) throw new Error(answer.unplaced);
  return answer;
};

test('a secret stands where its scheme says, in place of whatever the tool or the agent put there', () => {
  const headers = { authorization: 'Bearer of-the-agent', 'x-key': 'of-the-agent' };
  assert.equal(placed({ scheme: 'BEARER', placement: {} }, { headers }).headers.authorization, `Bearer ${SECRET}`);
  assert.equal(placed({ scheme: 'HEADER', placement: { header: 'X-Key' } }, { headers }).headers['x-key'], SECRET);
  const prefixed = placed({ scheme: 'HEADER', placement: { header: 'Authorization', prefix: 'Token' } }, { headers });
  assert.deepEqual(prefixed.headers, { authorization: `Token ${SECRET}`, 'x-key': 'of-the-agent' });
  const field = placed({ scheme: 'BODY_FIELD', placement: { field: 'key' } }, { body: '{"key":"agent","a":1}' });
  assert.deepEqual(JSON.parse(field.body ?? ''), { key: SECRET, a: 1 });
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body: 'key=agent&key=2&a=1' };
  assert.deepEqual([...new URLSearchParams(placed({ scheme: 'BODY_FIELD', placement: { field: 'key' } }, form).body)].sort(), [
    ['a', '1'],
    ['key', SECRET],
  ]);
  const { url } = placed({ scheme: 'QUERY', placement: { parameter: 'key' } });
  assert.equal(url.search, `?b=c%20d&KEY=x&key=${encodeURIComponent(SECRET)}`);
});

test('HTTP basic takes the secret as password of a user, as password of none, or as user without a password; what it writes is secret too', () => {
  const basic = (placement: SecretUse['placement']) => {
    const { headers, written } = placed({ scheme: 'BASIC', placement });
    const token = headers.authorization?.replace('Basic ', '') ?? '';
    assert.deepEqual(written, [token]);
    return Buffer.from(token, 'base64').toString();
  };
  assert.equal(basic({ username: 'me' }), `me:${SECRET}`);
  assert.equal(basic({}), `:${SECRET}`);
  assert.equal(basic({ secret_is: 'USERNAME' }), `${SECRET}:`);
});

test('a body that has no place for a secret is told, and gets none', () => {
  for (const body of ['[1]', 'text', '"text"', 'null'])
    assert.ok('unplaced' in placeSecret(request({ body }), { scheme: 'BODY_FIELD', placement: { field: 'key' }, secret: SECRET }), body);
});
