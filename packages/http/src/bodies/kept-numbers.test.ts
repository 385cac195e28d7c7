import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChangedNumbers, mayLoseDigits } from './kept-numbers.ts';

const found = (text: string): string[] =>
  mayLoseDigits(Buffer.from(text), text) ? listChangedNumbers(text, 20).map(({ pointer }) => pointer) : [];

test('a number that parsing changes is found with its pointer, in any form', () => {
  for (const number of [
    '9007199254740993',
    '9007199254740994',
    '-9007199254740993',
    '12345678901234567890',
    '100000000000000000001',
    '9007199254740993.0',
    '9007199254740993e0',
    '90071992547409930e-1',
    '0.1234567890123456789',
    '1.0000000000000000000001',
    '123456789.12345678901',
    '1e-400',
    '1.5E-0400',
    '4.9406564584124653e-324',
  ]) {
    assert.deepEqual(found(`{"a":[1,{"b/~":${number}}],"c":${number}}`), ['/a/1/b~1~0', '/c'], number);
  }
});

test('a number that parsing keeps is accepted, in any form, and so is a text of digits', () => {
  for (const number of [
    '0',
    '-0',
    '0e-400',
    '9007199254740992',
    '-9007199254740991',
    '0.1',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '5e-324',
    '1.50',
    '1.000000000000000000000000',
    '6.02214076e23',
    '1e21',
    '100000.0000000000000',
    '"9007199254740993"',
    '"1e-400"',
    '"\\"9007199254740993"',
  ]) {
    assert.deepEqual(found(`{"a":${number}}`), [], number);
  }
});

test('a body is scanned only for long digits, anywhere in it', () => {
  const usual = JSON.stringify({ id: 'act_01J8Z3V7Q2N4M6K8P0R2T4W6Y8', at: 1_790_000_000_000, amount: 5_000, note: 'e-mail, 2026-01-02' });
  assert.equal(mayLoseDigits(Buffer.from(usual), usual), false);
  for (let before = 0; before < 40; before += 1) {
    const text = `${' '.repeat(before)}[1234567890123456]${' '.repeat(before % 7)}`;
    assert.equal(mayLoseDigits(Buffer.from(text), text), true, `after ${before}`);
  }
});

test('a number of a quarter of a million digits is cheap', () => {
  const text = `[0.1${'0'.repeat(240_000)}1]`;
  const before = process.cpuUsage();
  assert.deepEqual(found(text), ['/0']);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 2_000_000, `${user + system} us`);
});
