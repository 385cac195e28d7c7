import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskMembers } from './mask-members.ts';
import { MASKED } from './mask-secrets.ts';

test('masks a secret in the name of a member like in a text', () => {
  const told = maskMembers({ labels: { svc_key_abcdefghijkl: 'x', team: 'to svc_ses_abcdefghijkl' } }, 8);
  assert.deepEqual(told, { labels: { '[masked]': 'x', team: 'to [masked]' } });
});

test('masks third-party keys, and not words with the same beginning', () => {
  const plain = ['Asia-Pacific desk', 'asiapacific_refunds', 'sg.transactions.create', 'SG.Payments_team'];
  for (const text of plain) assert.deepEqual(maskMembers({ text }, 8), { text });
  for (const text of ['AKIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE', 'SG.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf'])
    assert.deepEqual(maskMembers({ text }, 8), { text: '[masked]' });
});

test('masks a password before the host of an address with its user, and nothing that only looks similar', () => {
  for (const [text, told] of [
    ['pushed to https://ada:hunter2@git.example.com/x', 'pushed to https://[masked]@git.example.com/x'],
    ['postgres://:p%40ss:word@db:5432/a?b=c@d', 'postgres://[masked]@db:5432/a?b=c@d'],
    ['amqps://u:one@a, amqps://u:two@b', 'amqps://[masked]@a, amqps://[masked]@b'],
  ] as const)
    assert.deepEqual(maskMembers({ text }, 8), { text: told });
  for (const text of ['https://ada@git.example.com/x', 'http://[::1]:8080/a@b', 'https://a.example:443/?to=b@c', 'at 10:30 //x:y@z'])
    assert.deepEqual(maskMembers({ text }, 8), { text });
});

test('masks a URL signature by its name, and inside a text with the URL', () => {
  const url = 'https://a.blob.example/c/f?sv=2024&sig=Ab%2Fcdefgh123&se=2026';
  assert.deepEqual(maskMembers({ sig: 'abcdefgh', url, aws: 'x?X-Amz-Signature=0123456789abcdef' }, 3), {
    sig: MASKED,
    url: `https://a.blob.example/c/f?sv=2024&sig=${MASKED}&se=2026`,
    aws: `x?X-Amz-Signature=${MASKED}`,
  });
  assert.deepEqual(maskMembers({ url: 'https://a.example/?design=abcdefgh12&sigma=abcdefgh12' }, 3), {
    url: 'https://a.example/?design=abcdefgh12&sigma=abcdefgh12',
  });
});

test('shows a number under the name of a risk signal or a count, and masks any text there', () => {
  const shown = { signals: { secret_in_parameters: 40, personal_data_in_parameters: 15 }, api_keys: 2, max_tokens: 100 };
  assert.deepEqual(maskMembers(shown, 8), shown);
  for (const name of ['secret_in_parameters', 'api_keys']) assert.deepEqual(maskMembers({ [name]: 'hunter2' }, 8), { [name]: '[masked]' });
  assert.deepEqual(maskMembers({ password: 1234, pin: 1234, secret: 7 }, 8), { password: '[masked]', pin: '[masked]', secret: '[masked]' });
});
