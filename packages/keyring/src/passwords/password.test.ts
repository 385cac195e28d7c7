import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOptions } from '@node-rs/argon2';
import { newPasswords } from './password.ts';

const passwords = newPasswords();
const readHash = async (password: string): Promise<string> => {
  const stored = await passwords.hash(password, async () => false);
  assert.ok('phc' in stored && stored.phc !== null);
  return stored.phc;
};

test('verifies a password with its own hash and no other', async () => {
  const stored = await readHash('correct horse battery staple');
  assert.equal(await passwords.verify(stored, 'correct horse battery staple'), true);
  for (const wrong of ['correct horse battery stapl', 'Correct horse battery staple', ' correct horse battery staple', '']) {
    assert.equal(await passwords.verify(stored, wrong), false, wrong);
  }
});

test('hashes with argon2id, 19 MiB, two passes and a new salt each time', async () => {
  const stored = await readHash('same');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(parseOptions(stored).saltLen, 16);
  assert.notEqual(stored, await readHash('same'));
});

test('verifies an unknown user against a hash of the same cost, which no password matches', async () => {
  assert.equal(await passwords.verify(null, ''), false);
  assert.equal(await passwords.verify(null, 'anything'), false);
});

test('treats two Unicode compositions of the same letters as one password', async () => {
  assert.equal(await passwords.verify(await readHash('caf\u00e9'), 'cafe\u0301'), true);
});

test('does not truncate a password: the last of 1,000 characters counts', async () => {
  assert.equal(await passwords.verify(await readHash(`${'x'.repeat(999)}a`), `${'x'.repeat(999)}b`), false);
});

test('throws for a stored text that is no hash, instead of reporting a wrong password', async () => {
  await assert.rejects(Promise.resolve(passwords.verify('not a hash', 'x')));
});

test('accepts only the bounded number of a thousand concurrent logins, and refuses the rest with a time to retry', async () => {
  const few = newPasswords({ parallelMax: 2, waitingMax: 6 });
  const answers = await Promise.all(Array.from({ length: 1000 }, () => few.verify(null, 'x')));
  assert.equal(answers.filter((answer) => answer === false).length, 8);
  const turnedAway = answers.filter((answer) => typeof answer === 'object');
  assert.equal(turnedAway.length, 992);
  assert.equal(turnedAway[0]?.refused, 'RATE_LIMITED');
});
