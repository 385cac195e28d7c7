import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, isWellFormedSecret, newSecretToken } from './secret-token.ts';

const prefixes = Object.values(SECRET_PREFIXES);

test('creates a secret of prefix, 43 digits or a multiple of four, and checksum, well formed under its own prefix only', () => {
  for (const prefix of prefixes) {
    const secret = newSecretToken(prefix);
    assert.match(secret.slice(prefix.length), prefix === 'whsec_' ? /^[0-9A-Za-z]{52}$/ : /^[0-9A-Za-z]{49}$/);
    for (const other of prefixes) assert.equal(isWellFormedSecret(other, secret), other === prefix);
  }
});

test('creates a thousand different secrets, each digit varying but the one that 256 bits do not fill', () => {
  const secrets = Array.from({ length: 1000 }, () => newSecretToken('svc_key_').slice('svc_key_'.length, -6));
  assert.equal(new Set(secrets).size, 1000);
  for (let place = 1; place < 43; place += 1) assert.ok(new Set(secrets.map((secret) => secret[place])).size > 40, `place ${place}`);
});

test('rejects a secret with any one changed character', () => {
  const secret = newSecretToken('svc_key_');
  for (let place = 0; place < secret.length; place += 1) {
    const changed = secret.slice(0, place) + (secret[place] === 'x' ? 'y' : 'x') + secret.slice(place + 1);
    assert.ok(!isWellFormedSecret('svc_key_', changed), `place ${place}`);
  }
});

test('rejects a secret under another prefix, cut, lengthened or decorated', () => {
  const secret = newSecretToken('svc_ses_');
  const wrong = [
    secret.replace('ses', 'key'),
    secret.slice(0, -1),
    `${secret}0`,
    `${secret}\n`,
    ` ${secret}`,
    secret.toUpperCase(),
    '',
    'svc_ses_',
  ];
  for (const text of wrong) {
    assert.ok(!isWellFormedSecret('svc_ses_', text), text);
    assert.ok(!isWellFormedSecret('svc_key_', text), text);
  }
});

test('stores the SHA-256 of a secret', () => {
  const secret = newSecretToken('svc_ses_');
  assert.deepEqual(hashSecret(secret), createHash('sha256').update(secret, 'utf8').digest());
});
