import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRevealingTexts, placeSecrets, type SecretPlaces } from './place-secret.ts';
import type { SecretBearing } from './slots/slot.ts';

const SECRET = 'k&y=1 +/%"e';
const request = (more: Partial<SecretBearing> = {}): SecretBearing => ({
  ...{ url: new URL('https://service.example/a?b=c%20d&key=agent&KEY=x'), headers: {}, body: undefined, ...more },
});
const placed = (use: Omit<SecretPlaces, 'extras'>, more?: Partial<SecretBearing>, secret = SECRET) => {
  const answer = placeSecrets(request(more), { ...use, extras: [] }, { secret, extras: [] });
  if ('unplaced' in answer) throw new Error(answer.unplaced);
  return answer;
};

test('places a secret as its scheme states, replacing any value of the tool or the agent', () => {
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

test('places a secret in a body once, for any variants of its name', () => {
  const use = { scheme: 'BODY_FIELD', placement: { field: 'api_key' } } as const;
  const names = ['API_KEY', 'Api-Key', 'api.key', 'apikey', ' api_key', 'api[key', '\uff41pi_\u212aey', 'api_key\0x', 'api_key'];
  for (const name of names) {
    const json = placed(use, { body: JSON.stringify({ a: 1, [name]: 'mine', my_api_key: 2, __proto__x: 3 }) });
    assert.equal(json.body, JSON.stringify({ a: 1, my_api_key: 2, __proto__x: 3, api_key: SECRET }), name);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = placed(use, {
      headers,
      body: `${new URLSearchParams([
        [name, 'mine'],
        ['a', '1'],
        [name, 'b'],
      ])}`,
    });
    assert.deepEqual(
      [...new URLSearchParams(form.body)],
      [
        ['a', '1'],
        ['api_key', SECRET],
      ],
      name,
    );
  }
  const sign = placed({ scheme: 'BODY_FIELD', placement: { field: '_' } }, { body: '{"-":1,"_":2}' });
  assert.equal(sign.body, JSON.stringify({ '-': 1, _: SECRET }), 'a name of no letters is only itself');
});

test('encodes HTTP basic with the secret as password of a user, as password of none, or as user without a password', () => {
  const basic = (placement: SecretPlaces['placement']) => {
    const { headers } = placed({ scheme: 'BASIC', placement });
    return Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
  };
  assert.equal(basic({ username: 'me' }), `me:${SECRET}`);
  assert.equal(basic({}), `:${SECRET}`);
  assert.equal(basic({ secret_is: 'USERNAME' }), `${SECRET}:`);
});

test('marks exactly those characters of HTTP basic as secret that depend on the secret', () => {
  const PLACEMENTS = [{}, { username: 'm' }, { username: 'me' }, { username: 'a-long-user' }, { secret_is: 'USERNAME' }] as const;
  for (const placement of PLACEMENTS) {
    const written = (secret: string): string =>
      placed({ scheme: 'BASIC', placement }, {}, secret).headers.authorization?.slice('Basic '.length) ?? '';
    for (let length = 8; length < 16; length += 1) {
      const all = written('k'.repeat(length));
      const differs = [...all].map((char, at) =>
        ['\0', '\x7f', '\x80', '\xff'].some((other) => written(other.repeat(length))[at] !== char),
      );
      const [part = '', ...more] = listRevealingTexts({ scheme: 'BASIC', placement }, 'k'.repeat(length));
      assert.deepEqual([part, more], [all.slice(differs.indexOf(true), differs.lastIndexOf(true) + 1), []]);
    }
  }
  assert.deepEqual(listRevealingTexts({ scheme: 'BEARER', placement: {} }, SECRET), []);
});

test('refuses a body without a position for a secret', () => {
  for (const body of ['[1]', 'text', '"text"', 'null'])
    assert.ok(
      'unplaced' in
        placeSecrets(request({ body }), { scheme: 'BODY_FIELD', placement: { field: 'key' }, extras: [] }, { secret: SECRET, extras: [] }),
      body,
    );
});

test('places every extra item, and none if their secrets are too few', () => {
  const extras = [
    { in: 'HEADER', name: 'X-App' },
    { in: 'QUERY', name: 'statuses[]' },
    { in: 'BODY_FIELD', name: 'token' },
    { in: 'BODY_FIELD', name: 'id' },
  ] as const;
  const use = { scheme: 'BEARER', placement: {}, extras } as const;
  const secrets = { secret: SECRET, extras: ['one', 'two&', 'three', 'four'] };
  const bare = request({ headers: { 'x-app': 'of-the-agent' }, body: '{"Token":"of-the-agent","a":1}' });
  const answer = placeSecrets(bare, use, secrets);
  assert.ok(!('unplaced' in answer));
  assert.deepEqual(answer.headers, { authorization: `Bearer ${SECRET}`, 'x-app': 'one', 'content-type': 'application/json' });
  assert.equal(answer.url.searchParams.get('statuses[]'), 'two&');
  assert.equal(answer.body, '{"a":1,"token":"three","id":"four"}');
  assert.ok('unplaced' in placeSecrets(bare, use, { secret: SECRET, extras: ['one'] }));
});
